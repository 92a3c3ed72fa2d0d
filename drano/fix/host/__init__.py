"""What an edit may ask of the host's source: which arrays there are, and what is done to them."""
