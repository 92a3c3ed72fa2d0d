"""The lanes that one or several bounds leave on, by every uniform unknown of 6 bits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from drano.lattice import Predicate, Shape
from drano.lattice.warp import operations as ops
from tests.lattice.worlds import Truth, World, signed

JOINED = {"and": (ops.conjunction, np.logical_and), "or": (ops.disjunction, np.logical_or)}
BITS, LOW, HIGH = 8, -4, 40


def bounds(world: World) -> list[tuple[Predicate, Truth]]:
    """``lane < n`` and the like for two unknown numbers ``n``, each once."""
    numbers = np.arange(LOW, HIGH + 1, 4, dtype=object)
    found: list[tuple[Predicate, Truth]] = []
    lanes = world.warp.lanes(world.warp.space.intern(np.arange(32, dtype=np.int64)), BITS)
    for name, order in (("n", np.repeat), ("m", np.tile)):
        values = order(numbers, len(numbers)).reshape(-1, 1, 1)
        number = world.fresh(name, BITS, (LOW, HIGH), world.warp.congruence([]), varying=False)
        world.give(number, values)
        for comparison, truth in (
            ("slt", np.arange(32) < signed(values, BITS)),
            ("sge", np.arange(32) >= signed(values, BITS)),
        ):
            key = (name, comparison)
            predicate = ops.compare(world.warp, comparison, lanes, number, key)
            found.append((predicate, np.broadcast_to(truth, world.shape).astype(bool)))
    return found


def most_runs(truth: Truth) -> int:
    """Runs of lanes that are on in the worst warp."""
    rises = np.diff(np.pad(truth, ((0, 0), (0, 0), (1, 1))).astype(int), axis=2) == 1
    return int(rises.sum(axis=2).max())


@pytest.mark.parametrize("name", JOINED)
def test_what_is_called_a_run_is_one(name: str) -> None:
    world = World(np.random.default_rng(0), 12 * 12)
    join, joined = JOINED[name]
    shapes = set()
    for (a, here), (b, there) in product(bounds(world), repeat=2):
        found, truth = join(world.warp, a, b, ("both", a.key, b.key)), joined(here, there)
        world.check_truth(found, truth)
        for shown, holds in ((found, truth), (ops.negated(world.warp, found), ~truth)):
            shapes.add(shown.shape)
            if shown.shape in {Shape.AFFINE, Shape.WITHIN}:
                assert most_runs(holds) <= 1, shown
            if shown.shape in {Shape.AFFINE, Shape.OUTSIDE}:
                assert most_runs(~holds) <= 1, shown
    assert {Shape.AFFINE, Shape.WITHIN, Shape.OUTSIDE} <= shapes


@pytest.mark.parametrize(("stride", "width"), [*product((1, 2, 4, -4), (1, 2, 3, 4, 5))])
def test_close_bounds_leave_one_lane_between_them(stride: int, width: int) -> None:
    """``i < n`` but not ``i + width < n``: what is left over from vectors."""
    numbers = np.arange(-130, 131).reshape(-1, 1, 1)
    world = World(np.random.default_rng(0), len(numbers))
    space, bits = world.warp.space, 16
    limit = world.fresh("n", bits, (-130, 130), world.warp.congruence([]), varying=False)
    world.give(limit, numbers.astype(object))
    index = np.arange(32, dtype=np.int64) * stride
    first, last = (world.warp.lanes(space.intern(index + n), bits) for n in (0, width))
    inside = ops.compare(world.warp, "slt", first, limit, "inside")
    whole = ops.compare(world.warp, "slt", last, limit, "whole")
    found = ops.conjunction(world.warp, ops.negated(world.warp, whole), inside, "rest")
    truth = np.broadcast_to((index < numbers) & (index + width >= numbers), world.shape)
    world.check_truth(found, truth.astype(bool))
    close = width <= abs(stride)
    assert (found.shape is Shape.ONE) == close == (truth.sum(axis=2).max() <= 1)
    # Nor does more that has to hold change that: if (full || i + width < n) …; else if (i < n) …
    full = ops.unknown_predicate(world.warp, (limit,), "full")
    either = ops.disjunction(world.warp, full, whole, "either")
    rest = ops.conjunction(world.warp, ops.negated(world.warp, either), inside, "rest of it")
    assert (rest.shape is Shape.ONE) == close
    others = ops.conjunction(world.warp, either, inside, "others")
    assert others.shape is not Shape.ONE
