"""Sectors or lines of every window of a warp's lanes, taken in some order.

``few[i, j]`` and ``many[i, j]`` are for the lanes from place ``i`` to before place ``j``, where
each part of the warp at an unknown distance from others starts at the best and at the worst place
that it may start at; ``least`` where all parts coincide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from drano.lattice.warp.lanes import Array

_MEMO_LIMIT = 1 << 12
_memo: dict[tuple[bytes, tuple[int, ...], int, int], tuple[Array, Array]] = {}


@dataclass(frozen=True, slots=True)
class Part:
    """Lanes at known distances: their ``places`` in the order, rising; their offsets in bytes; the
    ``phases`` that offset 0 may have within a line.
    """

    places: Array
    offsets: Array
    phases: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Windows:
    """See the module's text; arrays of ``(places + 1, places + 1)``."""

    least: Array
    few: Array
    many: Array


def windows(parts: Iterable[Part], places: int, size: int, unit: int) -> Windows:
    """Counts of ``unit`` bytes for elements of ``size``, of all windows of so many places."""
    shape = (places + 1, places + 1)
    least, few, many = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    ends = np.arange(places + 1)
    for part in parts:
        low, high = _of_part(part, size, unit)
        first = np.searchsorted(part.places, ends)[:, None]
        last = np.searchsorted(part.places, ends)[None, :] - 1
        inside = last >= first
        at = np.minimum(first, len(part.places) - 1), np.maximum(last, 0)
        fewest = np.where(inside, low[at], 0)
        least = np.maximum(least, fewest)
        few = few + fewest
        many = many + np.where(inside, high[at], 0)
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
        for a in range(lanes):
            seen: set[int] = set()
            for b in range(a, lanes):
                seen.update(range(starts[b], ends[b] + 1))
                low[a, b] = min(low[a, b], len(seen))
                high[a, b] = max(high[a, b], len(seen))
    if len(_memo) >= _MEMO_LIMIT:
        _memo.clear()
    _memo[key] = low, high
    return low, high
