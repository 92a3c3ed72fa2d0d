"""The three answers about an access, and the words for them.

*Proved uncoalesced*: even at the best alignment the warp touches at least ``UNCOALESCED_FROM``
times the sectors its bytes need. *Proved coalesced*: at the worst alignment it stays below that, or
misalignment costs at most one sector for each run of bytes side by side, which is a pattern of its
own. Everything else is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, assert_never

from drano.analysis.warp.verdict.value_text import lane_stride, stride_text
from drano.lattice import Atom, Form, Predicate, Shape, Warp
from drano.lattice.warp import operations as ops
from drano.model.hardware import COALESCED_TO, SECTOR_BYTES, UNCOALESCED_FROM
from drano.model.judgement import Pattern, Verdict
from drano.traffic.lane_counters import in_step
from drano.traffic.tallies import Traffic


class Answer(NamedTuple):
    """``says_stride``: whether the reason names the stride."""

    verdict: Verdict
    pattern: Pattern
    reason: str
    says_stride: bool = False


def answer_of(
    warp: Warp, address: Form, mask: Predicate, traffic: Traffic, pattern: Pattern
) -> Answer:
    """Verdict and reason for lanes whose addresses lie as ``pattern`` says."""
    ideal = max(traffic.ideal_total, 1)
    best = traffic.sectors.typical_least / ideal
    worst = traffic.sectors.typical_most / ideal
    if ops.at_most_one(mask):
        return Answer(Verdict.COALESCED, pattern, "at most one lane of the warp is active")
    if traffic.active <= 1:
        return Answer(Verdict.COALESCED, pattern, "one lane of the warp is active")
    if traffic.unknown:
        return _unknown(traffic.unknown, traffic, pattern)
    if traffic.uniform:
        return Answer(Verdict.COALESCED, pattern, "all lanes access the same address")
    if traffic.sectors.most <= 1:
        return Answer(Verdict.COALESCED, pattern, "all lanes stay within one sector")
    if best >= UNCOALESCED_FROM:
        apart = traffic.by_phase and traffic.groups > 1
        if apart and traffic.sectors.least < traffic.ideal_sectors * UNCOALESCED_FROM:
            reason = "how far apart the runs of consecutive lanes are is unknown"
            return Answer(Verdict.UNKNOWN, Pattern.UNKNOWN, reason)
        return _uncoalesced(warp, address, pattern, traffic)
    if worst >= UNCOALESCED_FROM and traffic.tidy:
        pattern = Pattern.UNKNOWN_START
    if mask.shape is Shape.DATA:
        cause = mask.reason or "memory"
        reason = f"the active mask depends on {cause}{_at_most(traffic)}"
        return Answer(Verdict.UNKNOWN, pattern, reason)
    if mask.shape in {Shape.OUTSIDE, Shape.OTHER} and ops.has_lane(mask.lanes, 2):
        reason = f"the active mask is unknown{_at_most(traffic)}"
        return Answer(Verdict.UNKNOWN, pattern, reason)
    if worst < UNCOALESCED_FROM:
        if best > COALESCED_TO:
            return Answer(Verdict.COALESCED, pattern, "consecutive, but not on a sector boundary")
        if pattern is Pattern.IRREGULAR:
            return Answer(Verdict.COALESCED, pattern, "scattered in one warp, few sectors in all")
        return Answer(Verdict.COALESCED, pattern, "consecutive lanes access consecutive memory")
    if pattern is Pattern.UNKNOWN_START:
        reason = "coalesced but for where runs of consecutive lanes start within a sector"
        return Answer(Verdict.COALESCED, pattern, reason)
    return Answer(
        Verdict.UNKNOWN,
        pattern if pattern is Pattern.COLUMN_MAJOR else Pattern.UNKNOWN,
        "which of several patterns the lanes follow is unknown",
    )


def chosen_by_data(reason: str, mask: Predicate, traffic: Traffic) -> str:
    """The ``reason`` of lanes that are all active, where memory chooses which of them are."""
    cause = mask.reason or "memory"
    return f"{reason}; which of them are active depends on {cause}{_at_most(traffic)}"


def _at_most(traffic: Traffic) -> str:
    """The bound by the full warp, which holds whatever lanes are active."""
    most = traffic.sectors.most
    return f"; at most {most} sectors, however many are" if most < traffic.active else ""


def _unknown(unknown: tuple[Atom, ...], traffic: Traffic, pattern: Pattern) -> Answer:
    for atom in unknown:
        if atom.data:
            return Answer(Verdict.UNKNOWN, pattern, f"the address depends on {atom.name}")
    if traffic.sectors.most <= max(traffic.ideal_sectors, 1) + 1:
        return Answer(Verdict.COALESCED, pattern, "all lanes stay within a few sectors")
    return Answer(Verdict.UNKNOWN, pattern, unknown[0].name)


def lanes_apart(offsets: Sequence[int | None]) -> int:
    """How many lanes each active lane, which has an offset, is from the next; 0 where that is not
    always the same.
    """
    active = [lane for lane, offset in enumerate(offsets) if offset is not None]
    steps = {after - before for before, after in pairwise(active)}
    return steps.pop() if len(steps) == 1 else 0


def _bytes_apart(offsets: Sequence[int | None]) -> int:
    """How many bytes each active lane is from the next; 0 where that is not always the same."""
    places = [offset for offset in offsets if offset is not None]
    steps = {abs(after - before) for before, after in pairwise(places)}
    return steps.pop() if len(steps) == 1 else 0


def _uncoalesced(warp: Warp, address: Form, pattern: Pattern, traffic: Traffic) -> Answer:
    verdict, offsets = Verdict.UNCOALESCED, traffic.offsets
    apart = lanes_apart(offsets)
    scattered = Answer(verdict, pattern, "the lanes' addresses are scattered")
    match pattern:
        case Pattern.UNALIGNED:
            return Answer(verdict, pattern, "consecutive, but not on a sector boundary")
        case Pattern.STRIDED if apart > 1 and traffic.groups == 1 and _bytes_apart(offsets):
            distance = f"{_bytes_apart(offsets)} bytes"
            reason = f"only one of {apart} lanes is active, and these are {distance} apart"
            return Answer(verdict, pattern, reason)
        case Pattern.COLUMN_MAJOR | Pattern.STRIDED:
            stride, more = stride_text(warp, address), ""
            together = None if stride else in_step(warp, address, 1)
            if together is not None:
                stride, more = stride_text(warp, together), " or more"
            reason = f"neighbouring lanes are {stride}{more} apart"
            return Answer(verdict, pattern, reason, says_stride=not more) if stride else scattered
        case (
            Pattern.UNIFORM
            | Pattern.CONTIGUOUS
            | Pattern.UNKNOWN_START
            | Pattern.DATA_DEPENDENT
            | Pattern.IRREGULAR
            | Pattern.SINGLE_THREAD
            | Pattern.WIDE
            | Pattern.UNKNOWN
        ):
            return scattered
        case other:
            assert_never(other)


def pattern_of(warp: Warp, address: Form, traffic: Traffic, size: int) -> Pattern:
    """How the lanes' addresses lie to each other, as far as they are known."""
    if traffic.unknown:
        data = any(atom.data for atom in traffic.unknown)
        return Pattern.DATA_DEPENDENT if data else Pattern.UNKNOWN
    if traffic.uniform or traffic.active <= 1:
        return Pattern.UNIFORM
    if traffic.groups > 1 and traffic.groups * 4 >= traffic.active:
        return Pattern.COLUMN_MAJOR
    if traffic.sectors.typical_least <= traffic.ideal_total * UNCOALESCED_FROM:
        return Pattern.IRREGULAR if _is_scattered(traffic, size) else Pattern.CONTIGUOUS
    if _consecutive(traffic.offsets, size):
        return Pattern.UNALIGNED
    return Pattern.STRIDED if lane_stride(address) else Pattern.IRREGULAR


def _is_scattered(traffic: Traffic, size: int) -> bool:
    """Whether the costliest warp touches more sectors than its bytes need wherever they start, for
    all that the block's warps together do not.
    """
    if traffic.groups > 1 or traffic.needs:
        return False
    places = [offset for offset in traffic.offsets if offset is not None]
    starts = range(0, SECTOR_BYTES, min(size & -size, SECTOR_BYTES))
    least = min(len({(start + place) // SECTOR_BYTES for place in places}) for start in starts)
    return least > -(-len(places) * size // SECTOR_BYTES) + 1


def _consecutive(offsets: tuple[int | None, ...], size: int) -> bool:
    """Whether the active lanes' elements lie side by side, in any order."""
    places = sorted({offset for offset in offsets if offset is not None})
    return all(b - a == size for a, b in pairwise(places))
