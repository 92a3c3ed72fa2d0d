"""How far values agree where ways meet: the laws on known lanes, and unknowns that lanes share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from drano.lattice import Cause, Form, LaneSpace, Warp
from drano.lattice.warp.joins import Agreement, Agreements, Alike, Extreme, Same
from tests.lattice import laws
from tests.lattice.laws import Domain

WARP = Warp(LaneSpace(2))
LATTICE = Agreements(WARP)
LANE = np.broadcast_to(np.arange(32), (2, 32))
ROW = np.broadcast_to(np.array([[0], [1]]), (2, 32))
KNOWN = [
    WARP.lanes(WARP.space.intern(lanes), 32)
    for lanes in (0 * LANE, 0 * LANE + 5, ROW, LANE, LANE + 3, LANE + 3 * ROW, 4 * LANE, LANE ^ 1)
]
SAME = [Same(form) for form in KNOWN]
ELEMENTS = tuple(dict.fromkeys((*Extreme, *SAME, *map(LATTICE.pattern, SAME))))
Lanes = tuple[int, ...]


def lanes_of(form: Form) -> Lanes:
    return tuple(WARP.space.array(form.const).ravel().tolist())


def contains(element: Agreement, lanes: Lanes) -> bool:
    if isinstance(element, Extreme):
        return element is Extreme.TOP
    if isinstance(element, Same):
        return lanes == lanes_of(element.form)
    apart = np.array(lanes).reshape(2, 32) - WARP.space.array(element.lanes.const)
    return bool((apart == apart[:, :1]).all())


MEMBERS = [
    (element, lanes)
    for element in ELEMENTS
    for form in KNOWN
    if contains(element, lanes := lanes_of(form))
]
DOMAIN: Domain[Agreement, Lanes] = Domain(
    lattice=LATTICE,
    elements=ELEMENTS,
    pairs=st.sampled_from(MEMBERS),
    contains=contains,
    abstract=lambda lanes: Same(
        WARP.lanes(WARP.space.intern(np.array(lanes).reshape(2, 32)), 32)
    ),
    names={
        "Extreme": Extreme, "Same": Same, "Alike": Alike, "Form": Form, "np": np,
        "LaneVector": WARP.space.intern,
    },
)  # fmt: skip


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


def unknown(name: str, *, varying: bool = False) -> Form:
    return WARP.atom(name, 32, name, Cause.PARAMETER, varying=varying)


def test_what_lanes_share_does_not_part_them():
    four, n = WARP.scale(KNOWN[3], 4), unknown("n")
    shifted = WARP.add(four, KNOWN[1])
    joined = LATTICE.join(Same(shifted), Same(WARP.add(four, n)))
    assert joined == Alike(four) == LATTICE.join(joined, Same(four))
    assert LATTICE.join(joined, Same(KNOWN[3])) is Extreme.TOP


def test_shared_unknowns_may_count_differently_in_each_lane():
    by_lane = WARP.mul(KNOWN[3], unknown("pitch"))
    more = WARP.add(by_lane, unknown("pitch"))
    assert LATTICE.join(Same(by_lane), Same(more)) == Alike(by_lane)
    assert LATTICE.join(Same(by_lane), Same(KNOWN[3])) is Extreme.TOP


def test_unknowns_that_differ_belong_to_the_pattern():
    loaded = unknown("loaded", varying=True)
    more = WARP.add(loaded, KNOWN[1])
    assert LATTICE.join(Same(loaded), Same(more)) == Alike(loaded)
    assert LATTICE.join(Same(loaded), Same(unknown("other", varying=True))) is Extreme.TOP
    assert LATTICE.join(Same(loaded), Same(WARP.scale(loaded, 2))) is Extreme.TOP
