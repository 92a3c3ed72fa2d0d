"""Host code: which kernels it launches, with which blocks, grids and arguments, and how often."""
