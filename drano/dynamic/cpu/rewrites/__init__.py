"""Intrinsics that are rewritten first, as instructions that the whole back end knows."""
