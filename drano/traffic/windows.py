"""Sectors or lines of every window of a warp's lanes, taken in some order.

``few[i, j]`` and ``many[i, j]`` are for the lanes from place ``i`` to before place ``j``, where
each part of the warp at an unknown distance from others starts at the best and at the worst place
that it may start at; ``least`` where all parts coincide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice.warp.lanes import Array

_MEMO_LIMIT = 1 << 12
_WINDOWS_LIMIT = 1 << 9  # of 26 KB each
_memo: dict[tuple[bytes, tuple[int, ...], int, int], tuple[Array, Array]] = {}

_Lanes: TypeAlias = tuple[bytes, bytes, tuple[int, ...]]


class Part(Struct, frozen=True):
    """Lanes at known distances: their ``places`` in the order, rising; their offsets in bytes; the
    ``phases`` that offset 0 may have within a line.
    """

    places: Array
    offsets: Array
    phases: tuple[int, ...]


class Windows(Struct, frozen=True):
    """See the module's text; arrays of ``(places + 1, places + 1)``."""

    least: Array
    few: Array
    many: Array


# Kernels of a unit, and their block shapes, ask for the same ones again and again.
_windows_memo: dict[tuple[tuple[_Lanes, ...], int, int, int], Windows] = {}


def windows(parts: Iterable[Part], places: int, size: int, unit: int) -> Windows:
    """Counts of ``unit`` bytes for elements of ``size``, of all windows of so many places."""
    parts = tuple(parts)
    lanes = tuple((p.places.tobytes(), p.offsets.tobytes(), p.phases) for p in parts)
    key = (lanes, places, size, unit)
    found = _windows_memo.get(key)
    if found is None:
        if len(_windows_memo) >= _WINDOWS_LIMIT:
            _windows_memo.clear()
        found = _windows_memo[key] = _windows(parts, places, size, unit)
    return found


def _windows(parts: Sequence[Part], places: int, size: int, unit: int) -> Windows:
    shape = (places + 1, places + 1)
    least, few, many = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    ends = np.arange(places + 1)
    for part in parts:
        low, high = _of_part(part, size, unit)
        before = np.searchsorted(part.places, ends)
        first, last = before[:, None], before[None, :] - 1
        inside = last >= first
        at = np.minimum(first, len(part.places) - 1), np.maximum(last, 0)
        fewest = np.where(inside, low[at], 0)
        np.maximum(least, fewest, out=least)
        few += fewest
        many += np.where(inside, high[at], 0)
    return Windows(least, few, many)


def _of_part(part: Part, size: int, unit: int) -> tuple[Array, Array]:
    """Least and most over all phases, from one lane to another, both included."""
    key = (part.offsets.tobytes(), part.phases, size, unit)
    found = _memo.get(key)
    if found is not None:
        return found
    lanes = len(part.offsets)
    low = np.full((lanes, lanes), np.iinfo(np.int64).max)
    high = np.zeros((lanes, lanes), dtype=np.int64)
    seen_before: set[tuple[int, ...]] = set()
    for phase in part.phases:
        starts = ((part.offsets + phase) // unit).tolist()
        ends = ((part.offsets + phase + size - 1) // unit).tolist()
        pattern = tuple(n - starts[0] for n in (*starts, *ends))
        if pattern in seen_before:
            continue
        seen_before.add(pattern)
        counts = _distinct(starts, ends)
        np.minimum(low, counts, out=low)
        np.maximum(high, counts, out=high)
    if len(_memo) >= _MEMO_LIMIT:
        _memo.clear()
    _memo[key] = low, high
    return low, high


def _distinct(starts: Sequence[int], ends: Sequence[int]) -> Array:
    """How many units lanes touch from one lane to another, both included: ``starts[0]`` to
    ``ends[0]`` and so on; 0 where the one is behind the other.

    A unit counts with the first lane of a window that touches it: where no lane before that one
    does, back to the window's start.
    """
    lanes = len(starts)
    width = max(end - start for start, end in zip(starts, ends, strict=True)) + 1
    before = np.full((lanes, width), lanes)  # of what a lane does not touch, no window's first
    touched: dict[int, int] = {}
    for lane in range(lanes):
        for at, place in enumerate(range(starts[lane], ends[lane] + 1)):
            before[lane, at] = touched.get(place, -1)
            touched[place] = lane
    windows_start = np.arange(lanes)[:, None]
    new = (before[None, :, :] < windows_start[:, :, None]).sum(axis=2)
    new[np.arange(lanes)[None, :] < windows_start] = 0
    return np.cumsum(new, axis=1)
