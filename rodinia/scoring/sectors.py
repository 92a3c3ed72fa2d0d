"""Predicted against measured sectors of one warp request.

What can be compared. A hardware row sums over requests; the number of requests with an active
lane is not in it (``warp_insts`` counts warps whose lanes are all off). It is known where
``thread_insts == n * warp_insts``, n being the most lanes a warp of that block shape can have on
(32, or the block's threads if fewer): every warp was full, so requests = warp_insts. A guarded
access is full in most warps only, and is not compared. Where the analysis itself knows that
exactly k < n lanes are on, and ``thread_insts`` is a multiple of k, requests = thread_insts / k.
Where all lanes have one address, in one line, requests are those that the L1's tags were asked for.

What is compared. The rows of one line that agree in kernel, kind, access size and block shape
(a *group*) with our accesses of that line, kernel, kind, size and block. The mean over the
group's requests must equal the mean of the predicted *full-warp* sectors of its accesses
(``CountRange.expected``: all lanes on, unknown pitches and offsets whole sectors), to 0.5 %; a
mean, since a row sums over the line's loads. Each group of a line is

* exact: equal; *strictly* exact if moreover each minimum equals its maximum
* least: equal to the mean of the minima instead: a range for what the source does not say (a row
  pitch's alignment, mostly), and the run was its best case. Not counted as exact
* within: between the least minimum and the greatest maximum, but not the expected mean
* open: the analysis gives no number (unknown index), or has no access of that size and kind there
* absent: the analysis has no access on the line at all: the compiler moved one there
* outside: beyond the range: the analysis is wrong, or the compiler merged or moved the access.

A line is as bad as its worst group; *varies* marks a line whose measured mean per request is not
whole, so that no single number could be exact. Shapes: only block shapes that the source gives
(``Launch.assumed`` false) count as known.

Limits: nvcc's vectorised, split or merged accesses have another size or another share in the sum
and show as open, within or outside.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import IntEnum

from msgspec import Struct

from drano.model.access import Access
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import CountRange, Pattern
from rodinia.measured.lines import AccessesByLine, Place, base_name
from rodinia.measured.truth import HardwareRow

TOLERANCE = 0.005
Shape = tuple[int, int, int]


class Match(IntEnum):
    """How a prediction compares, best first (the order is used)."""

    STRICT = 0
    EXACT = 1
    LEAST = 2
    WITHIN = 3
    OPEN = 4
    ABSENT = 5
    OUTSIDE = 6


class Prediction(Struct, frozen=True):
    """Sectors per request of a group's accesses: the range, and the means of both ends."""

    least: int
    greatest: int
    mean_least: float
    mean_expected: float


class Group(Struct, frozen=True):
    """One comparison. ``measured``: sectors per request; ``accesses``: ours, maybe none;
    ``predicted``: None when open or absent.
    """

    kernel: str
    kind: str
    bytes: int
    block: Shape
    measured: float
    accesses: tuple[Access, ...]
    predicted: Prediction | None
    match: Match


class SectorLine(Struct, frozen=True):
    """All comparisons of one line, at least one."""

    place: Place
    groups: tuple[Group, ...]

    @property
    def match(self) -> Match:
        """The worst of its groups."""
        return max(group.match for group in self.groups)

    @property
    def varies(self) -> bool:
        """Some group of one access had a mean that is no whole number."""
        return any(
            len(group.accesses) == 1 and not _same(group.measured, round(group.measured))
            for group in self.groups
        )


def compare_sectors(
    rows: Iterable[HardwareRow], accesses: AccessesByLine
) -> tuple[SectorLine, ...]:
    """The comparable lines of ``rows`` (global loads and stores), in order."""
    grouped: dict[Place, dict[tuple[str, str, int, Shape], list[HardwareRow]]] = {}
    for row in rows:
        key = (row.kernel, row.kind, row.bytes, row.block)
        place = Place(row.file, row.line)
        grouped.setdefault(place, defaultdict(list)).setdefault(key, []).append(row)
    lines: list[SectorLine] = []
    for place in sorted(grouped):
        ours = accesses.get(place, ())
        groups = tuple(_groups(grouped[place], ours))
        if groups:
            lines.append(SectorLine(place, groups))
    return tuple(lines)


def _groups(
    rows: Mapping[tuple[str, str, int, Shape], list[HardwareRow]], ours: tuple[Access, ...]
) -> Iterable[Group]:
    for (kernel, kind, size, block), members in rows.items():
        of_kernel = [a for a in ours if base_name(a.kernel) == kernel]
        if of_kernel and not any(_known(access, block) for access in of_kernel):
            continue  # the source does not give this block shape
        matching = tuple(
            a for a in of_kernel if _known(a, block) and a.kind == kind and a.bytes == size
        )
        measured = _per_request(members, block, matching)
        if measured is None:
            continue
        predicted = _predicted(matching)
        match = _judge(measured, predicted) if ours else Match.ABSENT
        yield Group(kernel, kind, size, block, measured, matching, predicted, match)


def _known(access: Access, block: Shape) -> bool:
    launch = access.launch
    return launch is not None and not launch.assumed and launch.block == block


def _per_request(
    rows: list[HardwareRow], block: Shape, accesses: tuple[Access, ...]
) -> float | None:
    """Mean measured sectors of a request with active lanes; None where not comparable."""
    threads = sum(row.thread_insts for row in rows)
    warps = sum(row.warp_insts for row in rows)
    sectors = sum(row.sectors for row in rows)
    if not threads or not warps:
        return None
    full = full_warp(block)
    if full and threads == full * warps:
        return sectors / warps
    active = {_active(access) for access in accesses}
    if len(active) != 1:
        return None
    lanes = active.pop()
    asked = sum(row.tags for row in rows)
    if lanes and asked and all(a.judgement.pattern is Pattern.UNIFORM for a in accesses):
        return sectors / asked
    if not lanes or threads % lanes or threads // lanes > warps:
        return None
    return sectors * lanes / threads


def full_warp(block: Shape) -> int | None:
    """Lanes on in every warp of a block when nothing is guarded; None where warps differ."""
    threads = math.prod(block)
    if threads < WARP_SIZE:
        return threads
    return WARP_SIZE if threads % WARP_SIZE == 0 else None


def _active(access: Access) -> int:
    """Number of lanes that are surely on, 0 where that is not known."""
    sectors = access.judgement.sectors
    if sectors is None or sectors.minimum != sectors.maximum:
        return 0
    return sum(offset is not None for offset in access.judgement.lanes)


def _predicted(accesses: tuple[Access, ...]) -> Prediction | None:
    counts = [access.judgement.sectors for access in accesses]
    known = [count for count in counts if count is not None]
    if not known or len(known) < len(counts):
        return None
    return Prediction(
        least=min(count.minimum for count in known),
        greatest=max(count.maximum for count in known),
        mean_least=sum(count.minimum for count in known) / len(known),
        mean_expected=sum(_expected(count) for count in known) / len(known),
    )


def _judge(measured: float, predicted: Prediction | None) -> Match:
    if predicted is None:
        return Match.OPEN
    if _same(measured, predicted.mean_expected):
        strict = predicted.mean_least == predicted.mean_expected
        return Match.STRICT if strict else Match.EXACT
    if _same(measured, predicted.mean_least):
        return Match.LEAST
    low, high = predicted.least * (1 - TOLERANCE), predicted.greatest * (1 + TOLERANCE)
    return Match.WITHIN if low <= measured <= high else Match.OUTSIDE


def _same(measured: float, expected: float) -> bool:
    return abs(measured - expected) <= TOLERANCE * expected


def _expected(count: CountRange) -> float:
    return count.maximum if count.expected is None else count.expected
