"""Fixes that drano proposes, as patches (the tables beside), and what they are worth."""
