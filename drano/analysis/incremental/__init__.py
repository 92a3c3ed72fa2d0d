"""A file analysed again after an edit: only what the edit changed."""
