"""What phases decide: quotients and remainders by small numbers, held against each start."""

from __future__ import annotations

import numpy as np
import pytest

from drano.lattice import Cause, Congruence, Form, Predicate, Shape
from drano.lattice.warp import masks
from drano.lattice.warp import operations as ops
from drano.lattice.warp.forms import Phased
from drano.traffic.banks import Request, count_wavefronts
from drano.traffic.transactions import count
from tests.lattice.worlds import World

STARTS = range(0, 131, 3)
ALL = Predicate(1, Shape.EXACT, "all")


def indices(stride: int = 1) -> tuple[World, Form]:
    """``u + stride * lane``, one valuation for each ``u``."""
    world = World(np.random.default_rng(stride), len(STARTS))
    start = world.fresh("u", 32, (0, 4096), Congruence(1, 0), varying=False)
    world.give(start, np.array(list(STARTS), dtype=object).reshape(-1, 1, 1))
    lanes = world.warp.space.intern(np.arange(32, dtype=np.int64) * stride)
    return world, world.warp.add(start, world.warp.lanes(lanes, 32))


def known(number: int, world: World) -> Form:
    return world.warp.constant(number, 32)


@pytest.mark.parametrize("stride", [1, 2, 5])
@pytest.mark.parametrize("size", [3, 4, 8, 12, 16, 64])
def test_lanes_and_conditions_in_each_phase(size: int, stride: int) -> None:
    world, index = indices(stride)
    total = world.sum(index)
    rest = ops.remainder(world.warp, index, known(size, world), signed=False)
    world.check_form(rest, total % size, 32)
    quotient = ops.divide(world.warp, index, known(size, world), signed=False)
    world.check_form(quotient, total // size, 32)
    for name, truth in (("eq", total % size == 1), ("ult", total % size < 2)):
        claim = ops.compare(world.warp, name, rest, known(1 + (name == "ult"), world), name)
        assert claim.phased is not None
        world.check_truth(claim, truth)
        world.check_truth(ops.negated(world.warp, claim), ~truth)
        other = ops.compare(world.warp, "eq", rest, known(0, world), "zero")
        joint = ops.conjunction(world.warp, claim, ops.negated(world.warp, other), "joint")
        assert joint.phased is not None
        world.check_truth(joint, truth & (total % size != 0))
        flag = ops.choice(world.warp, claim, 32)
        world.learn(claim, truth)
        world.check_form(flag, truth.astype(object), 32)


@pytest.mark.parametrize(("size", "sectors"), [(4, 1), (8, 1), (16, 2), (32, 4)])
def test_sectors_of_a_ring(size: int, sectors: int) -> None:
    world, index = indices()
    rest = ops.remainder(world.warp, index, known(size, world), signed=False)
    traffic = count(world.warp, world.warp.scale(_wide(world, rest), 4), 4, ALL)
    assert (traffic.sectors.least, traffic.sectors.most) == (sectors, sectors)


def test_sectors_of_turns() -> None:
    world, index = indices()
    rest = ops.remainder(world.warp, index, known(4, world), signed=False)
    turn = ops.compare(world.warp, "eq", rest, known(0, world), "turn")
    mask = masks.refine(world.warp, ALL, turn)
    assert mask is not None
    lanes = world.warp.lanes(world.warp.space.intern(np.arange(32) * 4), 64)
    traffic = count(world.warp, lanes, 4, mask)
    assert traffic.by_phase
    assert (traffic.sectors.least, traffic.sectors.most, traffic.ideal_sectors) == (4, 4, 1)


@pytest.mark.parametrize("size", [8, 32, 64])
def test_banks_of_turned_rows(size: int) -> None:
    """``s[32 * lane + (u + lane) % 32]``, and its like: a swizzle."""
    world, index = indices()
    turned = _wide(world, ops.remainder(world.warp, index, known(size, world), signed=False))
    rows = world.warp.lanes(world.warp.space.intern(np.arange(32) * 32), 64)
    address = world.warp.scale(world.warp.add(rows, turned), 4)
    found = count_wavefronts(world.warp, address, 4, ALL, Request.LOAD)
    assert found is not None
    assert found.exact
    assert found.most == max(32 // size, 1)


def test_banks_of_rows_turned_by_bits() -> None:
    """``s[32 * row + ((lane ^ u) & 31)]``: lanes change places."""
    world, index = indices(0)
    lane = world.warp.lanes(world.warp.space.intern(np.arange(32)), 32)
    turned = ops.bitwise(world.warp, "xor", lane, index, key="xor")
    low = ops.bitwise(world.warp, "and", turned, known(31, world), key="and")
    world.check_form(low, (world.sum(lane) ^ world.sum(index)) % 32, 32)
    address = world.warp.scale(_wide(world, low), 4)
    found = count_wavefronts(world.warp, address, 4, ALL, Request.STORE)
    assert found is not None
    assert (found.least, found.most) == (1, 1)


def test_phases_of_one_sum_are_one() -> None:
    """``(u + lane) & 4`` is made of what it leaves by 8 and by 4."""
    world, index = indices()
    bit = ops.bitwise(world.warp, "and", index, known(4, world), key="bit")
    world.check_form(bit, world.sum(index) & 4, 32)
    claim = ops.compare(world.warp, "eq", bit, known(0, world), "claim")
    assert claim.phased is not None
    assert len(claim.phased.lanes) == 8
    world.check_truth(claim, world.sum(index) & 4 == 0)


def test_other_ideals_are_not_mixed() -> None:
    """Two lanes in one phase, one in the others: no one ratio holds for all."""
    world, index = indices()
    rest = ops.remainder(world.warp, index, known(31, world), signed=False)
    turn = ops.compare(world.warp, "eq", rest, known(0, world), "turn")
    lanes = world.warp.lanes(world.warp.space.intern(np.arange(32) * 64), 64)
    traffic = count(world.warp, lanes, 32, turn)
    assert not traffic.by_phase
    assert traffic.sectors.most >= 2


@pytest.mark.parametrize("cause", [Cause.PARAMETER, Cause.MEMORY])
def test_warps_in_phases_of_their_own(cause: Cause) -> None:
    """All warps know a parameter; of what each may have loaded, any mixture is counted."""
    world = World(np.random.default_rng(1), 1)
    start = world.warp.atom("u", 32, "u", cause, varying=False, bounds=(0, 4096))
    threads = world.warp.space.intern(np.arange(64).reshape(2, 32))
    index = world.warp.add(start, world.warp.lanes(threads, 32))
    rest = ops.remainder(world.warp, index, known(48, world), signed=False)
    traffic = count(world.warp, world.warp.scale(_wide(world, rest), 4), 4, ALL)
    assert traffic.by_phase
    most = max(_in_warp(first, 48) for first in range(48))
    assert traffic.sectors.most == most
    together = max(_in_warp(first, 48) + _in_warp(first + 32, 48) for first in range(48))
    assert traffic.sectors.typical_most == (together if cause is Cause.PARAMETER else 2 * most)


def _in_warp(first: int, size: int) -> int:
    """Sectors of 32 floats at places that begin again after ``size``."""
    return len({(first + lane) % size // 8 for lane in range(32)})


def test_facts_that_change_are_forgotten() -> None:
    world, index = indices()
    ops.remainder(world.warp, index, known(4, world), signed=False)
    (atom,) = (a for a in world.warp.atoms if a.phased is not None)
    key = world.warp.keys()[atom.number]
    world.warp.atom(key, 32, atom.name, Cause.NONLINEAR, varying=True, bounds=(atom.lo, atom.hi))
    assert atom.phased is None


def _wide(world: World, value: Form) -> Form:
    return ops.extend(world.warp, value, 64, signed=False)


def test_a_phase_that_is_given_up_is_given_up_once() -> None:
    """A clock that went on would keep an analysis from ending."""
    world, index = indices()
    ops.remainder(world.warp, index, known(4, world), signed=False)
    warp = world.warp
    phased = next(atom.phased for atom in warp.atoms if atom.phased is not None)

    def merge(of: Phased | None) -> int:
        warp.atom(
            "merged", 32, "merged value", Cause.CHOICE, varying=True, bounds=(0, 3), phased=of
        )
        return warp.version

    first = merge(phased)
    assert merge(phased) == first
    given_up = merge(None)
    assert given_up > first
    assert merge(phased) == given_up
