"""What one warp's request moves, from the address of every lane: sectors, lines, wavefronts."""
