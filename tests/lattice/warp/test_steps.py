"""Numbers that runs of lanes have in common: their breaks are where the law says, exhaustively for
small divisors, ranges and widths; ``World.check_facts`` checks each atom's steps when it is met.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from drano.lattice import Cause, Congruence, Form, Predicate, Shape
from drano.lattice.warp import operations as ops
from drano.traffic.needs import AtLeast
from drano.traffic.tallies import Traffic
from drano.traffic.transactions import count
from tests.lattice.worlds import World, divided, signed

WIDE = 1 << 12


def world_of(
    values: Sequence[int], stride: int, bits: int = 32, low: int = 0, **sizes: tuple[int, int]
) -> tuple[World, Form, dict[str, Form]]:
    """``u + stride * lane``, one valuation for each ``u``, and uniform sizes within bounds."""
    world = World(np.random.default_rng(len(values) + stride), len(values))
    unknown = world.fresh("u", bits, (low, WIDE), Congruence(1, 0), varying=False)
    world.give(unknown, np.array(list(values), dtype=object).reshape(-1, 1, 1))
    lanes = np.arange(32, dtype=np.int64) * stride
    index = world.warp.add(unknown, world.warp.lanes(world.warp.space.intern(lanes), bits))
    made = {
        name: world.fresh(name, bits, bounds, Congruence(1, 0), varying=False)
        for name, bounds in sizes.items()
    }
    return world, index, made


def give(world: World, form: Form, value: int) -> None:
    world.give(form, np.full((1, 1, 1), value, dtype=object))


@pytest.mark.parametrize("name", ["sdiv", "udiv"])
@pytest.mark.parametrize("stride", [1, 4, 0, -1])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 31, 32, 33, 100])
def test_quotients_by_a_size(name: str, stride: int, size: int) -> None:
    for bounds in ((1, 2000), (-5, 2000)):
        world, index, sizes = world_of(range(128, 300, 5), stride, n=bounds)
        give(world, sizes["n"], size)
        signed = name == "sdiv"
        quotient = ops.divide(world.warp, index, sizes["n"], signed)
        total, by = world.sum(index), world.sum(sizes["n"])
        expected = divided(name, total, by, 32)
        world.check_form(quotient, expected, 32)
        rest = ops.remainder(world.warp, index, sizes["n"], signed)
        world.check_form(rest, total - expected * by, 32)
        whole = world.warp.add(world.warp.mul(quotient, sizes["n"]), rest)
        world.check_form(whole, total, 32)
        if stride > 0:
            assert whole == index  # (i / n) * n + i % n


@pytest.mark.parametrize("size", [-7, -1, -40, 5, 64])
def test_quotients_of_either_sign(size: int) -> None:
    world, index, sizes = world_of(range(-200, 60, 3), 1, low=-WIDE, n=(-50, 70))
    give(world, sizes["n"], size)
    quotient = ops.divide(world.warp, index, sizes["n"], signed=True)
    world.check_form(quotient, divided("sdiv", world.sum(index), world.sum(sizes["n"]), 32), 32)


@pytest.mark.parametrize("outer", [3, 20, 48, 64])
@pytest.mark.parametrize("inner", [1, 4, 20, 32])
def test_quotients_of_remainders_and_of_quotients(outer: int, inner: int) -> None:
    world, index, sizes = world_of(range(0, 200, 3), 1, n=(1, 100), m=(1, 100))
    give(world, sizes["n"], outer)
    give(world, sizes["m"], inner)
    total = world.sum(index)
    rest = ops.remainder(world.warp, index, sizes["n"], signed=True)
    world.check_form(
        ops.divide(world.warp, rest, sizes["m"], signed=True), total % outer // inner, 32
    )
    above = ops.divide(world.warp, index, sizes["n"], signed=True)
    world.check_form(
        ops.divide(world.warp, above, sizes["m"], signed=True), total // outer // inner, 32
    )


@pytest.mark.parametrize("n, m", [(3, 5), (32, 1), (24, 7), (64, 64), (1000, 3), (-40, 9)])
@pytest.mark.parametrize("divisor", [2, 8, 32, 5])
@pytest.mark.parametrize("stride", [8, 32, 1])
def test_known_parts_of_remainders(n: int, m: int, divisor: int, stride: int) -> None:
    """``i % (n * m) % n / 32``, whose sizes may wrap around, as programs write it."""
    wide = (-(1 << 31), (1 << 31) - 1)
    for bits, bounds in ((32, wide), (32, (1, 100)), (64, wide)):
        world, index, sizes = world_of(range(0, 400, 17), stride, bits, n=bounds, m=bounds)
        if not all(bounds[0] <= size <= bounds[1] for size in (n, m)):
            continue
        give(world, sizes["n"], n)
        give(world, sizes["m"], m)
        warp = world.warp
        volume, by = warp.mul(sizes["n"], sizes["m"]), warp.constant(divisor, bits)
        outer = ops.divide(warp, index, volume, True)
        rest = warp.sub(index, warp.mul(outer, volume))
        inner = ops.divide(warp, rest, sizes["n"], True)
        last = warp.sub(rest, warp.mul(inner, sizes["n"]))
        for left in (rest, last):
            quotient = ops.divide(warp, left, by, True)
            known = signed(world.sum(left), bits)
            world.check_form(quotient, divided("sdiv", known, world.bits(by), bits), bits)
            if stride % divisor == 0:
                lanes = warp.split_warp(quotient)[1].const
                assert warp.space.array(lanes)[0, 1] == stride // divisor


@pytest.mark.parametrize("name", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "uge"])
@pytest.mark.parametrize("size", [1, 3, 7, 20, 33, 64])
def test_guards_by_remainders_are_runs_between_breaks(name: str, size: int) -> None:
    """``i % n < c``, and ``i % n < i / n``: one threshold between two breaks, equal at one run, and
    what is left around that is two of them.
    """
    world, index, sizes = world_of(range(0, 200, 7), 1, n=(1, 100))
    give(world, sizes["n"], size)
    warp = world.warp
    rest = ops.remainder(warp, index, sizes["n"], True)
    others = [warp.constant(c, 32) for c in (0, 2, 15)]
    others += [ops.divide(warp, index, sizes["n"], True), warp.sub(sizes["n"], others[1])]
    cut = 0
    for number, other in enumerate(others):
        found = ops.compare(warp, name, rest, other, ("guard", number))
        if not found.cut:
            continue
        cut += 1
        x, y = world.sum(rest), world.sum(other)
        truth = {
            "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
        }[name if name in {"eq", "ne"} else name[1:]].astype(bool)  # fmt: skip
        if name[0] == "u" and (y < 0).any():
            continue
        atoms = [world.sum(warp.alone(n)) for n in sorted(found.cut)]
        whole = np.all([a[..., 1:] == a[..., :-1] for a in atoms], axis=0)
        turns = truth[..., 1:] != truth[..., :-1]
        most = 2 if name in {"eq", "ne"} else 1
        for there, on in zip(whole.reshape(-1, 31), turns.reshape(-1, 31), strict=True):
            segments = np.split(on, np.flatnonzero(~there))
            counts = [int((part if k == 0 else part[1:]).sum()) for k, part in enumerate(segments)]
            assert max(counts) <= most
    assert cut >= 2 if name != "ne" else not cut


def test_what_else_chooses_lanes_is_no_run() -> None:
    world, index, sizes = world_of(range(0, 200, 7), 1, n=(1, 100))
    rest = ops.remainder(world.warp, index, sizes["n"], True)
    guard = ops.compare(world.warp, "slt", rest, world.warp.constant(5, 32), "guard")
    assert guard.cut
    for shape, cut in ((Shape.OTHER, False), (Shape.DATA, False), (Shape.AFFINE, True)):
        other = Predicate(2, shape, "other")
        both = ops.conjunction(world.warp, guard, other, "both")
        assert bool(both.cut) is cut
        assert not ops.negated(world.warp, both).cut  # beyond one bound or another
        assert not ops.disjunction(world.warp, guard, other, "either").cut
        assert not ops.exclusive(world.warp, guard, other, "one").cut


@pytest.mark.parametrize("amount", [0, 1, 3, 5, 9])
@pytest.mark.parametrize("added", [True, False])
@pytest.mark.parametrize("magic", [1, 12345, 1 << 30, (1 << 32) - 1])
def test_divisions_by_multiplication(amount: int, added: bool, magic: int) -> None:
    world, index, sizes = world_of(range(0, 3000, 77), 1, m=(0, (1 << 32) - 1), k=(0, 31))
    give(world, sizes["m"], magic)
    give(world, sizes["k"], amount)
    warp = world.warp
    wide = [ops.extend(warp, form, 64, signed=False) for form in (index, sizes["m"])]
    high = ops.truncate(warp, ops.floordiv(warp, warp.mul(*wide), 1 << 32), 32)
    value = warp.add(high, index) if added else high
    found = ops.shift_right(warp, value, sizes["k"], signed=False, key="shift")
    total = world.sum(index)
    expected = ((total * magic >> 32) + (total if added else 0)) >> amount
    world.check_form(found, expected, 32)


@pytest.mark.parametrize("bits", [3, 4, 5])
def test_indices_that_wrap_around(bits: int) -> None:
    for first in range(1 << bits):
        for size in range(1, 1 << (bits - 1)):
            world = World(np.random.default_rng(0), 1)
            unknown = world.fresh("u", bits, (0, 1 << bits), Congruence(1, 0), varying=False)
            by = world.fresh("n", bits, (1, 1 << (bits - 1)), Congruence(1, 0), varying=False)
            give(world, unknown, first)
            give(world, by, size)
            lanes = world.warp.lanes(world.warp.space.intern(np.arange(32)), bits)
            index = world.warp.add(unknown, lanes)
            found = ops.divide(world.warp, index, by, signed=False)
            expected = divided("udiv", world.sum(index), world.sum(by), bits)
            world.check_form(found, expected, bits)


def counted(world: World, index: Form, size: int = 4) -> Traffic:
    warp = world.warp
    base = warp.atom(
        "base", 64, "a", Cause.POINTER, varying=False, bounds=(1, 1 << 62),
        residue=Congruence(256, 0),
    )  # fmt: skip
    address = warp.add(base, warp.scale(ops.extend(warp, index, 64, signed=True), size))
    return count(warp, address, size, Predicate(1, Shape.EXACT, "all"))


def test_precision_of_coordinates() -> None:
    world, index, sizes = world_of([0], 1, n=(1, 2000), s=(0, 2000))
    warp = world.warp
    row = ops.divide(warp, index, sizes["n"], signed=True)
    column = ops.remainder(warp, index, sizes["n"], signed=True)
    plain = counted(world, warp.add(warp.mul(row, sizes["n"]), column))
    assert (plain.sectors.typical_most, plain.needs) == (10, ())  # of two warps
    strided = counted(world, warp.add(warp.mul(row, sizes["s"]), column))
    assert strided.tidy
    assert [need.least for need in strided.needs if isinstance(need, AtLeast)] == [32]
    assert strided.sectors.most == 32  # of rows of one element
    turned = counted(world, warp.add(warp.mul(column, sizes["s"]), row))
    assert turned.sectors.typical_least == 64
    assert turned.sectors.least == 1
    gathered = counted(world, row)
    assert gathered.sectors.most == 5
    assert not gathered.needs


def test_near_breaks_decide_nothing() -> None:
    """``i % 3 * s + i / 3``: three runs of eleven, which lie side by side in memory."""
    world, index, sizes = world_of([0], 1, s=(0, 2000))
    warp = world.warp
    three = warp.constant(3, 32)
    row, column = (f(warp, index, three, signed=True) for f in (ops.divide, ops.remainder))
    found = counted(world, warp.add(warp.mul(column, sizes["s"]), row))
    assert found.sectors.typical_least < 16
