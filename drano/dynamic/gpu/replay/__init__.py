"""Launches that the host counts while the GPU runs them uncounted, and those it need not count."""
