"""Occupancy: how many warps of a kernel a multiprocessor holds at once, and what limits them."""
