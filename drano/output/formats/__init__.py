"""The formats of reports, one a module; ``table`` has them by name."""
