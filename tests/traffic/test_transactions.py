"""Counts of lines and sectors against counting them address by address."""

from __future__ import annotations

import operator
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from drano.lattice import Cause, Congruence, Form, LaneOverflowError, Predicate, Shape, high, low
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.level_sets import each_set
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES
from drano.traffic.lane_groups import taken_apart
from drano.traffic.tallies import Traffic
from drano.traffic.transactions import count
from tests.lattice.worlds import (
    SHAPE,
    WARPS,
    Exact,
    Truth,
    World,
    predicates,
    signed,
    vectors,
    worlds,
)

EXAMPLES = int(os.environ.get("DRANO_LAW_EXAMPLES", "25"))
laws = settings(
    max_examples=5 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck)
)  # fmt: skip
_RELATIONS = {
    "slt": operator.lt, "sgt": operator.gt, "sle": operator.le, "sge": operator.ge,
    "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
SIZES = (1, 2, 4, 8, 16, 12)


def index(draw: st.DrawFn, world: World, size: int) -> Form:
    """Byte offsets as programs compute them."""
    warp = world.warp
    total = warp.scale(warp.lanes(draw(vectors(world)), 64), size)
    if draw(st.booleans()):
        modulus = draw(st.sampled_from((1, 2, 8, 32, 64)))
        start = world.fresh(
            "start", 64, (0, 1 << 20), Congruence(modulus, draw(st.integers(0, modulus - 1))),
            varying=False,
        )  # fmt: skip
        total = warp.add(total, warp.scale(start, size))
    if draw(st.integers(0, 2)) == 0:
        modulus = draw(st.sampled_from((1, 1, 32)))
        stride = world.fresh("stride", 64, (0, 1 << 12), Congruence(modulus, 0), varying=False)
        total = warp.add(total, warp.scale(warp.mul(stride, stretched(draw, world)), size))
    return total


def stretched(draw: st.DrawFn, world: World) -> Form:
    return world.warp.lanes(draw(vectors(world)), 64)


def chosen(draw: st.DrawFn, world: World, total: Form, size: int) -> Form:
    """One pattern or another, per lane or for the whole warp."""
    p = draw(predicates(world, "choice"))
    other = world.warp.scale(stretched(draw, world), size)
    beside = other if draw(st.booleans()) else world.warp.add(total, other)
    return ops.select(world.warp, p, total, beside)


def guessed(draw: st.DrawFn, world: World, total: Form, size: int) -> Form:
    """Plus something that each lane has of its own; at times, so many steps of one length."""
    limit = draw(st.sampled_from((0, 1, 3, 31, 1 << 20)))
    step = draw(st.sampled_from((1, 32, 64, 160, 1 << 12))) if limit > 31 else 1
    residue = Congruence(step, draw(st.integers(0, step - 1)))
    own = world.fresh("own", 64, (0, limit), residue, varying=True)
    return world.warp.add(total, world.warp.scale(own, size))


def wrapping(draw: st.DrawFn, world: World, size: int) -> Form:
    """A narrow index that may wrap around before it is extended."""
    bits = draw(st.sampled_from((8, 16, 32)))
    low = -(1 << (bits - 1))
    start = world.fresh("narrow", bits, (low, -low - 1), Congruence(1, 0), varying=False)
    lanes = world.warp.lanes(draw(vectors(world)), bits)
    narrow = world.warp.add(world.warp.scale(start, draw(st.sampled_from((1, 2, 3)))), lanes)
    wide = ops.extend(world.warp, narrow, 64, signed=draw(st.booleans()))
    return world.warp.scale(wide, size)


def held(draw: st.DrawFn, world: World, size: int) -> Form:
    """An index that ``min`` and ``max`` hold within an array, or that starts again behind it."""
    warp, bits = world.warp, draw(st.sampled_from((16, 32, 64)))
    reach = draw(st.sampled_from((40, 1 << (bits - 2), (1 << (bits - 1)) - 1)))
    start = world.fresh("first", bits, (-reach, reach), Congruence(1, 0), varying=False)
    index = warp.add(start, warp.lanes(draw(vectors(world)), bits))
    for number in range(draw(st.integers(1, 3))):
        end = world.fresh(f"end{number}", bits, (-reach, reach), Congruence(1, 0), varying=False)
        limit = draw(st.sampled_from((warp.constant(0, bits), end)))
        beyond = draw(st.sampled_from(("slt", "sgt", "sle", "sge", "eq", "ne")))
        p = ops.compare(warp, beyond, index, limit, ("beyond", number))
        a, b = (signed(world.bits(side), bits) for side in (index, limit))
        world.learn(p, _RELATIONS[beyond](a, b))
        instead = (limit, limit, warp.sub(index, limit), warp.sub(limit, index))
        index = ops.select(warp, p, draw(st.sampled_from(instead)), index)
    return warp.scale(ops.extend(warp, index, 64, signed=True), size)


@st.composite
def addresses(draw: st.DrawFn, world: World, size: int) -> Form:
    kind = draw(st.sampled_from(("plain", "held", "chosen", "guessed", "wrapping", "both")))
    total = wrapping(draw, world, size) if kind in {"wrapping", "both"} else None
    total = held(draw, world, size) if kind == "held" else total
    if total is None or kind == "both":
        more = index(draw, world, size)
        total = more if total is None else world.warp.add(total, more)
    if kind == "chosen" or (kind == "wrapping" and draw(st.booleans())):
        total = chosen(draw, world, total, size)
    if kind == "guessed":
        total = guessed(draw, world, total, size)
    alignment = draw(st.sampled_from((256, 128, 32, 16)))
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(alignment, 0), varying=False)
    return world.warp.add(base, total)


@st.composite
def masks(draw: st.DrawFn, world: World) -> tuple[Predicate, Truth]:
    """Active lanes, and those that are on in each valuation."""
    kind = draw(st.integers(0, 3))
    if kind < 2:
        return Predicate(1, Shape.EXACT, "all"), np.ones(SHAPE, dtype=np.bool_)
    mask = draw(predicates(world, "mask"))
    truth = world._truths["mask"]
    if kind == 2:
        return mask, truth
    numbers = draw(vectors(world))
    bounds = (low(numbers), high(numbers) + 1)
    shared = world.fresh("shared", 32, bounds, Congruence(1, 0), varying=False)
    same = ops.compare(world.warp, "eq", world.warp.lanes(numbers, 32), shared, "same")
    at = world.warp.space.array(numbers) == world.sum(shared)
    if draw(st.booleans()):
        return same, at
    return ops.conjunction(world.warp, same, mask, "both"), at & truth


def touched(address: Exact, size: int, on: Truth, unit: int) -> np.ndarray:
    """Number of different units under the bytes of the active lanes, per valuation and warp."""
    first = (address % (1 << 64) // unit).astype(object)
    last = ((address + size - 1) % (1 << 64) // unit).astype(object)
    found = np.zeros(SHAPE[:2], dtype=np.int64)
    for at in np.ndindex(SHAPE[:2]):
        units = [u for u, active in zip(first[at], on[at], strict=True) if active]
        units += [u for u, active in zip(last[at], on[at], strict=True) if active]
        found[at] = len(set(units))
    return found


@given(worlds, st.data())
@laws
def test_counts_hold_in_every_world(world: World, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from(SIZES))
    try:
        address = data.draw(addresses(world, size))
        mask, on = data.draw(masks(world))
        assume(world.warp.space.array(mask.lanes).any())
        traffic = count(world.warp, address, size, mask)
        value = world.sum(address)
    except LaneOverflowError:
        return
    natural = size & -size
    aligned = ~((value % natural != 0) & on).any(axis=2) & on.any(axis=2)
    for tally, unit in ((traffic.sectors, SECTOR_BYTES), (traffic.lines, LINE_BYTES)):
        actual = touched(value, size, on, unit)[aligned]
        assert (actual >= tally.least).all(), (tally, actual.min())
        assert (actual <= tally.most).all(), (tally, actual.max())
    _check_ideal(world, traffic, size, mask)
    sectors = touched(value, size, on, SECTOR_BYTES)
    own = bool(taken_apart(world.warp, address).unknown)
    _check_whole_blocks(world, traffic, sectors, aligned, mask, on, own=own)


def _check_ideal(world: World, traffic: Traffic, size: int, mask: Predicate) -> None:
    if traffic.by_set:
        mask = each_set(world.warp, mask)[-1]
    lanes = (world.warp.space.array(mask.lanes) != 0).sum(axis=1)
    assert traffic.ideal_total == sum(-(-int(n) * size // SECTOR_BYTES) for n in lanes)
    assert traffic.ideal_sectors == -(-int(lanes.max()) * size // SECTOR_BYTES)


def _check_whole_blocks(
    world: World,
    traffic: Traffic,
    sectors: np.ndarray,
    aligned: Truth,
    mask: Predicate,
    on: Truth,
    *,
    own: bool,
) -> None:
    """The typical counts are those of blocks whose lanes are all on; where lanes have counters of
    their ``own`` (``lane_counters``), those of counters that are the same, the least of all.
    """
    if traffic.unknown or traffic.by_set or traffic.groups > 1 or len(world.warp._by_key) > 3:
        return
    possible = world.warp.space.array(mask.lanes) != 0
    whole = (on == possible).all(axis=(1, 2)) & (aligned | ~possible.any(axis=1)).all(axis=1)
    total = sectors[whole].sum(axis=1)
    if any(atom.wrapped is not None or atom.predicate is not None for atom in world.warp.atoms):
        return
    assert (total >= traffic.sectors.typical_least).all()
    if own:
        return
    assert (total <= traffic.sectors.typical_most).all()
    if traffic.aligned and len(total):
        assert total.min() == total.max()


def test_known_patterns() -> None:
    """Figures of the CUDA programming guide's examples."""
    world = World(np.random.default_rng(1))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    lane = warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64)), 64)
    everyone = Predicate(1, Shape.EXACT, "all")
    cases = {  # (stride, offset, size): sectors, lines
        (4, 0, 4): (4, 1), (4, 4, 4): (5, 2), (4, 32, 4): (4, 2), (8, 0, 4): (8, 2),
        (128, 0, 4): (32, 32), (0, 12, 4): (1, 1), (16, 0, 16): (16, 4), (1, 0, 1): (1, 1),
        (12, 0, 12): (12, 3), (20, 0, 4): (20, 5), (-4, 124, 4): (4, 1),
    }  # fmt: skip
    for (stride, offset, size), (sectors, lines) in cases.items():
        place = warp.add(base, warp.add(warp.scale(lane, stride), warp.constant(offset, 64)))
        found = count(warp, place, size, everyone)
        assert (found.sectors.least, found.sectors.most) == (sectors, sectors), (stride, offset)
        assert (found.lines.least, found.lines.most) == (lines, lines), (stride, offset)
        assert found.ideal_total == WARPS * -(-32 * size // SECTOR_BYTES)


def test_lanes_choosing_between_scattered_and_shared_places() -> None:
    """A sector may serve all lanes but one of a pattern that needs two."""
    world = World(np.random.default_rng(2))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    first = warp.lanes(warp.space.intern(4096 * (np.arange(32) == 0)), 64)
    second = warp.lanes(warp.space.intern(4096 * (np.arange(32) != 0)), 64)
    p = Predicate(2, Shape.OTHER, "p")
    place = warp.add(base, ops.select(warp, p, first, second))
    assert count(warp, place, 4, Predicate(1, Shape.EXACT, "all")).sectors.least == 1


def test_lanes_of_which_some_add_a_wrap_around_lie_apart() -> None:
    """What wraps around takes them away from those that go on."""
    world = World(np.random.default_rng(4))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    start = world.fresh("start", 16, (-32768, 32767), Congruence(1, 0), varying=False)
    lane = warp.space.intern(np.arange(32))
    narrow = warp.add(warp.scale(start, 3), warp.lanes(lane, 16))
    wrapped = ops.extend(warp, narrow, 64, signed=True)
    straight = warp.add(warp.scale(warp.alone(start.terms[0][0][0]), 3), warp.lanes(lane, 64))
    even = np.arange(32) % 2 == 0
    on = np.ones(SHAPE, dtype=np.bool_)
    for lanes, shape in ((warp.space.intern(even), Shape.EXACT), (2, Shape.OTHER)):
        p = Predicate(lanes, shape, ("even", shape))
        world.learn(p, np.broadcast_to(even, SHAPE))
        place = warp.add(base, warp.scale(ops.select(warp, p, wrapped, straight), 4))
        most = count(warp, place, 4, Predicate(1, Shape.EXACT, "all")).sectors.most
        assert touched(world.sum(place), 4, on, SECTOR_BYTES).max() in range(8, most + 1)


def test_a_wrap_around_may_part_lanes_that_share_all_sectors_of_an_access() -> None:
    """Four lanes each have a place of 12 bytes, in two sectors, which both ways then have."""
    world = World(np.random.default_rng(0))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    start = world.fresh("start", 8, (64, 127), Congruence(1, 0), varying=False)
    lane = np.arange(32)
    narrow = warp.add(start, warp.lanes(warp.space.intern(3 * lane), 8))
    index = warp.scale(ops.extend(warp, narrow, 64, signed=True), 12)
    back = warp.lanes(warp.space.intern(108 + 288 * (lane // 4) - 36 * lane), 64)
    place = warp.add(warp.add(base, index), back)
    most = count(warp, place, 12, Predicate(1, Shape.EXACT, "all")).sectors.most
    on = np.ones(SHAPE, dtype=np.bool_)
    assert touched(world.sum(place), 12, on, SECTOR_BYTES).max() == 18 <= most


def test_what_is_learnt_of_an_atom_counts_the_next_time() -> None:
    """An address taken apart is remembered only as long as nothing changes."""
    world = World(np.random.default_rng(3))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    everyone = Predicate(1, Shape.EXACT, "all")

    def picked(most: int) -> Form:
        return warp.atom(
            "picked", 64, "picked", Cause.CHOICE, varying=True, bounds=(0, most), shape=Shape.OTHER
        )

    place = warp.add(base, warp.scale(picked(1), 4096))
    assert not count(warp, place, 4, everyone).unknown
    picked(5)
    assert [atom.name for atom in count(warp, place, 4, everyone).unknown] == ["picked"]


@pytest.mark.parametrize("columns", [4, 8, 12, 16])
@pytest.mark.parametrize("rows", [None, 3])
def test_lanes_that_share_a_column_are_counted_by_column(columns: int, rows: int | None) -> None:
    """``if (x == n)``, of the first rows only: every ``n``, against counting."""
    world = World(np.random.default_rng(1), valuations=columns)
    warp, at = world.warp, np.arange(64, dtype=np.int64).reshape(WARPS, 32)
    x, y = (warp.lanes(warp.space.intern(number), 32) for number in (at % columns, at // columns))
    column = world.fresh("column", 32, (0, columns - 1), Congruence(1, 0), varying=False)
    world.give(column, np.arange(columns, dtype=object).reshape(-1, 1, 1))
    mask, on = ops.compare(warp, "eq", x, column, "same"), at % columns == world.sum(column)
    if rows is not None:
        below = ops.compare(warp, "slt", y, warp.constant(rows, 32), "below")
        mask, on = ops.conjunction(warp, mask, below, "both"), on & (at // columns < rows)
    world.check_truth(mask, on)
    base = world.fresh("base", 64, (1, 1 << 50), Congruence(256, 0), varying=False)
    wide = ops.extend(warp, warp.add(warp.scale(y, 100), x), 64, signed=True)
    traffic = count(warp, warp.add(base, warp.scale(wide, 4)), 4, mask)
    assert traffic.by_set
    actual = touched(world.sum(base) + 4 * (at // columns * 100 + at % columns), 4, on, 32)
    actual = actual[actual > 0]
    assert traffic.sectors.least <= actual.min()
    assert actual.max() == traffic.sectors.most
