"""What an interpretation holds while it runs: the fixpoint, masks, and results kept for later."""
