"""Every operation of the warp domain gives the bits that the machine would, in every world."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.lattice import (
    Cause,
    Congruence,
    Form,
    Predicate,
    Shape,
    signed_range,
)
from drano.lattice.warp import operations as ops
from drano.lattice.warp.substitution import substitute
from tests.lattice.warp.laws import KEY, forbid, laws, overflow
from tests.lattice.warp.test_choices import COMPARISONS, compared
from tests.lattice.worlds import (
    SHAPE,
    WIDTHS,
    World,
    divided,
    operands,
    predicates,
    signed,
    unsigned,
    vectors,
    worlds,
)


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
@given(worlds, st.data())
@laws
def test_ring_operations(name: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    nsw, nuw = data.draw(st.booleans()), data.draw(st.booleans())
    x, y = world.sum(a), world.sum(b)
    operation = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[name]
    for read, reading in (("s", signed), ("u", unsigned)):
        exact = operation(reading(x, bits), reading(y, bits))
        overflow(world, exact, bits, nsw, nuw, read)
    result = getattr(world.warp, name)(a, b, nsw=nsw, nuw=nuw)
    world.check_form(result, operation(x, y), bits)


@given(worlds, st.data())
@laws
def test_scale_and_neg(world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    (a,) = operands(data.draw, world, bits, 1)
    factor = data.draw(vectors(world))
    world.check_form(world.warp.scale(a, factor), world.sum(a) * world.array(factor), bits)
    world.check_form(world.warp.neg(a), -world.sum(a), bits)


@given(worlds, st.data())
@laws
def test_split_warp_parts_sum_up(world: World, data: st.DataObject) -> None:
    (a,) = operands(data.draw, world, 32, 1)
    uniform, rest = world.warp.split_warp(a)
    assert world.warp.is_uniform(uniform)
    assert (world.sum(uniform) + world.sum(rest) == world.sum(a)).all()
    world.check_form(uniform, world.sum(uniform), 32)


@given(worlds, st.data())
@laws
def test_exact_readings(world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    (a,) = operands(data.draw, world, bits, 1)
    for form, reading in (
        (world.warp.as_signed(a), signed), (world.warp.as_unsigned(a), unsigned)
    ):  # fmt: skip
        if form is not None:
            assert (world.sum(form) == reading(world.sum(a), bits)).all()
            world.check_form(form, world.sum(a), bits)


@given(worlds, st.data())
@laws
def test_congruence_of_uniform_terms(world: World, data: st.DataObject) -> None:
    (a,) = operands(data.draw, world, 32, 1)
    uniform, _ = world.warp.split_warp(a)
    known = world.warp.congruence(uniform.terms)
    value = world.sum(uniform) - world.array(uniform.const)
    if known.modulus == 0:
        assert (value == known.residue).all()
    else:
        assert ((value - known.residue) % known.modulus == 0).all()


@given(worlds, st.data(), st.sampled_from((1, 2, 3, 4, 7, 8, 12, 24, 32, 100, 1 << 20)))
@laws
def test_floordiv_is_of_the_integer(world: World, data: st.DataObject, divisor: int) -> None:
    bits = data.draw(st.sampled_from((16, 32, 64)))
    (a,) = operands(data.draw, world, bits, 1)
    result = ops.floordiv(world.warp, a, divisor)
    world.check_form(result, world.sum(a) // divisor, bits)


@pytest.mark.parametrize("name", ["sdiv", "udiv", "srem", "urem"])
@given(worlds, st.data())
@laws
def test_division(name: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    if data.draw(st.integers(0, 3)):
        divisor = data.draw(
            st.sampled_from(
                (1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 64, 100, -1, -2, -8, 128, 250)
            )
        )
        b = world.warp.constant(divisor, bits)
    y = world.bits(b)
    forbid(world, (y == 0).astype(bool))
    if name[0] == "s":
        lowest = signed_range(bits)[0]
        forbid(
            world,
            ((signed(y, bits) == -1) & (signed(world.sum(a), bits) == lowest)).astype(bool),
        )
    function = ops.divide if name.endswith("div") else ops.remainder
    result = function(world.warp, a, b, name[0] == "s")
    world.check_form(result, divided(name, world.sum(a), world.sum(b), bits), bits)


@pytest.mark.parametrize("name", ["shl", "lshr", "ashr"])
@given(worlds, st.data())
@laws
def test_shifts(name: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    kind = data.draw(st.integers(0, 3))
    if kind:
        b = world.warp.constant(data.draw(st.integers(0, bits - 1)), bits)
    nsw, nuw = data.draw(st.booleans()), data.draw(st.booleans())
    by = world.bits(b)
    forbid(world, (by >= bits).astype(bool))
    by = np.where(by >= bits, 0, by)
    x, ux = signed(world.sum(a), bits), world.bits(a)
    if name == "shl":
        overflow(world, x * 2**by, bits, nsw, nuw, "s")
        overflow(world, ux * 2**by, bits, nsw, nuw, "u")
        expected = x * 2**by
        result = ops.shift_left(world.warp, a, b, nsw=nsw, nuw=nuw, key=KEY)
    else:
        expected = x // 2**by if name == "ashr" else ux // 2**by
        result = ops.shift_right(world.warp, a, b, signed=name == "ashr", key=KEY)
    world.explain(KEY, expected, bits)
    world.check_form(result, expected, bits)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@given(worlds, st.data())
@laws
def test_bitwise(name: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    if data.draw(st.booleans()):
        b = world.warp.constant(
            data.draw(
                st.sampled_from((0, 1, 3, 7, 15, 16, 24, 28, 31, 96, -1, -2, -8, -32, 5, 128))
            ),
            bits,
        )
    x, y = world.bits(a), world.bits(b)
    expected = {"and": x & y, "or": x | y, "xor": x ^ y}[name]
    result = ops.bitwise(world.warp, name, a, b, key=KEY)
    world.explain(KEY, expected, bits)
    world.check_form(result, expected, bits)


@given(worlds, st.data())
@laws
def test_truncate(world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from((16, 32, 64)))
    target = data.draw(st.sampled_from([w for w in WIDTHS if w < bits]))
    (a,) = operands(data.draw, world, bits, 1)
    world.check_form(ops.truncate(world.warp, a, target), world.sum(a), target)


@pytest.mark.parametrize("kind", ["sext", "zext"])
@given(worlds, st.data())
@laws
def test_extend(kind: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from((8, 16, 32)))
    (a,) = operands(data.draw, world, bits, 1)
    target = data.draw(st.sampled_from([w for w in WIDTHS if w > bits]))
    reading = signed if kind == "sext" else unsigned
    result = ops.extend(world.warp, a, target, signed=kind == "sext")
    world.check_form(result, reading(world.sum(a), bits), target)


@given(worlds, st.data())
@laws
def test_lanes_that_are_whole_steps_apart(world: World, data: st.DataObject) -> None:
    """``(n + 4 * lane) / 4`` of numbers with any sign, that may wrap around."""
    warp, bits = world.warp, data.draw(st.sampled_from((8, 32)))
    divisor = data.draw(st.integers(2, 9))
    apart = data.draw(st.integers(-3, 3)) * divisor
    lanes = warp.space.intern(apart * np.arange(32) + np.zeros((SHAPE[1], 1), dtype=int))
    near = data.draw(st.sampled_from((40, 2 ** (bits - 1) - 1)))
    start = world.fresh("n", bits, (-near - 1, near), Congruence(1, 0), varying=False)
    a, by = warp.add(start, warp.lanes(lanes, bits)), warp.constant(divisor, bits)
    row = data.draw(st.sampled_from((8, 16, 32)))
    if row < 32:  # (y * m + n + 4 * lane) / 4, in blocks of several rows
        rows = warp.space.intern(np.arange(32) // row + np.zeros((SHAPE[1], 1), dtype=int))
        length = world.fresh("m", bits, (-near - 1, near), Congruence(1, 0), varying=False)
        a = warp.add(a, warp.mul(warp.lanes(rows, bits), length))
    for name, function in (("sdiv", ops.divide), ("srem", ops.remainder)):
        found = function(warp, a, by, True)
        world.check_form(found, divided(name, world.sum(a), world.sum(by), bits), bits)


@given(worlds, st.data())
@laws
def test_parts_of_rows(world: World, data: st.DataObject) -> None:
    """Which columns several bounds choose, by a quotient of the column and by a condition."""
    warp = world.warp
    lanes = warp.space.intern(np.arange(SHAPE[1] * 32).reshape(SHAPE[1], 32))
    n, first, last = (
        world.fresh(name, 32, (least, 60), Congruence(1, 0), varying=False)
        for name, least in (("n", 1), ("first", 0), ("last", 0))
    )
    column = ops.remainder(warp, warp.lanes(lanes, 32), n, data.draw(st.booleans()))
    part = ops.divide(warp, column, warp.constant(data.draw(st.integers(2, 5)), 32), False)
    p = world.condition("p", 2, Shape.UNIFORM)
    conditions = [(p, world._truths["p"])]
    for name, value, bound in (("below", column, last), ("from", part, first)):
        relation = data.draw(st.sampled_from(COMPARISONS))
        truth = compared(relation, world.sum(value), world.sum(bound), 32)
        conditions.append((ops.compare(warp, relation, value, bound, name), truth))
    for number, (claim, truth) in enumerate(data.draw(st.permutations(conditions))):
        world.check_truth(claim, truth)
        if number == 0:
            found, expected = claim, truth
        elif data.draw(st.booleans()):
            found = ops.conjunction(warp, found, claim, number)
            expected = expected & truth
        else:
            found = ops.disjunction(warp, found, claim, number)
            expected = expected | truth
        if data.draw(st.booleans()):
            found, expected = ops.negated(warp, found), ~expected
        world.check_truth(found, expected)


@given(worlds, st.data())
@laws
def test_substitute(world: World, data: st.DataObject) -> None:
    """Fixing an atom to a value agrees with every world in which it has that value."""
    a, b = operands(data.draw, world, 32, 2)
    p = data.draw(predicates(world, "p"))
    truth = world._truths["p"]
    number = ops.choice(world.warp, p, 32)
    if not number.terms:
        return
    mixed = world.warp.add(a, world.warp.mul(number, b))
    atom = number.terms[0][0][0]
    for value in (0, 1):
        fixed = substitute(world.warp, mixed, atom, value)
        there = truth == bool(value)
        assert (world.sum(fixed) == world.sum(mixed))[there].all()


@given(worlds, st.data())
@laws
def test_equal_forms_under_one_key_stay_equal(world: World, data: st.DataObject) -> None:
    """``x / n * n + x % n`` is ``x`` again where both are followed exactly."""
    (a,) = operands(data.draw, world, 32, 1)
    divisor = world.warp.constant(data.draw(st.sampled_from((3, 8, 24))), 32)
    quotient = ops.divide(world.warp, a, divisor, True)
    rest = ops.remainder(world.warp, a, divisor, True)
    again = world.warp.add(world.warp.mul(quotient, divisor), rest)
    world.check_form(again, world.sum(a), 32)


@given(worlds, st.data(), st.sampled_from((2, 3, 24, 256)))
@laws
def test_congruence_of_what_remainders_leave(
    world: World, data: st.DataObject, divisor: int
) -> None:
    (a,) = operands(data.draw, world, 32, 1)
    a, _ = world.warp.split_warp(a)
    by = world.warp.constant(divisor, 32)
    rest = ops.remainder(world.warp, a, by, data.draw(st.booleans()))
    exact = divided("srem", world.sum(a), world.sum(by), 32)
    world.explain(("srem", a, by), exact, 32)
    left = world.warp.sub(world.warp.scale(a, data.draw(st.integers(-3, 3))), rest)
    known = world.warp.congruence([*left.terms, ((), left.const)])
    away = world.sum(left) - known.residue
    assert (away % known.modulus == 0 if known.modulus else away == 0).all()


@pytest.mark.parametrize("is_signed", [True, False])
def test_what_a_remainder_is_taken_from_is_a_multiple(is_signed: bool) -> None:
    world = World(np.random.default_rng(1))
    warp = world.warp
    n = world.fresh("n", 32, signed_range(32), Congruence(1, 0), varying=False)
    size = warp.constant(256, 32)
    rest = ops.remainder(warp, n, size, is_signed)
    down = warp.sub(n, rest)
    assert warp.congruence([*down.terms, ((), down.const)]) == Congruence(256, 0)
    whole = ops.compare(warp, "eq", rest, warp.constant(0, 32), KEY)
    up = ops.select(warp, whole, n, warp.add(down, size))
    assert warp.congruence([*up.terms, ((), up.const)]) == Congruence(256, 0)
    assert warp.congruence(warp.sub(n, warp.scale(rest, 3)).terms) == Congruence(2, 0)


def test_xor_of_uniform_and_lane_patterns_is_not_uniform() -> None:
    world = World(np.random.default_rng(1))
    lanes = world.warp.space.intern((np.arange(32) < 16).astype(int))
    exact = Predicate(lanes, Shape.EXACT, "lanes")
    unknown = Predicate(2, Shape.UNIFORM, "n")
    assert not world.warp.is_uniform(ops.exclusive(world.warp, unknown, exact, KEY))


def test_division_by_a_large_number_is_quick() -> None:
    """Phases are not tried one by one."""
    world = World(np.random.default_rng(1))
    base = world.fresh("x", 64, (0, 1 << 40), Congruence(32, 0), varying=False)
    lanes = world.warp.lanes(world.warp.space.intern(np.arange(32)), 64)
    total = world.warp.add(base, lanes)
    quotient = ops.floordiv(world.warp, total, 1 << 36)
    assert isinstance(quotient, Form)
    assert world.warp.is_uniform(quotient)


def test_a_quotient_of_multiples_and_an_unknown_number() -> None:
    world = World(np.random.default_rng(1))
    warp = world.warp
    lane = warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64)), 32)
    start = warp.atom("u", 32, "u", Cause.PARAMETER, varying=False, bounds=(0, 1 << 20))
    half = ops.floordiv(warp, warp.add(warp.scale(lane, 2), start), 2)
    assert warp.is_uniform(warp.sub(half, lane))


def test_names_do_not_grow_with_arithmetic() -> None:
    """Numbers of many words, as cryptography computes: each word is made of those before."""
    world = World(np.random.default_rng(1), 1)
    warp = world.warp
    a, b = (
        world.fresh(name, 64, (0, 1 << 40), Congruence(1, 0), varying=False) for name in ("a", "b")
    )
    for _ in range(60):
        a, b = ops.divide(warp, warp.add(a, b), warp.constant(3, 64), signed=False), a
    assert max(len(atom.name) for atom in warp.atoms) < 300
