"""The paper's booleans and active sets against every truth assignment of small warps."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import strategies as st

from drano.lattice.paper import predicate
from drano.lattice.paper.predicate import (
    ACTIVE_SETS,
    PREDICATES,
    ActiveSet,
    Predicate,
    conj,
    disj,
    is_uniform,
    join_masks,
    negate,
    reconverge,
    refine,
    xor,
)
from tests.lattice import laws
from tests.lattice.laws import Domain, Precision, Transfer, check_exhaustively

BOTTOM, F, F_MINUS, T_MINUS, T = (
    Predicate.BOTTOM,
    Predicate.F,
    Predicate.F_MINUS,
    Predicate.T_MINUS,
    Predicate.T,
)
TF, TT_MINUS, FF_MINUS, TOP = Predicate.TF, Predicate.TT_MINUS, Predicate.FF_MINUS, Predicate.TOP

Mask = tuple[bool, ...]


def contains(a: Predicate, mask: Mask) -> bool:
    """The definition, spelt out."""
    n, k = len(mask), sum(mask)
    return {
        BOTTOM: False,
        T: k == n,
        T_MINUS: k == n - 1,
        F: k == 0,
        F_MINUS: k == 1,
        TF: k in (0, n),
        TT_MINUS: k in (n - 1, n),
        FF_MINUS: k in (0, 1),
        TOP: True,
    }[a]


def abstract(mask: Mask) -> Predicate:
    return next((a for a in (T, T_MINUS, F, F_MINUS) if contains(a, mask)), TOP)


TRANSFERS = {
    "not": Transfer(negate, lambda x: tuple(not v for v in x), arity=1),
    "and": Transfer(conj, lambda x, y: tuple(v and w for v, w in zip(x, y, strict=True))),
    "or": Transfer(disj, lambda x, y: tuple(v or w for v, w in zip(x, y, strict=True))),
    "xor": Transfer(xor, lambda x, y: tuple(v != w for v, w in zip(x, y, strict=True))),
    "choose": Transfer(
        predicate.choose,
        lambda c, x, y: tuple(v if k else w for k, v, w in zip(c, x, y, strict=True)),
        arity=3,
    ),
}


def domain(lanes: int) -> Domain[Predicate, Mask]:
    masks = list(product((False, True), repeat=lanes))
    return Domain(
        lattice=PREDICATES,
        elements=tuple(Predicate),
        pairs=st.sampled_from(masks).flatmap(
            lambda mask: st.sampled_from([a for a in Predicate if contains(a, mask)]).map(
                lambda a: (a, mask)
            )
        ),
        contains=contains,
        abstract=abstract,
        names={"Predicate": Predicate},
        universe=masks,
        transfers=TRANSFERS,
    )


DOMAIN = domain(4)
LARGER = domain(5)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


def test_order_is_inclusion_of_concretisations():
    masks = DOMAIN.universe
    for a, b in product(Predicate, Predicate):
        inside = all(contains(b, mask) for mask in masks if contains(a, mask))
        assert PREDICATES.leq(a, b) == inside


@pytest.mark.parametrize("lanes", [4, 5])
@pytest.mark.parametrize("op", ["not", "and", "or", "xor"])
def test_exhaustively_sound_and_precise(op, lanes):
    cases = 9 ** TRANSFERS[op].arity
    found = check_exhaustively({4: DOMAIN, 5: LARGER}[lanes], TRANSFERS[op])
    assert found == Precision(cases, cases)


def test_choose_exhaustively_sound_and_precise():
    assert check_exhaustively(DOMAIN, TRANSFERS["choose"]) == Precision(729, 729)


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("op", TRANSFERS)
def test_sound_for_partial_warps(op, lanes):
    """Fewer threads than the domain tells apart: less precise, never wrong."""
    transfer = TRANSFERS[op]
    masks = list(product((False, True), repeat=lanes))
    for arguments in product(Predicate, repeat=transfer.arity):
        answer = transfer.abstract(*arguments)
        members = [[m for m in masks if contains(a, m)] for a in arguments]
        assert all(contains(answer, transfer.concrete(*m)) for m in product(*members))


def test_symbols():
    assert [str(a) for a in Predicate] == ["⊥", "F", "F⁻", "T⁻", "T", "TF", "TT⁻", "FF⁻", "⊤"]


def test_joins_of_the_paper():
    join = PREDICATES.join
    assert join(T, F) is TF
    assert join(T, T_MINUS) is TT_MINUS
    assert join(F, F_MINUS) is FF_MINUS
    assert join(T, F_MINUS) is TOP
    assert join(TF, FF_MINUS) is TOP
    assert conj(TF, FF_MINUS) is FF_MINUS
    assert PREDICATES.meet(TF, FF_MINUS) is F


def test_uniformity():
    assert [a for a in Predicate if is_uniform(a)] == [BOTTOM, F, T, TF]
    for a, mask in product(Predicate, DOMAIN.universe):
        if contains(a, mask) and is_uniform(a):
            assert len(set(mask)) == 1


# --- the active set --------------------------------------------------------------------------

MASKS = DOMAIN.universe


def active_contains(a: ActiveSet, mask: Mask) -> bool:
    return a is ActiveSet.TOP or sum(mask) <= 1


ACTIVE = Domain(
    lattice=ACTIVE_SETS,
    elements=tuple(ActiveSet),
    pairs=st.sampled_from(MASKS).flatmap(
        lambda mask: st.sampled_from([a for a in ActiveSet if active_contains(a, mask)]).map(
            lambda a: (a, mask)
        )
    ),
    contains=active_contains,
    abstract=lambda mask: ActiveSet.FF_MINUS if sum(mask) <= 1 else ActiveSet.TOP,
    names={"ActiveSet": ActiveSet},
    universe=MASKS,
    # FF⁻ is the least element, and stands for the empty mask and the single ones.
    empty_bottom=False,
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_active_set_laws(law):
    law(ACTIVE)


def test_refinement_is_sound_and_precise():
    for active, condition in product(ActiveSet, Predicate):
        answer = refine(active, condition)
        sizes = {
            sum(m and c for m, c in zip(mask, taken, strict=True))
            for mask, taken in product(MASKS, MASKS)
            if active_contains(active, mask) and contains(condition, taken)
        }
        best = ActiveSet.TOP if max(sizes, default=0) > 1 else ActiveSet.FF_MINUS
        assert answer is best, (active, condition)


def test_refinement_is_monotone():
    for a, b in product(ActiveSet, repeat=2):
        for c, d in product(Predicate, repeat=2):
            if ACTIVE_SETS.leq(a, b) and PREDICATES.leq(c, d):
                assert ACTIVE_SETS.leq(refine(a, c), refine(b, d))


def test_both_sides_of_a_branch():
    assert refine(ActiveSet.TOP, FF_MINUS) is ActiveSet.FF_MINUS
    assert refine(ActiveSet.TOP, negate(FF_MINUS)) is ActiveSet.TOP
    assert refine(ActiveSet.TOP, negate(TT_MINUS)) is ActiveSet.FF_MINUS
    assert refine(ActiveSet.TOP, TOP) is ActiveSet.TOP
    assert refine(ActiveSet.FF_MINUS, TOP) is ActiveSet.FF_MINUS


@pytest.mark.parametrize("sides", [1, 2, 3])
def test_reconvergence_is_sound_for_every_split(sides):
    """Every mask, every way to send its threads to the sides (or to an early return)."""
    for before in ActiveSet:
        for mask in MASKS:
            if not active_contains(before, mask):
                continue
            for way in product(range(sides + 1), repeat=len(mask)):
                parts = [
                    tuple(m and w == side for m, w in zip(mask, way, strict=True))
                    for side in range(sides)
                ]
                union = tuple(any(lane) for lane in zip(*parts, strict=True))
                least = tuple(ACTIVE.abstract(part) for part in parts)
                assert active_contains(reconverge(before, least), union)


def test_join_after_a_uniform_branch_is_one_side_or_the_other():
    few, any_number = ActiveSet.FF_MINUS, ActiveSet.TOP
    assert join_masks((few, few)) is few
    assert join_masks((few, any_number)) is any_number
    assert reconverge(any_number, (few, few)) is any_number
    assert reconverge(any_number, (few,)) is few
    assert reconverge(few, (few, few)) is few
