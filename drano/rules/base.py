"""What a rule is, and the words that all rules share.

A rule looks at one ``Access``, or one fact of control flow, and says whether, and how severely, to
complain: it computes no state of its own. Its module's docstring is the user's page
(``drano rule CODE``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from drano.model.access import Access, block_text
from drano.model.finding import ControlFact, Severity
from drano.model.hardware import SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import CountRange, Space, Verdict
from drano.model.settings import Config

Select = Callable[[Access, Config], Severity | None]
Describe = Callable[[Access], str]
Control = Callable[[ControlFact], tuple[Severity, str] | None]

# Shared and local memory have no 128-byte lines to share, constant memory has its own broadcast
# rules; a generic pointer may be global.
_MAX_TEXT = 60
_RANK_OF_TEN = 100 / 15  # ten times the bytes
_JUDGED_SPACES = frozenset({Space.GLOBAL, Space.GENERIC})


class _About(Struct, frozen=True, kw_only=True):
    """``default``: whether the rule runs without being selected by its own prefix; ``page``: its
    module's docstring.
    """

    code: str
    name: str
    summary: str
    level: Severity
    page: str
    default: bool = True


class AccessRule(_About, frozen=True, kw_only=True):
    """A rule about single accesses. ``select``: how severe this access is under the rule, None for
    no complaint.

    ``describe``: the finding's one-line message; ``fix``: advice where the analysis has none that
    is worded for the very access. ``about_lanes``: whether it is about where lanes point, so that
    the access's own advice is meant. ``paper``: whether the paper's domain tells what it asks;
    ``reuse``: it needs to know how often blocks read arrays, which takes longer.
    """

    select: Select
    describe: Describe
    fix: Describe
    about_lanes: bool = True
    paper: bool = False
    reuse: bool = False


class ControlRule(_About, frozen=True, kw_only=True):
    """A rule about control flow. ``judge``: severity and message for a fact, None for no
    complaint.
    """

    judge: Control
    fix: str


class KernelRule(_About, frozen=True, kw_only=True):
    """A rule about whole kernels, which ``drano.occupancy`` compiles to the end for it."""


class CommentRule(_About, frozen=True, kw_only=True):
    """A rule about comments that speak to drano: ``drano.triage`` tells when the run is over."""


Rule: TypeAlias = AccessRule | ControlRule | KernelRule | CommentRule


def judged(access: Access) -> bool:
    """Whether coalescing matters for the memory that ``access`` goes to."""
    return access.judgement.space in _JUDGED_SPACES


def proved_bad(access: Access) -> bool:
    """Whether the access is in judged memory and uncoalesced, not just possibly."""
    return judged(access) and access.judgement.flagged


def subject(access: Access) -> str:
    """What is accessed: "load of `a[i]`", "store to `out`", "atomic on `*slot` in `bins`"."""
    preposition = {"load": "of", "store": "to", "atomic": "on"}[access.kind.value]
    return f"{access.kind.value} {preposition} {_object(access)}"


def _object(access: Access) -> str:
    """The accessed expression as written, and the array where the expression does not name it."""
    text, array = access.index_text, access.judgement.array
    if not text or len(text) > _MAX_TEXT:
        return f"`{array}`" if array else "global memory"
    if array and array.isidentifier() and not re.search(rf"\b{array}\b", text):
        return f"`{text}` in `{array}`"
    return f"`{text}`"


def cost(access: Access) -> str:
    """What the access costs a warp: "32 sectors where 4 would do (8.0x)"; "" when not counted.

    >>> from drano.model.judgement import CountRange
    >>> cost_of(CountRange(32, 32, 4))
    '32 sectors where 4 would do (8.0x)'
    >>> cost_of(CountRange(4, 32, 4))
    'up to 32 sectors where 4 would do (8.0x)'
    >>> cost_of(CountRange(4, 33, 4, expected=32.0))
    '32 sectors where 4 would do (8.0x)'
    """
    sectors = access.judgement.sectors
    return "" if sectors is None else cost_of(sectors)


def cost_of(sectors: CountRange) -> str:
    """See ``cost``."""
    if sectors.ideal < 1:
        return ""
    if sectors.expected is not None and sectors.expected > sectors.ideal:
        number, most = sectors.expected, ""
    else:
        number, most = sectors.maximum, "" if sectors.minimum == sectors.maximum else "up to "
    ratio = number / sectors.ideal
    return f"{most}{number:.3g} sectors where {sectors.ideal} would do ({ratio:.1f}x)"


def excess(access: Access) -> float:
    """Sectors moved for each sector needed, at worst; 1 for a perfect access. For shared memory,
    wavefronts for each that is needed.

    Without counts (the paper's domain) an access proved uncoalesced is taken at its worst, a
    sector for every lane.
    """
    judgement = access.judgement
    if judgement.wavefronts is not None:
        return judgement.wavefronts.maximum / max(judgement.wavefronts.ideal, 1)
    if judgement.sectors is not None:
        return judgement.sectors.maximum / max(judgement.sectors.ideal, 1)
    if judgement.verdict is Verdict.UNCOALESCED:
        ideal = max(1, access.bytes * WARP_SIZE // SECTOR_BYTES)
        return max(1.0, WARP_SIZE / ideal)
    return 1.0


def likely_excess(access: Access) -> float:
    """Sectors moved for each sector needed, as expected where there is an expectation."""
    sectors = access.judgement.sectors
    if sectors is None or sectors.expected is None:
        return excess(access)
    return sectors.expected / max(sectors.ideal, 1)


def excess_bytes(access: Access) -> float:
    """Bytes moved beyond the ideal, over all executions; of an access without a known number of
    executions, by one of them; halved when not proved.
    """
    judgement = access.judgement
    if access.cost is not None:
        return access.cost.excess_bytes
    counts = judgement.sectors if judgement.wavefronts is None else judgement.wavefronts
    ideal = counts.ideal if counts is not None else access.bytes
    wasted = max(0.0, (likely_excess(access) - 1.0) * max(ideal, 1)) * SECTOR_BYTES
    proved = judgement.flagged or judgement.wavefronts is not None
    return wasted if proved else wasted / 2


def rank_of(wasted: float) -> float:
    """0 to 100 on a scale of powers of ten, in steps of 5, each 5.6 times as many bytes: sizes are
    seldom known better. Ranks of different files and runs compare.

    >>> [rank_of(wasted) for wasted in (0.0, 1e3, 1e6, 1e9, 1e15)]
    [0.0, 20.0, 40.0, 60.0, 100.0]
    """
    return 5.0 * round(min(100.0, _RANK_OF_TEN * math.log10(1.0 + wasted)) / 5)


def on_assumption(access: Access, rule: AccessRule) -> str:
    """What is to be said where sizes decide, or the block shape that was assumed; "" where none
    does.
    """
    if not rule.about_lanes:
        return ""
    condition = access.judgement.condition
    word = "unless" if access.judgement.verdict is Verdict.COALESCED else "if"
    shape = shape_assumed(access.otherwise) if rests_on_shape(access) else ""
    return (f"; {word} {condition}" if condition else "") + shape


def rests_on_shape(access: Access) -> bool:
    """Whether an access is bad only in blocks of the shape that was assumed."""
    judgement = access.judgement
    bad = judgement.space is Space.SHARED or judgement.verdict is not Verdict.COALESCED
    return bad and access.otherwise is not None


def shape_assumed(otherwise: tuple[int, int, int] | None) -> str:
    """See ``on_assumption``.

    >>> shape_assumed((4, 8, 1))
    '; assumes the block shape: does not occur in blocks of 4x8'
    """
    if otherwise is None:
        return ""
    return f"; assumes the block shape: does not occur in blocks of {block_text(otherwise)}"


def join_clauses(head: str, *clauses: str) -> str:
    """Message from its head and the clauses that are there: "a: b; c"."""
    said = [clause for clause in clauses if clause]
    return f"{head}: {'; '.join(said)}" if said else head
