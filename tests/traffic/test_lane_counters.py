"""Counters of each lane's own: when lanes whose counts differ cannot meet."""

from __future__ import annotations

import numpy as np
import pytest

from drano.lattice import Cause, Congruence, Form, LaneSpace, Predicate, Shape
from drano.lattice.warp.domain import Warp
from drano.traffic.lane_counters import in_step
from drano.traffic.transactions import count as counted


def queue(warp: Warp, step: int, limit: int, size: int = 16) -> Form:
    """Addresses of ``queue[count * step + lane]``, counts up to a limit."""
    count = warp.atom(
        "count", 64, "count", Cause.LOOP, varying=True, bounds=(-limit, limit),
        residue=Congruence(step, 0),
    )  # fmt: skip
    lanes = warp.lanes(warp.space.intern(np.arange(64).reshape(2, 32)), 64)
    return warp.scale(warp.add(count, lanes), size)


@pytest.mark.parametrize(
    ("step", "limit", "apart"),
    [
        (64, 1 << 31, True),
        (96, 1 << 31, True),
        (64, (1 << 63) - 1, True),  # 2**64 is a multiple of the steps
        (96, (1 << 63) - 1, False),  # a count that wraps around may lead between others
        (32, 1 << 31, False),  # the last lane, and the first one of the next step, share a line
        (1, 1 << 31, False),
    ],
)
def test_lanes_lie_lines_apart(step: int, limit: int, apart: bool) -> None:
    warp = Warp(LaneSpace(2))
    together = in_step(warp, queue(warp, step, limit), 8)
    assert (together is not None) is apart
    assert together is None or not together.terms


@pytest.mark.parametrize("counts", [[0] * 32, [1, 0] * 16, list(range(32))])
def test_typical_counts_are_of_equal_counters(counts: list[int]) -> None:
    warp = Warp(LaneSpace(1))
    count = warp.atom(
        "count", 64, "count", Cause.LOOP, varying=True, bounds=(0, 1 << 20),
        residue=Congruence(4096, 1),
    )  # fmt: skip
    address = warp.add(count, warp.lanes(warp.space.intern(np.arange(32)), 64))
    traffic = counted(warp, address, 1, Predicate(1, Shape.EXACT, "all"))
    lanes = np.arange(32) + 1 + 4096 * np.array(counts)
    touched = len(set(lanes // 32))
    assert not traffic.unknown
    assert traffic.sectors.least <= touched <= traffic.sectors.most
    assert (touched == traffic.sectors.typical_most) is (len(set(counts)) == 1)
    assert touched >= traffic.sectors.typical_least == traffic.sectors.typical_most
