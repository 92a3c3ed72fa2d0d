"""Where host code's pointers come from, and how far it moves them."""
