"""Which findings still count: those that comments silence, and those that are known already."""
