"""Known lanes combined with a uniform number bit by bit, against Python's operators."""

from __future__ import annotations

import operator
from itertools import product

import numpy as np
import pytest

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause
from drano.lattice.warp.lanes import LaneSpace
from drano.lattice.warp.operations.bits import bitwise
from drano.lattice.warp.operations.uniform_bits import with_uniform

_OPERATORS = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
_LANES = np.arange(64).reshape(2, 32)


@pytest.mark.parametrize(
    ("name", "lanes", "modulus"),
    [
        *product(
            _OPERATORS,
            (_LANES, _LANES % 32, 63 - _LANES, _LANES // 4, _LANES - 32, _LANES * 2 % 64),
            (1, 2, 32, 128),
        )
    ],
)
def test_every_number_gives_what_python_gives(name: str, lanes: np.ndarray, modulus: int) -> None:
    warp = Warp(LaneSpace(2))
    number = warp.atom(
        "n", 32, "n", Cause.PARAMETER, varying=False, bounds=(0, 1023),
        residue=Congruence(modulus, modulus // 2),
    )  # fmt: skip
    known = warp.lanes(warp.space.intern(lanes), 32)
    found = with_uniform(warp, name, known, number, None)
    assert found is not None
    size = 1 << 32
    for n in range(modulus // 2, 1024, max(modulus, 7 if modulus == 1 else modulus)):
        held = {}
        for atom, key in warp.keys().items():
            if isinstance(key, tuple) and key[0] == "bit":
                held[atom] = np.full((2, 32), n >> key[2] & 1)
            elif isinstance(key, tuple) and key[0] == "high":
                whole = np.broadcast_to(warp.space.array(key[2].const), (2, 32))
                held[atom] = _OPERATORS[name](whole, n // key[4] * key[4])
            elif key == "n":
                held[atom] = np.full((2, 32), n)
        total = warp.space.array(found.const).copy()
        for monomial, coefficient in found.terms:
            total += np.prod([held[a] for a in monomial], axis=0) * warp.space.array(coefficient)
        assert (total % size == _OPERATORS[name](lanes, n) % size).all(), (n, found)
        assert ((total - found.lo) % size <= found.hi - found.lo).all()


def test_what_is_known_in_every_lane_is_computed() -> None:
    warp = Warp(LaneSpace(2))
    one, other = (warp.lanes(warp.space.intern(lanes), 32) for lanes in (_LANES, -_LANES))
    found = bitwise(warp, "and", one, other, key="k")
    assert not found.terms
    assert (warp.space.array(found.const) == (_LANES & -_LANES)).all()


def test_what_an_index_does_not_reach_of_a_mask_does_not_matter() -> None:
    """``tid & ((1 << n) - 1 + 64)`` of a block of 64 threads, as an optimiser may write it."""
    warp = Warp(LaneSpace(2))
    power = warp.atom("n", 32, "n", Cause.PARAMETER, varying=False, bounds=(1, 64))
    known = warp.lanes(warp.space.intern(_LANES), 32)
    plain = warp.sub(power, warp.constant(1, 32))
    for more in (64, 192, 1 << 20):
        mask = warp.add(plain, warp.constant(more, 32))
        assert with_uniform(warp, "and", known, mask, None) == with_uniform(
            warp, "and", known, plain, None
        )
    one_more = with_uniform(warp, "and", known, warp.add(plain, warp.constant(32, 32)), None)
    assert one_more != with_uniform(warp, "and", known, plain, None)
