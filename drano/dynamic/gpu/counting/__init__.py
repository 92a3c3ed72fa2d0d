"""Counting on the GPU: request by request, by segments of code, by whole loops, or a sample."""
