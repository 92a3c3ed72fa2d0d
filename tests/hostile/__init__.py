"""What a stranger's repository may try, and what comes of it."""
