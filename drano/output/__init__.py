"""Reports in every format: pure functions of a ``Report`` and of the source lines."""
