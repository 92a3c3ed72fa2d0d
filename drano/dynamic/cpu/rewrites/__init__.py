"""Intrinsics that are rewritten, before all else, as instructions that the whole back end knows."""
