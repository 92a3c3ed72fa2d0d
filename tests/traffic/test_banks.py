"""Wavefronts against a model that serves lane after lane, against hardware, and in every world."""

from __future__ import annotations

import csv
import doctest
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from drano.lattice import LaneOverflowError, Predicate, Shape
from drano.lattice.warp.operations import extend
from drano.traffic import banks
from drano.traffic.banks import Request, count_wavefronts, phases, wavefronts
from tests.lattice.worlds import World, worlds
from tests.traffic.test_transactions import addresses, masks

MEASURED = Path(__file__).parent.parent / "data" / "shared_wavefronts.csv"
EXAMPLES = int(os.environ.get("DRANO_LAW_EXAMPLES", "25"))
laws = settings(
    max_examples=4 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck)
)  # fmt: skip
ALL = Predicate(1, Shape.EXACT, "all")


def served(addresses: list[int | None], size: int, kind: Request) -> int:
    """Serve one wavefront after the other: each takes one word of each bank, for all its lanes."""
    on = [lane for lane, address in enumerate(addresses) if address is not None]
    parts = {8: 2, 16: 4}.get(size, 1)
    if parts > 1 and kind is Request.LOAD:
        for other in (1, 2):
            if all(addresses[i ^ other] in {None, addresses[i]} for i in on):
                parts //= 2
                break
    total = 0
    for part in range(parts):
        waiting = [
            (lane, (address + byte) // 4)
            for lane in on
            if lane * parts // 32 == part and (address := addresses[lane]) is not None
            for byte in range(0, size, 4)
        ]
        if kind is not Request.ATOMIC:
            waiting = [(0, word) for word in dict.fromkeys(word for _, word in waiting)]
        while waiting:
            taken = {word % 32: (lane, word) for lane, word in waiting}
            waiting = [w for w in waiting if w not in taken.values()]
            total += 1
    return total


patterns = st.lists(
    st.one_of(st.none(), st.integers(0, 3), st.integers(0, 300), st.sampled_from((32, 64, 96))),
    min_size=32, max_size=32,
)  # fmt: skip
kinds = st.sampled_from(list(Request))
sizes = st.sampled_from((1, 2, 4, 8, 16))


@given(patterns, sizes, kinds)
@laws
def test_agrees_with_serving_lane_after_lane(
    elements: list[int | None], size: int, kind: Request
) -> None:
    places = [None if e is None else e * size for e in elements]
    assert wavefronts(places, size, kind) == served(places, size, kind)


@pytest.mark.parametrize("kind", list(Request))
@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_every_stride_agrees_with_serving_lane_after_lane(size: int, kind: Request) -> None:
    for stride in range(65):
        for active in (32, 16, 13):
            for together in (1, 2, 4):
                places = [
                    lane // together * stride * size if lane < active else None
                    for lane in range(32)
                ]
                assert wavefronts(places, size, kind) == served(places, size, kind)


def test_agrees_with_what_an_h200_counts() -> None:
    with MEASURED.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 960
    for row in rows:
        size = int(row["bytes"])
        places = [None if e == "-" else int(e) * size for e in row["elements"].split()]
        assert wavefronts(places, size, Request(row["kind"])) == int(row["wavefronts"]), row


@given(patterns, sizes, kinds, st.integers(0, 31))
@laws
def test_a_lane_less_never_costs_more(
    elements: list[int | None], size: int, kind: Request, lane: int
) -> None:
    places = [None if e is None else e * size for e in elements]
    fewer = [*places[:lane], None, *places[lane + 1 :]]
    assert wavefronts(fewer, size, kind) <= wavefronts(places, size, kind)


@given(worlds, st.data())
@laws
def test_counts_hold_in_every_world(world: World, data: st.DataObject) -> None:
    size = data.draw(sizes)
    kind = data.draw(kinds)
    try:
        address = data.draw(addresses(world, size))
        mask, on = data.draw(masks(world))
        assume(world.warp.space.array(mask.lanes).any())
        found = count_wavefronts(world.warp, address, size, mask, kind)
        value = world.sum(address)
    except LaneOverflowError:
        return
    assert found is not None
    for at in np.ndindex(value.shape[:2]):
        lanes = [
            int(v) % (1 << 64) if active else None
            for v, active in zip(value[at], on[at], strict=True)
        ]
        here = [a for a in lanes if a is not None]
        if not here or any(a % size for a in here) or max(here) - min(here) > 1 << 20:
            continue  # no request, or none that shared memory could answer
        most = served(lanes, size, kind)
        least = served(lanes, size, Request.STORE) if kind is Request.ATOMIC else most
        assert found.least <= least <= most <= found.most, (found, lanes)
        assert phases(on[at], size) <= size


def test_known_patterns() -> None:
    world = World(np.random.default_rng(1))
    warp = world.warp
    lane = warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64)), 64)
    pitch = world.fresh("pitch", 64, (1, 1 << 10), banks.Congruence(1, 0), varying=False)
    cases = {  # (stride, size): wavefronts, ideal
        (4, 4): (1, 1), (8, 4): (2, 1), (128, 4): (32, 1), (132, 4): (1, 1), (0, 4): (1, 1),
        (1, 1): (1, 1), (64, 1): (16, 1), (8, 8): (2, 2), (16, 8): (4, 2), (16, 16): (4, 4),
        (32, 16): (8, 4), (6, 2): (2, 1),
    }  # fmt: skip
    for (stride, size), expected in cases.items():
        found = count_wavefronts(warp, warp.scale(lane, stride), size, ALL, Request.STORE)
        assert found is not None
        assert found.exact
        assert (found.most, found.ideal) == expected, (stride, size)
    unknown = count_wavefronts(warp, warp.scale(warp.mul(lane, pitch), 4), 4, ALL, Request.LOAD)
    assert unknown is not None
    assert not unknown.exact
    assert (unknown.least, unknown.most) == (1, 32)
    assert count_wavefronts(warp, lane, 12, ALL, Request.LOAD) is None


@pytest.mark.parametrize(("bits", "most"), [(8, 13), (16, 32), (32, 1)])
def test_a_wrap_around_parts_lanes_into_the_same_banks(bits: int, most: int) -> None:
    """``s[(short)(n + lane) - (lane & 1)]``: two lanes share a word, unless the sum wraps around
    between them: then they have two words of one bank. With 32 bits one of them is not in shared
    memory; with 8 the most is what the words from the least to the greatest allow.
    """
    world = World(np.random.default_rng(1))
    warp = world.warp
    bounds = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    n = world.fresh("n", bits, bounds, banks.Congruence(1, 0), varying=False)
    lane = np.arange(32, dtype=np.int64)
    index = extend(warp, warp.add(n, warp.lanes(warp.space.intern(lane), bits)), 64, signed=True)
    odd = warp.lanes(warp.space.intern(-2 * (lane & 1)), 64)
    found = count_wavefronts(warp, warp.add(warp.scale(index, 2), odd), 2, ALL, Request.LOAD)
    assert found is not None
    assert (found.least, found.most) == (1, most)
    half = 1 << (bits - 1)
    places = [2 * ((half - 1 + k + half) % (2 * half) - half) - 2 * (k & 1) for k in range(32)]
    assert wavefronts(places, 2) == 2  # n is the greatest there is


def test_doctests() -> None:
    assert doctest.testmod(banks).failed == 0
