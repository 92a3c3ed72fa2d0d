"""Units that one warp's request touches, from where its lanes are.

Lanes lie at known distances in groups, and groups at unknown ones; where lanes are cut into
segments at places that are not known, all ways to cut are counted. Equal warps are counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.lanes import Array
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES
from drano.traffic.lane_groups import Cloud
from drano.traffic.segments import Cuts, count_cut, in_any_phase
from drano.traffic.windows import Part, windows


class Width(NamedTuple):
    """Bytes of one lane's access, and what its address is a multiple of, or the hardware faults."""

    size: int
    natural: int


def most_of_lane(width: Width) -> int:
    """Sectors that one lane may touch; one that is not aligned to its size may straddle two."""
    size, natural = width
    return max(1, -(-size // SECTOR_BYTES)) * (1 if natural == size else 2)


class RowCount(Struct, frozen=True):
    """One warp: (least, most, typical least, typical most) sectors and lines; ``uniform``: one
    address for all lanes; ``starts``: runs of lanes that skip no sector; ``placed``: sectors where
    these start at the best places, but for those that a far break may cost.
    """

    sectors: tuple[int, int, int, int]
    lines: tuple[int, int, int, int]
    groups: int
    uniform: bool
    starts: int
    placed: int


Residues: TypeAlias = tuple[tuple[int, Congruence], ...]
_RowKey: TypeAlias = tuple[bytes, int, Width, tuple[int, int, int] | None, bool]
# Warps of one block cost the same mostly, and so do those of kernels that are instances of one.
_rows_memo: dict[_RowKey, RowCount] = {}
_numbers: dict[Residues, int] = {}
_ROWS_LIMIT = 1 << 13
_FAR: Final = np.iinfo(np.int64).max


def numbered(residues: Residues) -> int:
    """One number for equal residues of all groups of lanes; cheaper to hash than these."""
    if len(_numbers) >= _ROWS_LIMIT:
        _numbers.clear()
        _rows_memo.clear()
    return _numbers.setdefault(residues, len(_numbers))


def count_warp(
    warp: Warp,
    clouds: Sequence[Cloud],
    residues: dict[int, Congruence],
    located: int,
    row: int,
    row_key: bytes,
    on: np.ndarray,
    width: Width,
    cuts: Cuts | None,
    inner: Sequence[Array],
    *,
    likely: bool,
) -> RowCount:
    """What warp ``row`` touches with the lanes that are ``on``. ``located``: the number of the
    residues; ``row_key``: its own of ``keys_of_rows``; ``inner``: what lanes add in each phase of a
    segment. ``likely``: the typical most is what most starts of the lanes cost, for what the worst
    does.
    """
    breaks = None if cuts is None else (cuts.most, cuts.typical, cuts.far)
    key = (row_key, located, width, breaks, likely)
    found = _rows_memo.get(key)
    if found is None:
        found = _count_row(clouds, residues, row, on, width, likely=likely)
        if cuts is not None:
            ranks = warp.space.array(cuts.ranks)[row]
            phases = tuple(part[row] for part in inner)
            found = _count_segments(found, clouds, residues, row, on, width, cuts, ranks, phases)
        if len(_rows_memo) >= _ROWS_LIMIT:
            _rows_memo.clear()
        _rows_memo[key] = found
    return found


def keys_of_rows(
    warp: Warp,
    clouds: Sequence[Cloud],
    active: np.ndarray,
    cuts: Cuts | None,
    inner: Sequence[Array],
) -> list[bytes]:
    """Equal for warps that cost the same: their offsets differ by whole lines."""
    firsts = [np.where(active, c.offsets, _FAR).min(axis=1, keepdims=True) for c in clouds]
    shift = reduce(np.minimum, firsts) // LINE_BYTES * LINE_BYTES
    parts: list[np.ndarray] = [] if cuts is None else [warp.space.array(cuts.ranks)]
    for cloud in clouds:
        parts += [np.where(active, cloud.offsets - shift, 0), np.where(active, cloud.groups, 0)]
    parts += [np.where(active, part, 0) for part in inner]
    rows = np.hstack([active, *parts])
    return [row.tobytes() for row in rows]


def _count_row(
    clouds: Sequence[Cloud],
    residues: dict[int, Congruence],
    row: int,
    on: np.ndarray,
    width: Width,
    *,
    likely: bool,
) -> RowCount:
    parts: dict[int, list[Array]] = {}
    for cloud in clouds:
        groups = cloud.groups[row]
        for group in dict.fromkeys(groups[on].tolist()):
            chosen = on & (groups == group)
            parts.setdefault(group, []).append(cloud.offsets[row][chosen])
    sectors = _row(parts, residues, width, SECTOR_BYTES, likely=likely)
    one = len(parts) == 1 and sectors[3] <= 1
    return RowCount(
        sectors,
        _row(parts, residues, width, LINE_BYTES, likely=likely),
        len(parts),
        one and all(bool((o == o[0]).all()) for p in parts.values() for o in p),
        sum(_runs(np.concatenate(offsets)) for offsets in parts.values()),
        sectors[2],
    )


def _count_segments(
    whole: RowCount,
    clouds: Sequence[Cloud],
    residues: dict[int, Congruence],
    row: int,
    on: np.ndarray,
    width: Width,
    cuts: Cuts,
    ranks: np.ndarray,
    inner: Sequence[Array],
) -> RowCount:
    """One warp whose lanes are cut into segments at unknown distances. ``inner``: what lanes add in
    each phase of a segment.
    """
    values, places = np.unique(ranks[on], return_inverse=True)
    if len(values) < 2:
        return whole
    order = np.argsort(places.reshape(-1), kind="stable")
    place = places.reshape(-1)[order]
    sectors, lines = [], []
    for added in inner or (0,):
        parts: list[Part] = []
        for cloud in clouds:
            lanes = cloud.offsets[row] + added
            groups, offsets = cloud.groups[row][on][order], lanes[on][order]
            for group in dict.fromkeys(groups.tolist()):
                mine = groups == group
                phases = _phases(offsets[mine], residues[group], width)
                parts.append(Part(place[mine], offsets[mine], phases))
        sectors.append(windows(parts, len(values), width.size, SECTOR_BYTES))
        lines.append(windows(parts, len(values), width.size, LINE_BYTES))
    of_sectors, placed = count_cut(in_any_phase(sectors), cuts)
    of_lines, _ = count_cut(in_any_phase(lines), cuts)
    groups = whole.groups if cuts.far == cuts.typical else 1
    placed = max(placed - cuts.far, whole.placed)  # there may be no break at all
    starts = whole.starts + cuts.typical + cuts.far
    return RowCount(of_sectors, of_lines, groups, False, starts, placed)


def _phases(offsets: Array, residue: Congruence, width: Width) -> tuple[int, ...]:
    """What offset 0 may be within a line."""
    step = gcd(residue.modulus, LINE_BYTES) if residue.modulus else LINE_BYTES
    phases = range(residue.residue % step, LINE_BYTES, step)
    if width.natural > 1 and step < width.natural:
        # an access is aligned, or the hardware faults
        first = int(offsets.min())
        good = tuple(p for p in phases if (p + first) % width.natural == 0)
        return good or tuple(phases)
    return tuple(phases)


def _runs(offsets: Array) -> int:
    """How many runs these elements make in which each is a sector from the next at the most."""
    return 1 + int((np.diff(np.sort(offsets)) > SECTOR_BYTES).sum())


def _row(
    parts: dict[int, list[Array]],
    residues: dict[int, Congruence],
    width: Width,
    unit: int,
    *,
    likely: bool,
) -> tuple[int, int, int, int]:
    """(least, most, typical least, typical most) units of one warp."""
    low = high = least = usual = 0
    for group, offsets in parts.items():
        data = np.unique(np.concatenate(offsets)) if len(offsets) > 1 else offsets[0]
        few, many, mostly = _units(data, residues[group], width, unit)
        low, high, least, usual = low + few, high + many, max(least, few), usual + mostly
    return least, high, low, usual if likely else high


_units_memo: dict[tuple[bytes, int, int, Width, int], tuple[int, int, int]] = {}
_MEMO_LIMIT = 1 << 16


def _units(offsets: Array, residue: Congruence, width: Width, unit: int) -> tuple[int, int, int]:
    """Least and most units over every residue that the common base may have, and their mean in
    whole units: a run of 8 bytes crosses a sector's boundary at few starts, one of 30 at most.
    """
    step = gcd(residue.modulus, LINE_BYTES) if residue.modulus else LINE_BYTES
    start = residue.residue % step if residue.modulus else residue.residue % LINE_BYTES
    relative = offsets - offsets.min()
    first = (start + int(offsets.min())) % step if residue.modulus else (
        start + int(offsets.min())
    ) % LINE_BYTES  # fmt: skip
    size, natural = width
    key = (relative.tobytes(), step, first, width, unit)
    found = _units_memo.get(key)
    if found is not None:
        return found
    phases = list(range(first, LINE_BYTES, step))
    if natural > 1 and step < natural:
        # an access is aligned, or the hardware faults
        good = [p for p in phases if p % natural == 0]
        phases = good or phases
    counts = []
    for phase in phases:
        start_units = (relative + phase) // unit
        if natural == size and size <= unit and bool(((relative + phase) % size == 0).all()):
            counts.append(len(np.unique(start_units)))
            continue
        pieces = [(relative + phase + k) // unit for k in (*range(0, size, unit), size - 1)]
        counts.append(len(np.unique(np.concatenate(pieces))))
    result = (min(counts), max(counts), int(sum(counts) / len(counts) + 0.5))
    if len(_units_memo) > _MEMO_LIMIT:
        _units_memo.clear()
    _units_memo[key] = result
    return result
