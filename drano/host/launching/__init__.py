"""Launches in host code: what they look like, who makes them, and with what."""
