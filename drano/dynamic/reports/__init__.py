"""Profiles in print: ``drano report``, ``drano diff``, ``drano profile``, ``drano validate``."""
