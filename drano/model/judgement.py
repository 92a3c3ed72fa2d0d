"""The answer about one access: how its lanes lie, what that costs, and why.

Plain frozen data, like all of what the analyses say. Counts of lines and sectors are per warp
request.
"""

from __future__ import annotations

from bisect import bisect
from enum import StrEnum

from msgspec import Struct

from drano.model.span import Span

UNKNOWN, PROVED = 100.0, 1000.0  # far above any ratio of sectors or wavefronts

AWAY_FROM_BORDERS = "away from the borders"  # a condition that nearly all warps meet
IN_TURN = "the atomic gives the lanes its numbers in turn"


class Space(StrEnum):
    """Memory space an access goes to; ``generic`` where it could not be told, ``texture`` for what
    goes through the texture unit: textures and surfaces.
    """

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    TEXTURE = "texture"
    GENERIC = "generic"


class Verdict(StrEnum):
    """The three answers: proved coalesced, proved uncoalesced, unknown with its reason."""

    COALESCED = "coalesced"
    UNCOALESCED = "uncoalesced"
    UNKNOWN = "unknown"


class Pattern(StrEnum):
    """How the lanes' addresses lie to each other. ``single-thread`` and ``wide`` (consecutive
    elements of more than 4 bytes) are the paper's, ``column-major``, ``unaligned`` and
    ``unknown-start`` the warp domain's. ``unknown-start``: runs of consecutive elements, each of
    which costs one sector more than it must at the most, by where in a sector it starts.
    """

    UNIFORM = "uniform"
    CONTIGUOUS = "contiguous"
    UNALIGNED = "unaligned"
    UNKNOWN_START = "unknown-start"
    STRIDED = "strided"
    COLUMN_MAJOR = "column-major"
    DATA_DEPENDENT = "data-dependent"
    IRREGULAR = "irregular"
    SINGLE_THREAD = "single-thread"
    WIDE = "wide"
    UNKNOWN = "unknown"


OFF_SECTORS = frozenset({Pattern.UNALIGNED, Pattern.UNKNOWN_START})
"""Patterns of neighbours whose runs start, or may start, inside a sector."""


class Active(StrEnum):
    """Which lanes make an access. ``SINGLE_THREAD`` and ``ANY`` are the paper's."""

    ALL = "all lanes"
    KNOWN = "known lanes"
    ALL_OR_NONE = "all lanes or none"
    AT_MOST_ONE = "at most one lane"
    ALL_BUT_ONE = "all lanes but one"
    WITHIN_BOUNDS = "lanes within bounds"
    CHOSEN_BY_DATA = "lanes chosen by data"
    OTHER = "unknown lanes"
    SINGLE_THREAD = "FF⁻"
    ANY = "⊤"
    UNKNOWN = "unknown"


class CountRange(Struct, frozen=True):
    """Lines or sectors of one warp request: least and most over all that is unknown, and the
    ideal for the bytes and the active lanes (``min(most, active lanes * bytes / 32)``, rounded up).

    ``expected``: mean over the warps of a block with all lanes active and every unknown offset and
    row pitch a whole number of sectors; None where no pattern is known.
    """

    minimum: int
    maximum: int
    ideal: int
    expected: float | None = None


class Step(Struct, frozen=True):
    """One step of a derivation: ``text`` says what happens at ``span``."""

    span: Span | None
    text: str


class Judgement(Struct, frozen=True):
    """A domain's answer about one access, for one block shape.

    ``value`` is the index's abstract value as the domain prints it, exactly; ``address`` the
    address in the user's words; ``reason`` one plain sentence fragment; ``says_stride``: it names
    the stride.
    ``lines``/``sectors`` are None, and ``lanes`` is empty, in the paper's domain. ``lanes`` holds
    one byte offset per lane (relative to lane 0's; None: inactive or unknown).
    ``wavefronts``: of an access to shared memory, None elsewhere and where not counted; the ideal
    is what its width needs without a bank conflict, ``expected`` the mean with all lanes active.
    ``condition``: what must hold of sizes for the verdict, ``w >= 32``, or ""; the bounds of
    ``sectors`` and ``lines`` hold whatever they are.
    ``origins``: of an access whose space is generic, what its pointer may point into.
    ``weight`` orders judgements of one site under several launch shapes, of which the costliest is
    reported: below ``UNKNOWN`` what is proved to be as it should, from ``PROVED`` on what is proved
    not to be, unknown ones between them.
    """

    space: Space
    verdict: Verdict
    pattern: Pattern
    reason: str
    value: str
    active: Active
    stride: str = ""
    array: str = ""
    lines: CountRange | None = None
    sectors: CountRange | None = None
    wavefronts: CountRange | None = None
    lanes: tuple[int | None, ...] = ()
    fix: str = ""
    weight: float = 0.0
    address: str = ""
    derivation: tuple[Step, ...] = ()
    origins: tuple[str, ...] = ()
    says_stride: bool = False
    condition: str = ""

    @property
    def possible(self) -> bool:
        """Whether it is uncoalesced under its condition only, which is met as often as not: where a
        number between lanes may be 1.
        """
        return self.verdict is Verdict.UNCOALESCED and UNKNOWN <= self.weight < PROVED

    @property
    def flagged(self) -> bool:
        """Whether it is uncoalesced, and not just possibly."""
        return self.verdict is Verdict.UNCOALESCED and not self.possible

    def order(self, *, assumed: bool) -> tuple[int, bool, float]:
        """What judgements are ordered by: of two that say the same, that of a launch in the source
        comes before that of an ``assumed`` one.
        """
        return bisect((UNKNOWN, PROVED), self.weight), not assumed, self.weight
