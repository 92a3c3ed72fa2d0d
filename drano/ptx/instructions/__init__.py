"""What PTX's instructions mean, in LLVM's: one small function per opcode, in one table."""
