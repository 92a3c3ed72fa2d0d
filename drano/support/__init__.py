"""Tools that know nothing of CUDA: JSON, processes, files, the one error."""
