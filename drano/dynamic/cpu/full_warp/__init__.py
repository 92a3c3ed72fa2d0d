"""Nodes written a second time, for warps whose 32 lanes are all active: vectors, no masks."""
