"""What the hardware, the authors and runs have measured, and at which lines of ours."""
