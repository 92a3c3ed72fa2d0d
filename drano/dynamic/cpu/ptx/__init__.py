"""Inline PTX as LLVM IR for this machine."""
