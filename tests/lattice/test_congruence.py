"""Congruences against integers: laws, exhaustive small moduli."""

from __future__ import annotations

from itertools import product
from math import gcd

import pytest
from hypothesis import strategies as st

from drano.lattice import congruence
from drano.lattice.base import Lattice
from drano.lattice.congruence import BOTTOM, TOP, Congruence
from tests.lattice import laws
from tests.lattice.laws import Domain, Transfer, check_exhaustively

WINDOW = range(-24, 25)
MODULI = (1, 2, 3, 4, 6, 8)
SMALL = (
    BOTTOM,
    *(Congruence(0, r) for r in (-5, -1, 0, 1, 2, 6)),
    *(Congruence(m, r) for m in MODULI for r in range(m)),
)


TRANSFERS = {"add": Transfer(congruence.add, lambda x, y: x + y)}

elements = st.one_of(
    st.just(BOTTOM),
    st.integers(-300, 300).map(Congruence.constant),
    st.builds(Congruence, st.integers(1, 300), st.integers(0, 300)),
)


def member(a: Congruence) -> st.SearchStrategy[tuple[Congruence, int]]:
    if a.is_constant:
        return st.just((a, a.residue))
    return st.integers(-20, 20).map(lambda k: (a, a.residue + k * a.modulus))


class Congruences(Lattice[Congruence]):
    """Ordered by inclusion of γ."""

    bottom, top = BOTTOM, TOP

    def leq(self, a: Congruence, b: Congruence) -> bool:
        return congruence.join(a, b) == b

    def join(self, a: Congruence, b: Congruence) -> Congruence:
        return congruence.join(a, b)

    def meet(self, a: Congruence, b: Congruence) -> Congruence:
        return congruence.meet(a, b)


LATTICE = Congruences()
DOMAIN: Domain[Congruence, int] = Domain(
    lattice=LATTICE,
    strategy=elements,
    pairs=elements.filter(lambda a: a != BOTTOM).flatmap(member),
    contains=Congruence.contains,
    abstract=Congruence.constant,
    names={"Congruence": Congruence},
    transfers=TRANSFERS,
)
LISTED: Domain[Congruence, int] = Domain(
    lattice=LATTICE,
    elements=SMALL,
    pairs=DOMAIN.pairs,
    contains=Congruence.contains,
    abstract=Congruence.constant,
    names=DOMAIN.names,
    universe=WINDOW,
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


def test_order_is_inclusion_of_concretisations():
    for a, b in product(SMALL, SMALL):
        inside = all(b.contains(v) for v in range(-100, 101) if a.contains(v))
        assert LATTICE.leq(a, b) == inside, (a, b)


def test_meet_is_the_intersection():
    for a, b in product(SMALL, SMALL):
        both = LATTICE.meet(a, b)
        for v in WINDOW:
            assert both.contains(v) == (a.contains(v) and b.contains(v)), (a, b, v)


@pytest.mark.parametrize("name", TRANSFERS)
def test_exhaustively_sound_and_precise(name):
    found = check_exhaustively(LISTED, TRANSFERS[name])
    assert found.exact == found.cases > 0


def test_elements_are_normal():
    assert Congruence(8, 11) == Congruence(8, 3)
    assert Congruence(8, -1) == Congruence(8, 7)
    assert Congruence(0, -1).value == -1
    assert Congruence(4, 1).value is None
    assert Congruence(1, 7) == TOP
    assert [str(a) for a in (BOTTOM, TOP, Congruence(0, -3), Congruence(4, 1))] == [
        "⊥",
        "⊤",
        "-3",
        "1 mod 4",
    ]
    with pytest.raises(ValueError, match="not negative"):
        Congruence(-2, 0)


def test_chains_are_short():
    value = Congruence.constant(0)
    for step in (1 << k for k in reversed(range(64))):
        value = LATTICE.widen(value, LATTICE.join(value, Congruence.constant(step)))
        assert value.modulus == gcd(value.modulus, step)
    assert value == TOP
