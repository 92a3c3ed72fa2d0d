"""A random kernel, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kernel:
    """``text``: with its types; ``call``: statements of ``main`` with ``in``, ``out`` of ``SIZE``
    floats each; ``edit``: that mends it, ``trap``: what is in the way.
    """

    text: str
    call: str
    edit: str
    trap: bool = False
