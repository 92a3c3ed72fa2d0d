"""Functions in native code that stand for what only a GPU has, as LLVM IR text."""
