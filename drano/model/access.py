"""Accesses: places in the source, with the answer about them and what they cost."""

from __future__ import annotations

import math
from enum import StrEnum

from msgspec import Struct

from drano.model.hardware import SECTOR_BYTES
from drano.model.judgement import Judgement
from drano.model.source_access import Origin
from drano.model.span import Frame, Location, Span


class AccessKind(StrEnum):
    """What an access does; ``OTHER``: several things, or what is not known."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    OTHER = "access"


class Launch(Struct, frozen=True):
    """Block shape an access was analysed for; ``assumed``: no launch, hint or bound says how its
    threads lie in warps. ``partly``: the sizes that are known where some are and some are not,
    and ``block`` holds the least of what was taken; None: all of them are known, or none.
    """

    block: tuple[int, int, int]
    assumed: bool
    partly: tuple[int | None, int | None, int | None] | None = None

    @property
    def exact(self) -> bool:
        """Whether the whole shape is known."""
        return not self.assumed and self.partly is None

    @property
    def width_assumed(self) -> bool:
        """Whether the block is only taken to be some multiple of 32 threads wide."""
        return self.assumed and (self.partly is None or self.partly[0] is None)


class LoopScope(Struct, frozen=True):
    """A loop around an access. ``counter``: its name, or ""; ``trips``: how often it runs each
    time, as a formula; ``count``: the same where that is a whole number; ``location``: of its test,
    with the calls that it was inlined through.
    """

    counter: str
    trips: str
    location: Location
    count: int | None = None


class Reuse(Struct, frozen=True):
    """How a block reads an array, for one pass through each loop: ``reads`` by its warps of
    ``elements`` of ``bytes`` each, in ``loads`` places; ``in_loop``: of each iteration.

    Measured in ``blocks`` blocks, where that is not 0: then ``reads`` and ``elements`` are those of
    a whole block, the mean; ``most``: elements of the block that reads most, ``used``: bytes of
    shared memory that the kernel has in use, ``each``: elements of one iteration where known.
    """

    reads: int
    elements: int
    bytes: int
    loads: int
    in_loop: bool
    blocks: int = 0
    most: int = 0
    used: int = 0
    each: int = 0


class Basis(StrEnum):
    """How well a number is known, best first: counted by a run; certain; a formula in the
    source's names; a default that is said.
    """

    MEASURED = "measured"
    EXACT = "exact"
    SYMBOLIC = "symbolic"
    ASSUMED = "assumed"


class Factor(Struct, frozen=True):
    """One factor of how often an access is executed. ``text``: as a formula ("(n - 1)/32");
    ``what``: what it counts ("loop over `k`"); ``value``: its number, for which the names in
    ``taken`` were taken to be what is said there; ``span``: of a branch, where it is.
    """

    text: str
    value: float
    basis: Basis
    what: str
    taken: tuple[tuple[str, float], ...] = ()
    span: Span | None = None

    @property
    def named(self) -> str:
        """What it counts, with its line: "branch in line 17"."""
        return f"{self.what} in line {self.span.line}" if self.span else self.what


class Cost(Struct, frozen=True):
    """What an access costs in all: ``sectors`` beyond the ideal for each execution by a warp (for
    shared memory, wavefronts, each as dear as a sector), times the ``factors``.
    ``gathered``: ``sectors`` is a guess, as the index is not known.
    """

    sectors: float
    factors: tuple[Factor, ...] = ()
    gathered: bool = False

    @property
    def executions(self) -> float:
        """Warp requests."""
        return math.prod(factor.value for factor in self.factors)

    @property
    def excess_bytes(self) -> float:
        """Bytes moved beyond the ideal."""
        return self.sectors * self.executions * SECTOR_BYTES


def block_text(block: tuple[int, int, int]) -> str:
    """A block's shape without what is 1 at the end.

    >>> block_text((4, 8, 1))
    '4x8'
    """
    sizes = list(block)
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return "x".join(map(str, sizes))


class Access(Struct, frozen=True):
    """One source access in one kernel (one call path): the analysis's whole answer.

    ``index_text``: the index in the user's identifiers where it can be told; ``launch``: None in
    the paper's domain.
    ``ordinal`` numbers the accesses of one kernel in program order: with the kernel it is the
    join key between analyses and runs.
    ``location`` is the compiler's (a store is at its ``=``); ``start_column`` and ``end_column``
    enclose the accessed expression on that line, in bytes like all columns, 0 where not known.
    ``vector``: how many neighbouring elements, this the first, one wider access could
    take; 0: none. ``vector_needs``: what must hold for it to be aligned, "" where it is.
    ``reuse``: of the first load of an array, when it was asked for.
    ``loops``: how many loops it is in; ``nest``: those loops, outermost first, as costs see them.
    ``cost``: None where it costs nothing beyond the ideal. ``callers``: of a function that was not
    inlined (``kernel`` is its name), the calls from a kernel to it, innermost first;
    ``recursive``: it may call itself.
    ``otherwise``: of an access that is bad, or proved coalesced, in blocks of the assumed shape, a
    block that is as plausible, in which that is not so; None where there is none.
    ``origin``: of compiled code, the accesses of the source that it does the work of.
    """

    location: Location
    end_column: int
    kernel: str
    kernel_symbol: str
    ordinal: int
    kind: AccessKind
    bytes: int
    judgement: Judgement
    index_text: str = ""
    launch: Launch | None = None
    start_column: int = 0
    vector: int = 0
    loops: int = 0
    vector_needs: str = ""
    reuse: Reuse | None = None
    cost: Cost | None = None
    nest: tuple[LoopScope, ...] = ()
    callers: tuple[Frame, ...] = ()
    recursive: bool = False
    otherwise: tuple[int, int, int] | None = None
    origin: Origin | None = None

    @property
    def width(self) -> str:
        """``bytes`` in words; 0 where the width is not known."""
        return f"{self.bytes} byte{'s'[: self.bytes != 1]}" if self.bytes else "width unknown"
