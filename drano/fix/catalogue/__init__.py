"""The edits that drano knows, one a module: what it does, when, and what must be proved for it."""
