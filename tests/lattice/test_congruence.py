"""Congruences against integers: laws, exhaustive small moduli, three-bit words."""

from __future__ import annotations

from itertools import product
from math import gcd

import pytest
from hypothesis import strategies as st

from drano.lattice import congruence
from drano.lattice.congruence import BOTTOM, CONGRUENCES, TOP, Congruence
from tests.lattice import laws
from tests.lattice.laws import Domain, Transfer, check_exhaustively

WINDOW = range(-24, 25)
MODULI = (1, 2, 3, 4, 6, 8)
SMALL = (
    BOTTOM,
    *(Congruence(0, r) for r in (-5, -1, 0, 1, 2, 6)),
    *(Congruence(m, r) for m in MODULI for r in range(m)),
)


def truncated(a: int, b: int) -> tuple[int, int]:
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


RING = {
    "add": Transfer(congruence.add, lambda x, y: x + y),
    "sub": Transfer(congruence.sub, lambda x, y: x - y),
    "mul": Transfer(congruence.mul, lambda x, y: x * y),
    "neg": Transfer(congruence.neg, lambda x: -x, arity=1),
}
BITS = {
    "and": Transfer(congruence.bit_and, lambda x, y: x & y),
    "or": Transfer(congruence.bit_or, lambda x, y: x | y),
    "xor": Transfer(congruence.bit_xor, lambda x, y: x ^ y),
}
SHIFTS = {
    "shl": Transfer(congruence.shl, lambda x, s: x << s if s >= 0 else None),
    "lshr": Transfer(congruence.lshr, lambda x, s: x >> s if s >= 0 else None),
}
DIVISORS = (-4, -3, -1, 1, 2, 3, 4, 8)
BY_CONSTANT = {
    f"{function.__name__} {d}": Transfer(
        lambda a, f=function, d=d: f(a, d),
        lambda x, c=concrete, d=d: c(x, d),
        arity=1,
    )
    for function, concrete, divisors in (
        (congruence.floordiv, lambda x, d: x // d, [d for d in DIVISORS if d > 0]),
        (congruence.urem, lambda x, d: x % d, [d for d in DIVISORS if d > 0]),
        (congruence.sdiv, lambda x, d: truncated(x, d)[0], DIVISORS),
        (congruence.srem, lambda x, d: truncated(x, d)[1], DIVISORS),
    )
    for d in divisors
}
WRAPS = {
    f"wrap {bits} {'signed' if signed else 'unsigned'}": Transfer(
        lambda a, b=bits, s=signed: congruence.wrap(a, b, signed=s),
        lambda x, b=bits, s=signed: (x + (1 << b >> 1) * s) % (1 << b) - (1 << b >> 1) * s,
        arity=1,
    )
    for bits, signed in product((1, 2, 3, 4), (False, True))
}
TRANSFERS = RING | BITS | SHIFTS | BY_CONSTANT | WRAPS

elements = st.one_of(
    st.just(BOTTOM),
    st.integers(-300, 300).map(Congruence.constant),
    st.builds(Congruence, st.integers(1, 300), st.integers(0, 300)),
)


def member(a: Congruence) -> st.SearchStrategy[tuple[Congruence, int]]:
    if a.is_constant:
        return st.just((a, a.residue))
    return st.integers(-20, 20).map(lambda k: (a, a.residue + k * a.modulus))


DOMAIN: Domain[Congruence, int] = Domain(
    lattice=CONGRUENCES,
    strategy=elements,
    pairs=elements.filter(lambda a: not a.is_bottom).flatmap(member),
    contains=Congruence.contains,
    abstract=Congruence.constant,
    names={"Congruence": Congruence},
    transfers=TRANSFERS,
)
LISTED: Domain[Congruence, int] = Domain(
    lattice=CONGRUENCES,
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
        assert CONGRUENCES.leq(a, b) == inside, (a, b)


def test_meet_is_the_intersection():
    for a, b in product(SMALL, SMALL):
        both = CONGRUENCES.meet(a, b)
        for v in WINDOW:
            assert both.contains(v) == (a.contains(v) and b.contains(v)), (a, b, v)


# The rest is what the functions give up (powers of two modulo odd numbers: no overflow keeps
# them; right shifts by unknown amounts), and what so few shift amounts below 24 make look certain.
EXACT = {"shl": (666, 901), "lshr": (805, 901)}


@pytest.mark.parametrize("name", TRANSFERS)
def test_exhaustively_sound_and_precise(name):
    found = check_exhaustively(LISTED, TRANSFERS[name])
    assert (found.exact, found.cases) == EXACT.get(name, (found.cases, found.cases))


WORD = 3
WORDS = Domain(
    lattice=CONGRUENCES,
    elements=(
        *(Congruence(0, r) for r in range(8)),
        *(Congruence(m, r) for m in (1, 2, 4) for r in range(m)),
    ),
    pairs=DOMAIN.pairs,
    contains=Congruence.contains,
    abstract=Congruence.constant,
    names=DOMAIN.names,
    universe=range(8),
)


@pytest.mark.parametrize("name", [*RING, *BITS])
def test_machine_words_wrap_soundly(name):
    """Three-bit unsigned words: the integer operation, then ``wrap``."""
    plain = TRANSFERS[name]
    found = check_exhaustively(
        WORDS,
        Transfer(
            lambda *a: congruence.wrap(plain.abstract(*a), WORD),
            lambda *x: plain.concrete(*x) % 8,
            arity=plain.arity,
        ),
    )
    assert found.cases == len(WORDS.elements) ** plain.arity


def test_a_modulus_that_is_no_power_of_two_does_not_survive_overflow():
    assert congruence.wrap(Congruence(12, 5), 32) == Congruence(4, 1)
    assert congruence.wrap(Congruence(3, 1), 32) == TOP
    assert congruence.wrap(Congruence.constant(257), 8) == Congruence.constant(1)
    assert congruence.wrap(Congruence.constant(255), 8, signed=True) == Congruence.constant(-1)


def test_decided_by_the_residue():
    block = Congruence.multiple(256)
    assert congruence.bit_and(block, Congruence.constant(31)) == Congruence.constant(0)
    assert congruence.urem(block, 32) == Congruence.constant(0)
    assert congruence.lshr(block, Congruence.constant(4)) == Congruence.multiple(16)
    assert congruence.bit_and(TOP, Congruence.constant(-32)) == Congruence.multiple(32)
    assert congruence.shl(TOP, Congruence(0, 5)) == Congruence.multiple(32)
    assert congruence.shl(TOP, Congruence(8, 2)) == Congruence.multiple(4)
    assert congruence.bit_xor(Congruence(12, 5), Congruence.constant(3)) == Congruence(12, 6)
    assert congruence.bit_xor(Congruence(12, 5), Congruence.constant(-1)) == Congruence(12, 6)


def test_equality_is_three_valued():
    assert congruence.equal(Congruence.constant(4), Congruence.constant(4)) is True
    assert congruence.equal(Congruence(4, 1), Congruence(6, 2)) is False
    assert congruence.equal(Congruence(4, 1), Congruence(6, 3)) is None
    assert congruence.equal(Congruence(4, 1), Congruence(4, 1)) is None
    assert congruence.equal(BOTTOM, TOP) is None


@pytest.mark.parametrize("a", SMALL, ids=repr)
@pytest.mark.parametrize("divisor", [1, 2, 3, 4, 5, 12])
def test_divisibility_is_three_valued(a, divisor):
    answers = {v % divisor == 0 for v in range(-120, 121) if a.contains(v)}
    expected = answers.pop() if len(answers) == 1 else None
    assert a.is_multiple_of(divisor) is expected


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


@pytest.mark.parametrize("divisor", [0, -4])
def test_no_division_by_nothing(divisor):
    for function in (congruence.floordiv, congruence.urem):
        assert function(Congruence.constant(8), divisor) == TOP
        assert function(BOTTOM, divisor) == BOTTOM
    if divisor == 0:
        assert congruence.sdiv(Congruence.constant(8), 0) == TOP
        assert congruence.srem(Congruence.constant(8), 0) == TOP
        assert congruence.sdiv(BOTTOM, 0) == BOTTOM


def test_huge_shifts_do_not_build_huge_numbers():
    far = Congruence.constant(1 << 60)
    assert congruence.shl(TOP, far) == Congruence.multiple(1 << congruence.MAX_SHIFT)
    assert congruence.wrap(congruence.shl(TOP, far), 64) == Congruence.constant(0)
    assert congruence.lshr(Congruence.constant(1), far) == TOP


def test_chains_are_short():
    value = Congruence.constant(0)
    for step in (1 << k for k in reversed(range(64))):
        value = CONGRUENCES.widen(value, CONGRUENCES.join(value, Congruence.constant(step)))
        assert value.modulus == gcd(value.modulus, step)
    assert value == TOP
