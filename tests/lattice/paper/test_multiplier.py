"""The paper's integers against every warp of 4 threads x 3 bits, wrap-around included."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import strategies as st

from drano.lattice.paper import multiplier
from drano.lattice.paper.multiplier import BINARY, CASTS, MULTIPLIERS, Multiplier, binary, cast
from tests.lattice import laws
from tests.lattice.laws import Domain, Precision, Transfer, check_exhaustively
from tests.lattice.words import BITS, LANES, OPERATIONS, SIZE, WARPS, Warp, lanewise, signed

BOTTOM, ZERO, ONE, MINUS_ONE, TOP = Multiplier
COEFFICIENTS = {ZERO: 0, ONE: 1, MINUS_ONE: -1}
LITERALS = range(-SIZE // 2, SIZE // 2)


def contains(a: Multiplier, warp: Warp, size: int = SIZE) -> bool:
    if a in (BOTTOM, TOP):
        return a is TOP
    step = COEFFICIENTS[a]
    return all((word - warp[0] - step * t) % size == 0 for t, word in enumerate(warp))


def abstract(warp: Warp) -> Multiplier:
    return next((a for a in COEFFICIENTS if contains(a, warp)), TOP)


def literal_warp(value: int) -> Warp:
    return (value % SIZE,) * LANES


def binary_transfer(op: str) -> Transfer:
    return Transfer(lambda a, b: binary(op, a, b), lanewise(OPERATIONS[op]))


def literal_transfers() -> dict[str, Transfer]:
    transfers = {}
    for op, value in product(OPERATIONS, LITERALS):
        run, constant = lanewise(OPERATIONS[op]), literal_warp(value)
        transfers[f"x {op} {value}"] = Transfer(
            lambda a, op=op, k=value: binary(op, a, ZERO, right=k),
            lambda x, run=run, c=constant: run(x, c),
            arity=1,
        )
        transfers[f"{value} {op} x"] = Transfer(
            lambda a, op=op, k=value: binary(op, ZERO, a, left=k),
            lambda x, run=run, c=constant: run(c, x),
            arity=1,
        )
    return transfers


PLAIN = {op: binary_transfer(op) for op in OPERATIONS} | {
    "neg": Transfer(multiplier.neg, lambda x: tuple(-w % SIZE for w in x), arity=1),
    "trunc": Transfer(lambda a: cast("trunc", a), lambda x: x, arity=1),
}
LITERAL = literal_transfers()

MEMBERS = {a: [w for w in WARPS if contains(a, w)] for a in Multiplier if a is not BOTTOM}
DOMAIN: Domain[Multiplier, Warp] = Domain(
    lattice=MULTIPLIERS,
    elements=tuple(Multiplier),
    pairs=st.sampled_from(list(MEMBERS)).flatmap(
        lambda a: st.sampled_from(MEMBERS[a]).map(lambda warp: (a, warp))
    ),
    contains=contains,
    abstract=abstract,
    names={"Multiplier": Multiplier},
    universe=WARPS,
    transfers=PLAIN,
)


@pytest.mark.parametrize("law", laws.LAWS, ids=laws.name_of)
def test_laws(law):
    law(DOMAIN)


def test_concretisation_sizes():
    assert {str(a): len(members) for a, members in MEMBERS.items()} == {
        "0": 8,
        "1": 8,
        "−1": 8,
        "⊤": 4096,
    }


def test_every_transfer_is_tested():
    floating = {op for op in BINARY if op.startswith("f")}
    assert set(BINARY) - floating == set(OPERATIONS)
    assert floating == {"fadd", "fsub", "fmul", "fdiv", "frem"}


# Four threads cannot shift by four different amounts below 3: shifts by ±1 have no result.
CASES = {"shl": 17, "lshr": 17, "ashr": 17, "neg": 5, "trunc": 5}


@pytest.mark.parametrize("op", PLAIN)
def test_exhaustively_sound_and_as_precise_as_the_domain_allows(op):
    cases = CASES.get(op, 25)
    assert check_exhaustively(DOMAIN, PLAIN[op]) == Precision(cases, cases)


def test_literals_exhaustively_sound_and_precise():
    lost = {}
    exact = cases = 0
    for name, transfer in LITERAL.items():
        found = check_exhaustively(DOMAIN, transfer)
        exact += found.exact
        cases += found.cases
        if found.exact != found.cases:
            lost[name] = found.cases - found.exact
    # Flipping the sign bit (``x ^ -4`` adds 4), alone or with all others, keeps ±1: it takes the
    # width to see it.
    assert lost == {"x xor -4": 2, "-4 xor x": 2, "x xor 3": 2, "3 xor x": 2}
    assert (exact, cases) == (908, 916)


@pytest.mark.parametrize("name", LITERAL)
def test_literal_transfers_are_monotone(name):
    transfer = LITERAL[name]
    for a, b in product(Multiplier, Multiplier):
        if MULTIPLIERS.leq(a, b):
            assert MULTIPLIERS.leq(transfer.abstract(a), transfer.abstract(b))


def extend(warp: Warp, *, signed_reading: bool) -> Warp:
    read = [signed(word) if signed_reading else word for word in warp]
    return tuple(word % (SIZE * SIZE) for word in read)


@pytest.mark.parametrize("op", ["zext", "sext"])
def test_extensions_are_sound_where_nothing_wraps_inside_the_warp(op):
    kept = broken = 0
    for a, warps in MEMBERS.items():
        for warp in warps:
            read = [signed(word) for word in warp] if op == "sext" else list(warp)
            step = COEFFICIENTS.get(a, 0)
            steady = all(word == read[0] + step * t for t, word in enumerate(read))
            held = contains(cast(op, a), extend(warp, signed_reading=op == "sext"), SIZE * SIZE)
            if a is TOP or steady:
                assert held, (op, a, warp)
                kept += 1
            else:
                # The documented assumption is needed: each wrapping warp does break it.
                assert not held
                broken += 1
    assert (kept, broken) == (4096 + 8 + 5 + 5, 3 + 3)


def test_truncation_is_exact_modulo_the_narrower_width():
    narrow = SIZE // 2
    for a, warps in MEMBERS.items():
        for warp in warps:
            assert contains(cast("trunc", a), tuple(word % narrow for word in warp), narrow)
    assert narrow >= LANES
    assert BITS == 3


def test_conversions_to_and_from_floats_forget_the_coefficient():
    for op in ("sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc", "fneg"):
        assert [cast(op, a) for a in Multiplier] == [BOTTOM, ZERO, TOP, TOP, TOP]


@pytest.mark.parametrize("arity", [1, 2, 3])
def test_opaque_is_sound_for_any_function(arity):
    for arguments in product(Multiplier, repeat=arity):
        answer = multiplier.opaque(*arguments)
        if BOTTOM in arguments:
            assert answer is BOTTOM
        elif set(arguments) == {ZERO}:
            assert answer is ZERO
        else:
            assert answer is TOP


def test_unknown_opcodes_are_top_never_bottom():
    assert binary("frobnicate", ZERO, ZERO) is TOP
    assert cast("frobnicate", ZERO) is TOP
    assert binary("frobnicate", BOTTOM, ZERO) is BOTTOM
    assert set(CASTS) >= {"zext", "sext", "trunc"}


def test_remainders_and_shifts_of_thread_indices_are_unknown():
    """Unlike the original implementation, which keeps the left operand's coefficient."""
    assert binary("urem", ONE, ZERO, right=16) is TOP
    assert binary("lshr", ONE, ZERO, right=4) is TOP
    assert binary("mul", ONE, ZERO, right=2) is TOP
    assert binary("mul", ONE, ZERO, right=-1) is MINUS_ONE
    assert binary("shl", ONE, ZERO, right=0) is ONE
