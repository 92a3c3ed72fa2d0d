"""A random kernel, and what becomes of it."""

from __future__ import annotations

from msgspec import Struct


class Kernel(Struct, frozen=True):
    """``text``: with its types; ``call``: statements of ``main`` with ``in``, ``out`` of ``SIZE``
    floats each; ``edit``: that mends it, ``trap``: what is in the way.
    """

    text: str
    call: str
    edit: str
    trap: bool = False
