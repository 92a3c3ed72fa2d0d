from __future__ import annotations

from itertools import product

import pytest
from hypothesis import strategies as st

from drano.lattice.memory_space import MEMSPACES, MemSpace, cast, from_address_space
from tests.lattice import laws
from tests.lattice.laws import Domain, Transfer

SPACES = [s for s in MemSpace if s not in (MemSpace.BOTTOM, MemSpace.GENERIC)]


def contains(a: MemSpace, space: MemSpace) -> bool:
    return a is MemSpace.GENERIC or a is space


DOMAIN = Domain(
    lattice=MEMSPACES,
    elements=tuple(MemSpace),
    pairs=st.sampled_from(SPACES).flatmap(
        lambda s: st.sampled_from([(s, s), (MemSpace.GENERIC, s)])
    ),
    contains=contains,
    abstract=lambda s: s,
    names={"MemSpace": MemSpace},
    universe=SPACES,
    transfers={
        f"cast to {number}": Transfer(
            lambda a, n=number: cast(a, n),
            # Only a cast to generic, or to the space that the pointer is in, is defined.
            lambda s, n=number: s if from_address_space(n) in (s, MemSpace.GENERIC) else None,
            arity=1,
        )
        for number in (0, 1, 3, 4, 5, 7, 101, 999)
    },
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


@pytest.mark.parametrize("name", DOMAIN.transfers)
def test_casts_are_exhaustively_sound(name):
    found = laws.check_exhaustively(DOMAIN, DOMAIN.transfers[name])
    assert found.exact == found.cases


def test_address_spaces():
    assert [str(from_address_space(n)) for n in (0, 1, 3, 4, 5, 7, 101)] == [
        "generic",
        "global",
        "shared",
        "constant",
        "local",
        "shared",
        "param",
    ]
    assert from_address_space(42) is MemSpace.GENERIC


def test_two_different_spaces_join_to_generic():
    for a, b in product(SPACES, SPACES):
        assert MEMSPACES.join(a, b) is (a if a is b else MemSpace.GENERIC)


def test_shared_memory_behind_a_generic_pointer_stays_shared():
    assert cast(MemSpace.SHARED, 0) is MemSpace.SHARED
    assert cast(MemSpace.GENERIC, 1) is MemSpace.GLOBAL
    assert cast(MemSpace.SHARED, 1) is MemSpace.GLOBAL
    assert cast(MemSpace.BOTTOM, 1) is MemSpace.BOTTOM
