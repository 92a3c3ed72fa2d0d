"""Findings beside the machine code that another compiler makes of the same source."""
