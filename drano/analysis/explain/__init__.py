"""An access in the words of its source: how its index comes about, and what to do about it."""
