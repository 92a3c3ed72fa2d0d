"""Accesses of memory as they were before an optimiser saw them."""

from __future__ import annotations

from msgspec import Struct

from drano.model.access import AccessKind
from drano.model.span import Location


class WrittenAccess(Struct, frozen=True):
    """One of a function's accesses, all calls inlined. ``number``: its own, in the module;
    ``symbol``: of the function; ``bytes``: of a lane, 0 where not told; ``loops``: how many it is
    in; ``private``: to a local variable; ``location``: None if generated.
    """

    number: int
    symbol: str
    kind: AccessKind
    bytes: int
    loops: int
    private: bool
    location: Location | None
