"""Every operation of the warp domain gives the bits that the machine would, in every world."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import wraps

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drano.lattice import (
    Cause,
    Congruence,
    Form,
    LaneOverflowError,
    Predicate,
    Shape,
    signed_range,
    unsigned_range,
)
from drano.lattice.warp import operations as ops
from drano.lattice.warp.substitution import substitute
from tests.lattice.worlds import (
    SHAPE,
    WIDTHS,
    Exact,
    Truth,
    World,
    divided,
    operands,
    predicates,
    signed,
    unsigned,
    vectors,
    worlds,
)

KEY = ("result", 0)
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
EXAMPLES = int(os.environ.get("DRANO_LAW_EXAMPLES", "25"))


def laws(test: Callable[..., None]) -> Callable[..., None]:
    """Settings; an operation may give up (``LaneOverflowError``), never be wrong."""

    @wraps(test)
    def total(*args: object, **kwargs: object) -> None:
        with suppress(LaneOverflowError):
            test(*args, **kwargs)

    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))(
        total
    )


def forbid(world: World, where: Truth) -> None:
    """Undefined behaviour: these warps do not count."""
    world.rows = world.rows & ~where.any(axis=2)


def overflow(world: World, exact: Exact, bits: int, nsw: bool, nuw: bool, read: str) -> None:
    """Drop the warps whose exact result leaves the range that the flags promise."""
    limits = signed_range(bits) if read == "s" else unsigned_range(bits)
    if (nsw and read == "s") or (nuw and read == "u"):
        forbid(world, ((exact < limits[0]) | (exact > limits[1])).astype(bool))


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


def compared(name: str, a: Exact, b: Exact, bits: int) -> Truth:
    reading = signed if name[0] == "s" else unsigned
    x, y = reading(a, bits), reading(b, bits)
    found = {
        "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
    }[name if name in {"eq", "ne"} else name[1:]]  # fmt: skip
    return found.astype(bool)


@pytest.mark.parametrize("name", COMPARISONS)
@given(worlds, st.data())
@laws
def test_compare_and_choice(name: str, world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    truth = compared(name, world.sum(a), world.sum(b), bits)
    found = ops.compare(world.warp, name, a, b, KEY)
    world.check_truth(found, truth)
    world.learn(found, truth)
    world.check_form(ops.choice(world.warp, found, 32), truth.astype(object), 32)
    opposite = ops.negated(world.warp, found)
    world.check_truth(opposite, ~truth)
    world.check_form(ops.choice(world.warp, opposite, 32), (~truth).astype(object), 32)


@given(worlds, st.data())
@laws
def test_steps_under_guards(world: World, data: st.DataObject) -> None:
    """``if (i < n) i += 128; if (i < n) i += 128; if (i < n) a[i]``, whichever way it is written
    and whatever wraps around.
    """
    warp, bits = world.warp, data.draw(st.sampled_from((8, 32)))
    size = data.draw(st.sampled_from((1, 16, 64)))
    whole = world.fresh("b", bits, signed_range(bits), Congruence(size, 0), varying=False)
    apart = data.draw(st.sampled_from((-1, 1, 2)))
    lanes = warp.space.intern(apart * np.arange(32) + np.zeros((SHAPE[1], 1), dtype=int))
    at = warp.add(whole, warp.lanes(lanes, bits))
    end = world.fresh("n", bits, signed_range(bits), Congruence(1, 0), varying=False)
    known = [at]
    taken: list[Predicate] = []
    for number in range(3):
        name = data.draw(st.sampled_from(("slt", "sge", "sgt", "ult")))
        guard = ops.compare(warp, name, at, end, ("value", number))
        truth = compared(name, world.sum(at), world.sum(end), bits)
        world.check_truth(guard, truth)
        world.learn(guard, truth)
        taken.append(guard)
        step = data.draw(st.sampled_from((-32, -5, 1, 7, 16, 32)))
        chosen = ops.choice(warp, guard, bits)
        at = warp.add(at, warp.scale(chosen, step))
        known.append(at)
    facts = [g.below for g in taken if g.below is not None]
    on = np.ones(world.shape, dtype=bool)
    for fact in facts:
        on &= (world.sum(fact) < 0).astype(bool)
    for value in known:
        decided = ops.decided(warp, value, ops.choices_in(warp, value), facts)
        assert (unsigned(world.sum(decided) - world.sum(value), bits) == 0)[on].all()


def test_a_step_that_a_guard_implies_is_known() -> None:
    """As in unrolled loops over the elements of a thread."""
    world = World(np.random.default_rng(1))
    warp = world.warp
    whole = world.fresh("b", 32, signed_range(32), Congruence(512, 0), varying=False)
    lanes = warp.space.intern(np.arange(32) + np.zeros((SHAPE[1], 1), dtype=int))
    end = world.fresh("n", 32, signed_range(32), Congruence(1, 0), varying=False)
    at = warp.add(whole, warp.lanes(lanes, 32))
    for number in range(4):
        guard = ops.compare(warp, "slt", at, end, ("value", number))
        assert guard.below is not None and guard.shape is Shape.AFFINE
        decided = ops.decided(warp, at, ops.choices_in(warp, at), [guard.below])
        assert decided == warp.add(whole, warp.lanes(warp.space.add(lanes, 128 * number), 32))
        at = warp.add(at, warp.scale(ops.choice(warp, guard, 32), 128))


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@given(worlds, st.data())
@laws
def test_logic(name: str, world: World, data: st.DataObject) -> None:
    a, b = (data.draw(predicates(world, n)) for n in "pq")
    x, y = world._truths["p"], world._truths["q"]
    if data.draw(st.booleans()):
        a, x = ops.negated(world.warp, a), ~x
    if data.draw(st.booleans()):
        b, y = ops.negated(world.warp, b), ~y
    expected = {"and": x & y, "or": x | y, "xor": x ^ y}[name]
    function = {"and": ops.conjunction, "or": ops.disjunction, "xor": ops.exclusive}[name]
    found = function(world.warp, a, b, KEY)
    world.check_truth(found, expected)
    if KEY in {found.key, ops.negated(world.warp, found).key}:
        world.learn(found, expected)
    world.check_form(ops.choice(world.warp, found, 8), expected.astype(object), 8)


@given(worlds, st.data())
@laws
def test_truth_of_a_choice(world: World, data: st.DataObject) -> None:
    """``(int)p != 0`` is ``p`` again."""
    p = data.draw(predicates(world, "p"))
    truth = world._truths["p"]
    number = ops.choice(world.warp, p, 32)
    zero = world.warp.constant(0, 32)
    world.check_truth(ops.compare(world.warp, "ne", number, zero, KEY), truth)
    world.check_truth(ops.compare(world.warp, "eq", number, zero, KEY), ~truth)


@given(worlds, st.data())
@laws
def test_select(world: World, data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from(WIDTHS))
    a, b = operands(data.draw, world, bits, 2)
    p = data.draw(predicates(world, "p"))
    truth = world._truths["p"]
    if data.draw(st.booleans()):
        p, truth = ops.negated(world.warp, p), ~truth
        world._truths[p.key] = truth
    result = ops.select(world.warp, p, a, b)
    world.check_form(result, np.where(truth, world.sum(a), world.sum(b)), bits)


def test_a_choice_of_what_wraps_around_has_no_bounds() -> None:
    """``(char)(p ? 0 : 2 * x)`` with x from -128 to -1: 2 * -125 is 6 in 8 bits, above 0."""
    world = World(np.random.default_rng(1))
    warp = world.warp
    x = world.fresh("x", 8, (-128, -1), Congruence(1, 0), varying=False)
    p = Predicate(2, Shape.UNIFORM, "p")
    wraps = ops.select(warp, p, warp.constant(0, 8), warp.scale(x, 2))
    read = ops.extend(warp, wraps, 32, signed=True)
    assert read.lo <= -128
    assert read.hi >= 6
    fits = ops.select(warp, p, warp.constant(0, 16), warp.scale(Form(16, x.terms, 0, -128, -1), 2))
    assert (fits.lo, fits.hi) == (-256, 0)


@pytest.mark.parametrize("kind", ["sext", "zext", "shl", "lshr", "ashr"])
@given(worlds, st.data())
@laws
def test_what_a_warp_chooses(kind: str, world: World, data: st.DataObject) -> None:
    """Widened in either way, or a shift by the one number or the other."""
    warp, bits = world.warp, data.draw(st.sampled_from((8, 32)))
    p = world.condition("p", 2, Shape.UNIFORM)
    truth = world._truths["p"]
    a, b = operands(data.draw, world, bits, 2)
    if kind.endswith("ext"):
        chosen = np.where(truth, world.sum(a), world.sum(b))
        read = (signed if kind == "sext" else unsigned)(chosen, bits)
        result = ops.extend(warp, ops.select(warp, p, a, b), 64, signed=kind == "sext")
        world.check_form(result, read, 64)
        return
    counts = [data.draw(st.integers(0, bits - 1)) for _ in range(2)]
    by = ops.select(warp, p, *(warp.constant(count, bits) for count in counts))
    power = np.where(truth, *(2**count for count in counts)).astype(object)
    if kind == "shl":
        result = ops.shift_left(warp, a, by, nsw=False, nuw=False, key=KEY)
        world.check_form(result, world.sum(a) * power, bits)
        return
    read = (signed if kind == "ashr" else unsigned)(world.sum(a), bits)
    for count in counts:
        moved = (KEY, warp.constant(count, bits))
        world.explain(moved, read // 2**count, bits)
    result = ops.shift_right(warp, a, by, signed=kind == "ashr", key=KEY)
    world.explain(KEY, read // power, bits)
    for count in counts:
        world.explain((KEY, warp.constant(count, bits)), read // 2**count, bits)
    world.check_form(result, read // power, bits)


def test_a_comparison_differs_where_what_it_compares_does() -> None:
    """In the iterations of a loop, and so does a quotient that is rounded towards zero."""
    world = World(np.random.default_rng(1))
    warp = world.warp
    count = warp.atom("i", 32, "i", Cause.LOOP, varying=False, loops=frozenset({7}))
    zero = warp.constant(0, 32)
    for name in COMPARISONS:
        assert ops.compare(warp, name, count, zero, KEY).loops == {7}
    lanes = warp.space.intern(4 * np.arange(32) + np.zeros((len(world.rows[0]), 1), dtype=int))
    quotient = ops.divide(warp, warp.add(count, warp.lanes(lanes, 32)), warp.constant(4, 32), True)
    used = [warp.atoms[number] for monomial, _ in quotient.terms for number in monomial]
    assert any(atom.cause is Cause.CHOICE for atom in used)
    assert all(atom.loops == {7} for atom in used)


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
def test_select_lanes(world: World, data: st.DataObject) -> None:
    a, b = operands(data.draw, world, 32, 2)
    lanes = world.warp.space.intern((np.arange(32) < data.draw(st.integers(0, 32))).astype(int))
    chosen = np.broadcast_to(world.warp.space.array(lanes) == 1, SHAPE)
    result = ops.select_lanes(world.warp, lanes, a, b)
    world.check_form(result, np.where(chosen, world.sum(a), world.sum(b)), 32)


@given(worlds, st.data())
@laws
def test_merge_uniform(world: World, data: st.DataObject) -> None:
    """One of several forms of one lane pattern, the same in all lanes."""
    a, b = operands(data.draw, world, 32, 2)
    shift, _ = world.warp.split_warp(b)
    other = world.warp.add(a, shift)
    merged = ops.merge_uniform(world.warp, KEY, (a, other), frozenset())
    picked = world.random.integers(0, 2, (*SHAPE[:2], 1)) == 1
    chosen = np.where(picked, world.sum(a), world.sum(other))
    atom = world.warp._by_key.get(KEY)
    if atom is not None:
        _, lanes = world.warp.split_warp(a)
        exact = chosen - world.sum(lanes)
        if ((exact < atom.lo) | (exact > atom.hi)).any():  # then it is what the lowest bits say
            exact = (exact + 2**31) % 2**32 - 2**31
        world._values[atom.number] = exact
        world.check_facts(atom, exact)
        world.check_form(merged, chosen, 32)


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
