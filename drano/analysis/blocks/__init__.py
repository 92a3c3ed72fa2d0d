"""The shapes of blocks that a kernel is analysed for, and what it does in others."""
