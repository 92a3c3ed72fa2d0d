from __future__ import annotations

from itertools import product

import pytest
from hypothesis import strategies as st

from drano.lattice.memory_space import MEMSPACES, MemSpace, cast
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
        f"cast to {space}": Transfer(
            lambda a, n=space: cast(a, n),
            # Only a cast to generic, or to the space that the pointer is in, is defined.
            lambda s, n=space: s if n in (s, MemSpace.GENERIC) else None,
            arity=1,
        )
        for space in (*SPACES, MemSpace.GENERIC)
    },
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


@pytest.mark.parametrize("name", DOMAIN.transfers)
def test_casts_are_exhaustively_sound(name):
    found = laws.check_exhaustively(DOMAIN, DOMAIN.transfers[name])
    assert found.exact == found.cases


def test_two_different_spaces_join_to_generic():
    for a, b in product(SPACES, SPACES):
        assert MEMSPACES.join(a, b) is (a if a is b else MemSpace.GENERIC)


def test_shared_memory_behind_a_generic_pointer_stays_shared():
    assert cast(MemSpace.SHARED, MemSpace.GENERIC) is MemSpace.SHARED
    assert cast(MemSpace.GENERIC, MemSpace.GLOBAL) is MemSpace.GLOBAL
    assert cast(MemSpace.SHARED, MemSpace.GLOBAL) is MemSpace.GLOBAL
    assert cast(MemSpace.BOTTOM, MemSpace.GLOBAL) is MemSpace.BOTTOM
