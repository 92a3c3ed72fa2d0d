"""Macros that a project's build defines, by its files and programs, for units that lack them."""
