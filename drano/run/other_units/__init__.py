"""What the units of a run have of each other: launches, calls, device code, headers."""
