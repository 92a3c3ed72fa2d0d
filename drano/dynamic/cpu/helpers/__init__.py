"""Native functions for what only a GPU has, as LLVM IR text."""
