"""The signal that an operand has no value yet."""

from __future__ import annotations


class NotReadyError(Exception):
    """An operand was not computed: its block was not reached in this sweep."""
