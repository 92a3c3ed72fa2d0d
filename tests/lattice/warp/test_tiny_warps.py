"""Exhaustively at 3 and 4 bits: every range of a uniform unknown, every value in it, lane patterns
that run through all values, every constant.
"""

from __future__ import annotations

import numpy as np
import pytest

from drano.lattice import Congruence, Form, Shape
from drano.lattice.warp import operations as ops
from tests.lattice.worlds import World, divided, signed, unsigned

COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
RANGES = [(low, high) for low in range(-4, 8) for high in range(low + 1, 8)]
PATTERNS = {"lane": 1, "pairs": 2, "fast": 3, "back": -1}


def world_of(bits: int, low: int, high: int, pattern: str) -> tuple[World, Form]:
    """``u + pattern`` for all ``u`` in a range at once: one valuation for each."""
    world = World(np.random.default_rng(0), high - low + 1)
    unknown = world.fresh("u", bits, (low, high), Congruence(1, 0), varying=False)
    world.give(unknown, np.array(range(low, high + 1), dtype=object).reshape(-1, 1, 1))
    lanes = np.arange(32, dtype=np.int64)
    lanes = lanes // 2 if pattern == "pairs" else lanes * PATTERNS[pattern]
    known = world.warp.lanes(world.warp.space.intern(lanes % (1 << bits)), bits)
    return world, world.warp.add(unknown, known)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("bits", [3, 4])
def test_every_reading(bits: int, pattern: str) -> None:
    for low, high in RANGES:
        world, a = world_of(bits, low, high, pattern)
        value = world.sum(a)
        for kind, reading in (("sext", signed), ("zext", unsigned)):
            wide = ops.extend(world.warp, a, 8, signed=kind == "sext")
            world.check_form(wide, reading(value, bits), 8)
        world.check_form(ops.truncate(world.warp, a, 2), value, 2)
        for count in range(bits):
            by = world.warp.constant(count, bits)
            for right in (True, False):
                key = ("shift", count, right)
                result = ops.shift_right(world.warp, a, by, signed=right, key=key)
                reading = signed if right else unsigned
                expected = reading(value, bits) // 2**count
                world.explain(key, expected, bits)
                world.check_form(result, expected, bits)


@pytest.mark.parametrize("name", ["sdiv", "udiv", "srem", "urem"])
@pytest.mark.parametrize("pattern", ["lane", "back"])
def test_every_division(name: str, pattern: str) -> None:
    bits = 3
    for low, high in RANGES:
        for divisor in (*range(-4, 0), *range(1, 8)):
            world, a = world_of(bits, low, high, pattern)
            value = world.sum(a)
            if name[0] == "s" and signed(np.array(divisor, dtype=object), bits) == -1:
                lowest = signed(value, bits) == -(1 << (bits - 1))
                world.rows = world.rows & ~lowest.astype(bool).any(axis=2)
            by = world.warp.constant(divisor, bits)
            function = ops.divide if name.endswith("div") else ops.remainder
            expected = divided(name, value, world.array(divisor), bits)
            world.check_form(function(world.warp, a, by, name[0] == "s"), expected, bits)


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_comparison(name: str) -> None:
    bits = 3
    for low, high in RANGES:
        world, a = world_of(bits, low, high, "lane")
        for constant in range(-4, 8):
            other = world.warp.constant(constant, bits)
            reading = signed if name[0] == "s" else unsigned
            x, y = reading(world.sum(a), bits), reading(world.array(constant), bits)
            truth = {
                "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
            }[name if len(name) == 2 else name[1:]]  # fmt: skip
            found = ops.compare(world.warp, name, a, other, ("key", constant))
            world.check_truth(found, truth.astype(bool))


@pytest.mark.parametrize("name", [c for c in COMPARISONS if len(c) == 3])
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("both", [False, True], ids=["uniform", "same lanes"])
def test_comparisons_cut_twice_where_indices_wrap(name: str, pattern: str, *, both: bool) -> None:
    """True lanes that a bound cuts off make two runs at the most, in the order of the index."""
    bits, size = 6, 64
    world, a = world_of(bits, -32, 31, pattern)
    warp, cut = world.warp, 0
    order = np.argsort(warp.space.array(a.const)[0], kind="stable")
    for constant in range(-32, 32, 3):
        other = warp.constant(constant, bits)
        if both:
            other = warp.add(a, other)
        found = ops.compare(warp, name, a, other, ("key", constant))
        if found.shape is not Shape.AFFINE:
            continue
        reading = signed if name[0] == "s" else unsigned
        x, y = reading(world.sum(a) % size, bits), reading(world.sum(other) % size, bits)
        truth = {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[name[1:]].astype(bool)
        world.check_truth(found, truth)
        runs = np.diff(np.pad(truth[:, 0, order], ((0, 0), (1, 1))).astype(int), axis=1) == 1
        assert runs.sum(axis=1).max() <= 2, (constant, found)
        cut += 1
    assert cut or pattern != "lane"


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("above", range(4))
def test_multiples_of_a_warp_do_not_part_it(name: str, above: int) -> None:
    """``4*k + lane % 4 + above`` beside ``4*m``, for all of them, wrapped around or not."""
    bits, uniform = 5, 0
    multiples = np.array(range(-16, 16, 4), dtype=object)
    for other in range(-16, 16, 4):
        world = World(np.random.default_rng(0), len(multiples))
        warp = world.warp
        start = world.fresh("u", bits, (-16, 12), Congruence(4, 0), varying=False)
        world.give(start, multiples.reshape(-1, 1, 1))
        lanes = warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64) % 4), bits)
        a = warp.add(warp.add(start, lanes), warp.constant(above, bits))
        b = warp.constant(other, bits)
        reading = unsigned if name[0] == "u" else signed
        x, y = reading(world.sum(a), bits), reading(world.sum(b), bits)
        truth = {
            "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
        }[name if name in {"eq", "ne"} else name[1:]].astype(bool)  # fmt: skip
        found = ops.compare(warp, name, a, b, ("key", other))
        world.check_truth(found, truth)
        uniform += found.shape is Shape.UNIFORM
    if above == 0 and name in {"slt", "sge", "ult", "uge"}:
        assert uniform >= 5


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_every_mask(name: str) -> None:
    bits = 3
    for low, high in RANGES:
        for mask in range(8):
            world, a = world_of(bits, low, high, "lane")
            value, other = unsigned(world.sum(a), bits), world.array(mask)
            expected = {"and": value & other, "or": value | other, "xor": value ^ other}[name]
            key = ("mask", mask)
            by = world.warp.constant(mask, bits)
            result = ops.bitwise(world.warp, name, a, by, key=key)
            world.explain(key, expected, bits)
            world.check_form(result, expected, bits)
