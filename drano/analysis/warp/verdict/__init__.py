"""What a finished interpretation says of accesses and branches: verdicts, counts, words."""
