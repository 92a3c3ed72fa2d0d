"""What compiling makes of the accesses of the source: requests of their own, others, none."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from drano.model.span import Location, Span


class Fate(StrEnum):
    """What became of an access as it is written. ``MERGED``: into a request that is wider;
    ``SHARED``: one request does what several accesses ask for; ``MOVED``: out of a loop;
    ``COPIED``: into several requests, as of an unrolled loop; ``SPLIT``: into narrower ones;
    ``PART``: into one for the words of it that are used.
    """

    OWN = "own"
    MERGED = "merged"
    SHARED = "shared"
    MOVED = "moved"
    COPIED = "copied"
    SPLIT = "split"
    PART = "part"


class Origin(Struct, frozen=True):
    """Where a request of compiled code comes from. ``copies``: how many requests its source access
    has become; ``parts``: the places of all accesses that this request does the work of, in program
    order; ``written_bytes``: of a lane in one of these; ``loops_left``: how many loops around these
    it is no longer in.
    """

    fate: Fate
    copies: int = 1
    parts: tuple[Span, ...] = ()
    written_bytes: int = 0
    loops_left: int = 0


class RemovedAccess(Struct, frozen=True):
    """An access of the source that compiling leaves no request of: what it loads is in a register,
    what it stores is not needed, or it is never executed. ``text``: the expression; ``private``: to
    a local variable.
    """

    location: Location
    start_column: int
    end_column: int
    kernel: str
    kernel_symbol: str
    kind: str
    bytes: int
    text: str
    private: bool
