"""Where things are in the source: files, lines, columns, and inlined call paths.

Imports nothing of drano that knows of it, so that every layer may speak of places.
Lines and columns are 1-based as in DWARF; a column of 0 means "unknown column",
a line of 0 means "compiler generated".
"""

from __future__ import annotations

from msgspec import Struct


class Span(Struct, frozen=True, order=True):
    """One point of a source file, e.g. ``Span("a.cu", 12, 7)``.

    ``path`` is absolute and normalised when the compiler gave enough to make it so.
    """

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Frame(Struct, frozen=True):
    """One call that was inlined: ``function`` is the *caller*, ``span`` the call in it."""

    function: str
    span: Span


class Location(Struct, frozen=True):
    """A place of an instruction: its own span, the source function that holds it, and
    the chain of calls (innermost call first) through which it was inlined.

    ``Location(Span("a.cuh", 3, 5), "get", (Frame("kernel", Span("a.cu", 9, 2)),))`` is line 3
    of ``get``, inlined into ``kernel`` at line 9.
    """

    span: Span
    function: str
    inlined_at: tuple[Frame, ...] = ()
