"""Where the paper's integers, booleans and pointers meet."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import strategies as st

from drano.lattice.base import ContractError
from drano.lattice.paper import values as paper
from drano.lattice.paper.multiplier import MULTIPLIERS, Multiplier
from drano.lattice.paper.predicate import PREDICATES, Predicate
from drano.lattice.paper.values import POINTERS, Pointer
from tests.lattice import laws
from tests.lattice.laws import Domain, Precision, Transfer, check_exhaustively
from tests.lattice.paper.test_multiplier import DOMAIN as INTEGERS
from tests.lattice.paper.test_multiplier import MEMBERS
from tests.lattice.paper.test_multiplier import contains as holds
from tests.lattice.paper.test_predicate import DOMAIN as BOOLEANS
from tests.lattice.paper.test_predicate import contains as holds_boolean
from tests.lattice.words import COMPARISONS, SIZE, Warp

BOTTOM, ZERO, ONE, MINUS_ONE, TOP = Multiplier


def comparison(name: str) -> Transfer:
    operation: Callable[[int, int], bool] = COMPARISONS[name]
    table = [[operation(a, b) for b in range(SIZE)] for a in range(SIZE)]
    return Transfer(
        lambda a, b: paper.compare(name, a, b),
        lambda x, y: tuple(table[v][w] for v, w in zip(x, y, strict=True)),
        result=BOOLEANS,
    )


# Best answers that the paper's rules give up: ±1 against the same or the opposite coefficient
# under == and !=, where TF, FF⁻ and TT⁻ would be sound.
EXACT = {"eq": 21, "ne": 21}


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_exhaustively_sound_and_precise(name):
    found = check_exhaustively(INTEGERS, comparison(name))
    assert found == Precision(EXACT.get(name, 25), 25)


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_are_monotone(name):
    for a, b, c, d in product(Multiplier, repeat=4):
        if MULTIPLIERS.leq(a, c) and MULTIPLIERS.leq(b, d):
            assert PREDICATES.leq(paper.compare(name, a, b), paper.compare(name, c, d))


def test_comparisons_of_the_paper():
    for step in (ONE, MINUS_ONE):
        for pair in ((step, ZERO), (ZERO, step)):
            assert paper.compare("eq", *pair) is Predicate.FF_MINUS
            assert paper.compare("ne", *pair) is Predicate.TT_MINUS
            assert paper.compare("slt", *pair) is Predicate.TOP
    for name in (*COMPARISONS, "oeq", "une", "uno", "olt"):
        assert paper.compare(name, ZERO, ZERO) is Predicate.TF
        assert paper.compare(name, TOP, ZERO) is Predicate.TOP
        assert paper.compare(name, BOTTOM, TOP) is Predicate.BOTTOM
    assert paper.compare("true", TOP, TOP) is Predicate.T
    assert paper.compare("false", TOP, TOP) is Predicate.F
    assert paper.compare("unheard-of", ZERO, ZERO) is Predicate.TOP


def test_booleans_as_integers_exhaustively():
    as_words = Transfer(paper.integer, lambda x: tuple(int(v) for v in x), 1, result=INTEGERS)
    assert check_exhaustively(BOOLEANS, as_words) == Precision(9, 9)
    as_signed = Transfer(
        paper.integer, lambda x: tuple(-int(v) % SIZE for v in x), 1, result=INTEGERS
    )
    assert check_exhaustively(BOOLEANS, as_signed) == Precision(9, 9)


def test_integers_as_booleans_exhaustively():
    lowest = Transfer(paper.boolean, lambda x: tuple(v & 1 == 1 for v in x), 1, result=BOOLEANS)
    assert check_exhaustively(INTEGERS, lowest) == Precision(5, 5)


# --- select and merge ------------------------------------------------------------------------

BOOLEAN_MEMBERS = {
    a: [m for m in BOOLEANS.universe if holds_boolean(a, m)]
    for a in Predicate
    if a is not Predicate.BOTTOM
}
STEPPED = (ZERO, ONE, MINUS_ONE)


def mixed(mask: tuple[bool, ...], x: Warp, y: Warp) -> Warp:
    return tuple(v if c else w for c, v, w in zip(mask, x, y, strict=True))


def test_select_of_integers_exhaustively_sound():
    tight = cases = 0
    for condition, a, b in product(BOOLEAN_MEMBERS, STEPPED, STEPPED):
        answer = paper.select(condition, a, b)
        best = BOTTOM
        for mask, x, y in product(BOOLEAN_MEMBERS[condition], MEMBERS[a], MEMBERS[b]):
            chosen = mixed(mask, x, y)
            assert holds(answer, chosen), (condition, a, b, answer)
            best = MULTIPLIERS.join(best, INTEGERS.abstract(chosen))
        tight += best is answer
        cases += 1
    assert (tight, cases) == (72, 72)


@pytest.mark.parametrize("condition", BOOLEAN_MEMBERS)
def test_select_with_an_unknown_side(condition):
    """With ⊤ on a side the answer is ⊤ unless the condition never picks it."""
    for a in STEPPED:
        for if_true, if_false, never in (
            (a, TOP, Predicate.T),
            (TOP, a, Predicate.F),
        ):
            answer = paper.select(condition, if_true, if_false)
            assert answer is (a if condition is never else TOP)


def test_select_is_strict_and_monotone():
    for kind, leq in ((Multiplier, MULTIPLIERS.leq), (Predicate, PREDICATES.leq)):
        values = list(kind)
        for condition, a, b in product(Predicate, values, values):
            answer = paper.select(condition, a, b)
            if condition is Predicate.BOTTOM or paper.is_bottom(a) or paper.is_bottom(b):
                assert paper.is_bottom(answer)
            for c, d in product(Predicate, values):
                if PREDICATES.leq(condition, c) and leq(a, d):
                    assert leq(answer, paper.select(c, d, b))
                if PREDICATES.leq(condition, c) and leq(b, d):
                    assert leq(answer, paper.select(c, a, d))


def test_select_of_pointers():
    p, q = Pointer(ZERO, ONE), Pointer(ONE, ONE)
    assert paper.select(Predicate.T, p, q) == p
    assert paper.select(Predicate.TF, p, q) == Pointer(TOP, ONE)
    assert paper.select(Predicate.FF_MINUS, p, q) == POINTERS.top
    assert paper.select(Predicate.BOTTOM, p, q) == POINTERS.bottom


def test_short_circuit_keeps_one_thread():
    """``threadIdx.x == 0 && x``, as a phi of false and x after the branch."""
    condition = paper.compare("eq", ONE, ZERO)
    assert paper.select(condition, Predicate.TOP, Predicate.F) is Predicate.FF_MINUS


def test_kinds_do_not_mix():
    for a, b in ((ZERO, Predicate.F), (ZERO, POINTERS.top), (Predicate.T, POINTERS.top)):
        with pytest.raises(ContractError, match="two kinds"):
            paper.join(a, b)
        with pytest.raises(ContractError):
            paper.select(Predicate.T, a, b)


def test_ends_of_all_kinds():
    assert paper.is_bottom(Pointer(BOTTOM, ZERO))
    assert not paper.is_bottom(Pointer(ZERO, BOTTOM))
    assert [paper.top_like(a) for a in (ZERO, Predicate.F, Pointer(ZERO, ZERO))] == [
        TOP,
        Predicate.TOP,
        POINTERS.top,
    ]


# --- pointers --------------------------------------------------------------------------------

POINTER_DOMAIN = Domain(
    lattice=POINTERS,
    elements=tuple(Pointer(a, b) for a, b in product(Multiplier, Multiplier)),
    pairs=st.tuples(INTEGERS.pairs, INTEGERS.pairs).map(
        lambda pair: (Pointer(pair[0][0], pair[1][0]), (pair[0][1], pair[1][1]))
    ),
    contains=lambda p, c: holds(p.address, c[0]) and holds(p.pointee, c[1]),
    abstract=lambda c: Pointer(INTEGERS.abstract(c[0]), INTEGERS.abstract(c[1])),
    names={"Pointer": Pointer, "Multiplier": Multiplier},
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_pointer_laws(law):
    law(POINTER_DOMAIN)


def test_addresses_advance_by_elements():
    base = Pointer(ZERO, ONE)
    assert paper.advance(base, ONE, ZERO) == Pointer(ONE, ONE)
    assert paper.advance(base, ONE, ONE) == Pointer(TOP, ONE)
    assert paper.advance(base) == base
    assert str(paper.advance(base, MINUS_ONE)) == "(−1, 1)"


def test_loads():
    assert paper.load(Pointer(ZERO, TOP)) is ZERO
    assert paper.load(Pointer(ONE, ZERO)) is TOP
    assert paper.load(Pointer(TOP, ZERO)) is TOP
    assert paper.load(Pointer(BOTTOM, TOP)) is BOTTOM
    assert paper.load(Pointer(ZERO, ONE), private=True) is ONE
    assert paper.load(Pointer(ONE, ONE), private=True) is TOP
    assert paper.load(Pointer(ZERO, BOTTOM), private=True) is BOTTOM


def test_wide_strides():
    for size in (1, 2, 4, 8, 16):
        wide = {a: paper.is_wide_stride(a, size) for a in Multiplier}
        assert wide == {BOTTOM: False, ZERO: False, ONE: size > 4, MINUS_ONE: size > 4, TOP: True}
