"""From prepared IR, as LLVM prints it, to the model: one instruction after the other."""
