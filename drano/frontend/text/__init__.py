"""What the text of a source says before a compiler reads it."""
