"""Kernels of Python programs, for their tests: Triton's by name, and what a script compiles."""
