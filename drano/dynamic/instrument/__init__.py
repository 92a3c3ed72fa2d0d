"""Which accesses and blocks a run counts, and the calls that count them: for CPU and GPU."""
