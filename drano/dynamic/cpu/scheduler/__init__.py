"""The step function of a kernel: which lanes run, what is done for all of them, how they wait."""
