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
