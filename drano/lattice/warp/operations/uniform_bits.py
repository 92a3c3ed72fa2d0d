"""``and``, ``or`` and ``xor`` of an index and a number that is the same in all lanes, bit by bit.

``tid & (stride - 1)``: the bits that the lanes of a warp differ in are the lowest few of ``tid``.
Each is kept or not by one bit of ``stride - 1``, the same for all lanes: an unknown of its own,
0 or 1. So the result is linear in these bits, exactly; the bits above are one uniform unknown.

Assumes that the lanes' part of the index is known and does not carry into the rest of it.
Limit: the lanes differ in ``MOST_BITS`` bits at the most.
"""

from __future__ import annotations

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, Monomial, UniformBit
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term, loops_of

MOST_BITS = 6


def with_uniform(
    warp: Warp, name: str, a: Form, b: Form, bounds: tuple[int, int] | None
) -> Form | None:
    """``a name b`` with a uniform ``b``, within ``bounds``; None where it is not of this kind."""
    if warp.is_uniform(a) or not warp.is_uniform(b):
        return None
    parts = _parts(warp, a)
    if parts is None:
        return None
    high, low, size = parts
    if name == "and" and a.lo >= 0:
        b = _cut(warp, b, a.hi.bit_length())
    known = _low_bits_known(warp, b)
    const: Coefficient = 0
    terms: dict[Monomial, Coefficient] = {}
    varying = 0
    for place in range(size.bit_length() - 1):
        bit = 1 << place
        mine = warp.space.bitwise("and", low, bit)
        kept, per_one = _by_bit(warp, name, mine, bit)
        const = warp.space.add(const, kept)
        if per_one == 0:
            continue
        if place < known.modulus.bit_length() - 1:
            if known.residue & bit:
                const = warp.space.add(const, per_one)
            continue
        varying += not is_warp_uniform(per_one)
        atom = _bit(warp, b, place)
        terms[atom.terms[0][0]] = per_one
    if varying > MOST_BITS:
        return None
    lows = warp.build(a.bits, terms, const)
    total = warp.add(_high(warp, name, high, b, size, bounds), lows)
    return total if bounds is None else clipped(warp, total, bounds)


def _parts(warp: Warp, a: Form) -> tuple[Form, Coefficient, int] | None:
    """``(high, low, size)``: ``a = high + low``, with a uniform multiple of ``size``, a power of
    two, and a known number below it per lane.
    """
    space = warp.space
    uniform, lanes = warp.split_warp(a)
    if lanes.terms or any(is_vector_term(c) for _, c in uniform.terms):
        return None
    rest = warp.congruence(uniform.terms)
    most = 1 << min(a.bits, 60)
    if uniform.terms:
        most = min(most, rest.modulus & -rest.modulus) if rest.modulus else most
    size = 2
    while size <= most:
        extra = rest.residue % size if uniform.terms else 0
        total = space.add(space.add(uniform.const, extra), lanes.const)
        block = space.floordiv(total, size)
        if is_warp_uniform(block):
            start = space.add(space.mul(block, size), -extra)
            return warp.build(a.bits, dict(uniform.terms), start), space.mod(total, size), size
        size *= 2
    return None


def _cut(warp: Warp, b: Form, bits: int) -> Form:
    """A mask of which only the lowest ``bits`` are asked, with the constant that is nearest to 0:
    an optimiser may have added any multiple of two to their power.
    """
    if not isinstance(b.const, int) or not b.terms or not 0 < bits < b.bits:
        return b
    half = 1 << (bits - 1)
    nearest = (b.const + half) % (2 * half) - half
    return b if nearest == b.const else warp.build(b.bits, dict(b.terms), nearest)


def _by_bit(warp: Warp, name: str, mine: Coefficient, bit: int) -> tuple[Coefficient, Coefficient]:
    """``(x, y)``: one bit of the result is ``x + y * b`` where the other operand's is ``b``."""
    space = warp.space
    if name == "and":
        return 0, mine
    twice = space.mul(mine, -1 if name == "or" else -2)
    return mine, space.add(twice, bit)


def _low_bits_known(warp: Warp, b: Form) -> Congruence:
    """What is known of ``b`` modulo a power of two."""
    known = warp.congruence((*b.terms, ((), b.const)))
    modulus = 1 << min(b.bits, 60)
    if known.modulus:
        modulus = min(modulus, known.modulus & -known.modulus)
    return Congruence(modulus, known.residue)


def _bit(warp: Warp, b: Form, place: int) -> Form:
    return warp.atom(
        ("bit", b, place), b.bits, f"bit {place} of {warp.describe(b)}", Cause.NONLINEAR,
        varying=False, bounds=(0, 1), loops=loops_of(warp, (b,)), bit_of=UniformBit(b, place),
    )  # fmt: skip


def _high(
    warp: Warp, name: str, high: Form, b: Form, size: int, bounds: tuple[int, int] | None
) -> Form:
    """The result's bits from ``size`` on, for a uniform multiple ``high`` of it."""
    if not high.terms and high.const == 0 and name == "and":
        return high
    return warp.atom(
        ("high", name, high, b, size), high.bits,
        f"({warp.describe(high)} {name} {warp.describe(b)})", Cause.NONLINEAR, varying=False,
        bounds=bounds, residue=Congruence(size, 0), loops=loops_of(warp, (high, b)),
    )  # fmt: skip
