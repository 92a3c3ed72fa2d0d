"""Tools that know nothing of CUDA: fast dataclasses and JSON, processes, files, the one error."""
