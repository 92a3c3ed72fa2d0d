"""Requests whose lanes lie as the bits of a uniform number say, against all such numbers."""

from __future__ import annotations

import numpy as np
import pytest

from drano.lattice import Cause, Congruence, Form, Predicate, Shape, Warp
from drano.lattice.warp import operations as ops
from drano.lattice.warp.lanes import LaneSpace
from drano.model.hardware import SECTOR_BYTES
from drano.traffic.banks import Request, count_wavefronts, wavefronts
from drano.traffic.needs import MultipleOf
from drano.traffic.tallies import Traffic
from drano.traffic.transactions import count

LANE = np.arange(32)


def warp_of() -> tuple[Warp, Form]:
    """One warp, and the numbers of its lanes."""
    warp = Warp(LaneSpace(1))
    return warp, warp.lanes(warp.space.intern(LANE[None, :]), 32)


def counted(warp: Warp, index: Form, size: int) -> Traffic:
    """Traffic of ``size`` bytes at ``index`` elements behind an aligned array's start."""
    base = warp.atom(
        "base", 64, "a", Cause.POINTER, varying=False, bounds=(1, 1 << 62),
        residue=Congruence(256, 0),
    )  # fmt: skip
    address = warp.add(base, warp.scale(ops.extend(warp, index, 64, signed=True), size))
    return count(warp, address, size, Predicate(1, Shape.EXACT, "all"))


def sectors(offsets: np.ndarray) -> int:
    """Of the elements at these offsets, none of which straddles a border."""
    return len(np.unique(offsets // SECTOR_BYTES))


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("less", [0, 1])
def test_every_number_is_within_the_bounds(name: str, factor: int, size: int, less: int) -> None:
    warp, lane = warp_of()
    number = warp.atom("n", 32, "n", Cause.PARAMETER, varying=False, bounds=(1, 1 << 20))
    other = warp.sub(number, warp.constant(less, 32))
    index = ops.bitwise(warp, name, warp.scale(lane, factor), other, key="key")
    total = warp.add(warp.scale(lane, 4), index)
    traffic = counted(warp, total, size)
    function = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[name]
    costs = {
        value: sectors((4 * LANE + function(factor * LANE, value - less)) * size)
        for value in range(1, 200)
    }
    assert traffic.sectors.least <= min(costs.values())
    assert traffic.sectors.most >= max(costs.values())
    for need in traffic.needs:
        assert isinstance(need, MultipleOf)
        assert warp.describe(need.form) == ("n" if less else "n + 1")
    met = [
        cost
        for value, cost in costs.items()
        if all(
            (value + need.form.const) % need.modulus == 0
            for need in traffic.needs
            if isinstance(need, MultipleOf) and isinstance(need.form.const, int)
        )
    ]
    assert met
    assert all(
        traffic.sectors.typical_least <= cost <= traffic.sectors.typical_most for cost in met
    )


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("factor", [1, 2, 33])
@pytest.mark.parametrize("size", [4, 8, 16])
@pytest.mark.parametrize("kind", list(Request))
def test_every_number_is_within_the_bounds_of_banks(
    name: str, factor: int, size: int, kind: Request
) -> None:
    warp, lane = warp_of()
    number = warp.atom("n", 32, "n", Cause.PARAMETER, varying=False, bounds=(1, 1 << 20))
    index = ops.bitwise(warp, name, warp.scale(lane, factor), number, key="key")
    array = warp.atom(
        "base", 64, "a", Cause.POINTER, varying=False, bounds=(256, 1 << 20),
        residue=Congruence(256, 0),
    )  # fmt: skip
    address = warp.add(array, warp.scale(ops.extend(warp, index, 64, signed=True), size))
    found = count_wavefronts(warp, address, size, Predicate(1, Shape.EXACT, "all"), kind)
    assert found is not None
    function = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[name]
    costs = [
        wavefronts((function(factor * LANE, value) * size).tolist(), size, kind)
        for value in range(1, 2100, 3)
    ]
    assert found.least <= min(costs)
    assert found.most >= max(costs)


def test_bounds_are_attained() -> None:
    warp, lane = warp_of()
    number = warp.atom("n", 32, "n", Cause.PARAMETER, varying=False, bounds=(1, 1 << 20))
    masked = ops.bitwise(warp, "and", lane, warp.sub(number, warp.constant(1, 32)), key="key")
    half = counted(warp, warp.sub(warp.scale(lane, 2), masked), 4)
    assert (half.sectors.typical_least, half.sectors.typical_most) == (4, 4)
    assert (half.sectors.most, half.sectors.least) == (8, 3)
    swapped = counted(warp, ops.bitwise(warp, "xor", lane, number, key="key"), 4)
    assert (swapped.sectors.least, swapped.sectors.most, swapped.needs) == (4, 4, ())
