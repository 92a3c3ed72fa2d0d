"""CUDA source within Python source: found in its text, without running anything of it."""
