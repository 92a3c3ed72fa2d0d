"""Device code: from LLVM IR to the frozen model that the analyses read.

``prepare`` brings a compiler's IR into the form that ``read`` turns into the ``model``. Nothing is
loaded here, because a run that finds all its results in the cache needs no LLVM.
"""
