"""Comparisons and choices are what each lane of the concrete warps has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.lattice import Cause, Congruence, Form, Predicate, Shape, signed_range
from drano.lattice.warp import operations as ops
from tests.lattice.warp.laws import KEY, laws
from tests.lattice.worlds import (
    SHAPE,
    WIDTHS,
    Exact,
    Truth,
    World,
    operands,
    predicates,
    signed,
    unsigned,
    worlds,
)

COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


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
