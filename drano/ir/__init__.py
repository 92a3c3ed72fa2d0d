"""Device code: from CUDA sources or LLVM IR to the frozen model that the analyses read.

Import from its modules: ``prepare`` and ``reader`` for IR, ``clang`` for sources. Nothing is loaded
here, because a run that finds all its results in the cache needs no LLVM.
"""
