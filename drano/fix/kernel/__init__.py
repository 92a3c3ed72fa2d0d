"""What an edit may ask of a kernel's source: its loops, rows, ranges and lanes."""
