"""The combinators themselves, on lattices other than the shipped ones."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from drano.lattice.base import ContractError, Flat, Lattice, Product
from tests.lattice import laws
from tests.lattice.laws import Domain

LETTERS = Flat("none", "any")
NAMES = ("none", "a", "b", "c", "any")


def letter_contains(element: str, letter: str) -> bool:
    return element in ("any", letter)


FLAT = Domain(
    lattice=LETTERS,
    elements=NAMES,
    pairs=st.sampled_from("abc").flatmap(lambda c: st.sampled_from([(c, c), ("any", c)])),
    contains=letter_contains,
    abstract=lambda c: c,
    names={},
    universe="abc",
)


class Pair(NamedTuple):
    left: str
    right: str


PAIRS: Product[Pair] = Product(Pair, (LETTERS, LETTERS))
PRODUCT = Domain(
    lattice=PAIRS,
    elements=tuple(Pair(a, b) for a, b in product(NAMES, NAMES)),
    pairs=st.tuples(FLAT.pairs, FLAT.pairs).map(
        lambda p: (Pair(p[0][0], p[1][0]), (p[0][1], p[1][1]))
    ),
    contains=lambda a, c: letter_contains(a[0], c[0]) and letter_contains(a[1], c[1]),
    abstract=lambda c: Pair(*c),
    names={"Pair": Pair},
)


class Heights(Lattice[int]):
    """0 … 1000 as a chain, too long to climb: it needs its widening."""

    @property
    def bottom(self) -> int:
        return 0

    @property
    def top(self) -> int:
        return 1000

    def leq(self, a: int, b: int) -> bool:
        return a <= b

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)

    def _extrapolate(self, old: int, new: int) -> int:
        return old if new == old else self.top


HEIGHTS = Domain(
    lattice=Heights(),
    strategy=st.integers(0, 1000),
    pairs=st.integers(1, 1000).flatmap(lambda c: st.tuples(st.integers(c, 1000), st.just(c))),
    contains=lambda a, c: c <= a,
    abstract=lambda c: c,
    names={},
)


@pytest.mark.parametrize("domain", [FLAT, PRODUCT, HEIGHTS], ids=["flat", "product", "chain"])
@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law, domain):
    law(domain)


def test_contracts():
    with pytest.raises(ContractError):
        Flat("same", "same")
    with pytest.raises(ContractError, match="old <= new"):
        PAIRS.widen(Pair("any", "a"), Pair("a", "a"))
    assert PAIRS.widen(Pair("a", "none"), Pair("any", "a")) == Pair("any", "a")


def test_a_product_builds_its_own_tuples():
    assert isinstance(PAIRS.join(Pair("a", "b"), Pair("a", "c")), Pair)
    assert PAIRS.join_all([Pair("a", "b"), Pair("a", "c")]) == Pair("a", "any")


class Broken(Flat[str]):
    """Joins lose their left operand."""

    def join(self, a: str, b: str) -> str:
        return b


def test_the_laws_catch_a_broken_lattice():
    broken = replace(FLAT, lattice=Broken("none", "any"))
    for law in (laws.join_is_least_upper_bound, laws.algebra):
        with pytest.raises(AssertionError):
            law(broken)
