"""Shifts and masks."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, Predicate, signed_range
from drano.lattice.warp.lanes import LIMIT, is_warp_uniform
from drano.lattice.warp.operations.division import divisible, floordiv, low_bits
from drano.lattice.warp.operations.selection import select
from drano.lattice.warp.operations.steps import stepped
from drano.lattice.warp.operations.uniform_bits import with_uniform
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term, loops_of, unknown
from drano.lattice.warp.operations.widths import extend, reading, truncate


def shift_left(warp: Warp, a: Form, b: Form, *, nsw: bool, nuw: bool, key: Hashable) -> Form:
    """``a << b``."""
    if not b.terms and isinstance(b.const, int):
        if not 0 <= b.const < a.bits:
            return unknown(warp, key, a.bits, (a, b), "shift past the width")
        return warp.mul(a, warp.constant(1 << b.const, a.bits), nsw=nsw, nuw=nuw)
    if not b.terms and b.lo >= 0 and b.hi < min(a.bits, 61):
        data = warp.space.array(b.const)
        return warp.mul(a, warp.lanes(warp.space.intern(np.int64(1) << data), a.bits), nsw=nsw)
    either = _by_choice(warp, b)
    if either is not None:
        chosen, *counts = either
        ways = (warp.constant(count, b.bits) for count in counts)
        left, right = (shift_left(warp, a, n, nsw=nsw, nuw=nuw, key=(key, n)) for n in ways)
        return select(warp, chosen, left, right)
    if warp.is_uniform(b):
        return warp.mul(a, _power(warp, a.bits, b), nsw=nsw, nuw=nuw)
    return unknown(warp, key, a.bits, (a, b), "shift by an amount that differs between lanes")


def _by_choice(warp: Warp, b: Form) -> tuple[Predicate, int, int] | None:
    """The condition of one of two numbers, the number where it holds, and the other one."""
    if len(b.terms) != 1 or not isinstance(b.const, int):
        return None
    ((monomial, coefficient),) = b.terms
    atom = warp.atoms[monomial[0]]
    known = len(monomial) == 1 and isinstance(coefficient, int) and (atom.lo, atom.hi) == (0, 1)
    if not known or atom.predicate is None or not isinstance(coefficient, int):
        return None
    return atom.predicate, b.const + coefficient, b.const


def _power(warp: Warp, bits: int, b: Form) -> Form:
    """Two to the power of a uniform ``b``."""
    return warp.atom(
        ("pow2", b), bits, f"2^({warp.describe(b)})", Cause.NONLINEAR, varying=False,
        bounds=(1, 1 << (bits - 1)), loops=loops_of(warp, (b,)),
    )  # fmt: skip


def shift_right(warp: Warp, a: Form, b: Form, *, signed: bool, key: Hashable) -> Form:
    """``ashr`` / ``lshr``."""
    if not b.terms and isinstance(b.const, int) and 0 <= b.const < a.bits:
        count = b.const
        exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
        if exact is not None:
            return floordiv(warp, exact, 1 << count)
        if all(divisible(c, 1 << count) for _, c in a.terms) and divisible(a.const, 1 << count):
            # (x << k) >> k: the low bits of x, extended
            narrow = warp.build(
                a.bits - count,
                {m: warp.space.floordiv(c, 1 << count) for m, c in a.terms},
                warp.space.floordiv(a.const, 1 << count),
            )
            return extend(warp, narrow, a.bits, signed=signed)
        uniform = extend(warp, a, 2 * a.bits, signed=signed)
        return truncate(warp, floordiv(warp, uniform, 1 << count), a.bits)
    known = _shifted_lanes(warp, a, b, signed=signed)
    if known is not None:
        return known
    either = _by_choice(warp, b)
    if either is not None:
        chosen, *counts = either
        ways = (warp.constant(count, b.bits) for count in counts)
        left, right = (shift_right(warp, a, n, signed=signed, key=(key, n)) for n in ways)
        return select(warp, chosen, left, right)
    bounds = None
    exact = warp.as_unsigned(a)
    if exact is not None:
        bounds = (0, exact.hi) if not signed or exact.hi <= signed_range(a.bits)[1] else None
    dividend = reading(warp, a, signed=signed)
    if dividend is not None and warp.is_uniform(b) and not warp.is_uniform(a):
        power, name = _power(warp, a.bits, b), "ashr" if signed else "lshr"
        reason = f"shift by {warp.describe(b)}"
        found = stepped(warp, (name, a, b, dividend.bits), a.bits, dividend, power, 1, reason,
                        bounds, rises=True)  # fmt: skip
        if found is not None:
            return found
    return unknown(warp, key, a.bits, (a, b), "shift by an unknown amount", bounds)


def _shifted_lanes(warp: Warp, a: Form, b: Form, *, signed: bool) -> Form | None:
    """Of numbers and counts that are known in each lane: ``0xFFFFFFFF >> 31 - lane``."""
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    if exact is None or exact.terms or b.terms or b.lo < 0 or b.hi >= a.bits:
        return None
    if max(-exact.lo, exact.hi) >= LIMIT:
        return None
    data = warp.space.array(exact.const) >> warp.space.array(b.const)
    return warp.lanes(warp.space.intern(data), a.bits)


def bitwise(warp: Warp, name: str, a: Form, b: Form, *, key: Hashable) -> Form:
    """``and``, ``or``, ``xor``."""
    for value, other in ((a, b), (b, a)):
        if not value.terms and isinstance(value.const, int):
            simple = _with_constant(warp, name, other, value.const)
            if simple is not None:
                return simple
    if a == b:
        return warp.constant(0, a.bits) if name == "xor" else warp.hull((a, b))
    if not a.terms and not b.terms:
        return warp.lanes(warp.space.bitwise(name, a.const, b.const), a.bits)
    blocks = _split_blocks(warp, name, a, b)
    if blocks is not None:
        return blocks
    bounds = _bounds(name, a, b)
    for value, other in ((a, b), (b, a)):
        by_bits = with_uniform(warp, name, value, other, bounds)
        if by_bits is not None:
            return by_bits
        if name == "xor" and not value.terms and isinstance(value.const, int):
            flipped = _with_one_bit(warp, other, value.const)
            if flipped is not None:
                return flipped if bounds is None else clipped(warp, flipped, bounds)
    return unknown(warp, key, a.bits, (a, b), f"bitwise {name} of unknown values", bounds)


def _with_one_bit(warp: Warp, a: Form, flipped: int) -> Form | None:
    """``a ^ 2``: ``a + 2``, and 4 less where that bit is set, whatever ``a`` wraps to. So LLVM adds
    to what it takes the last bits of.
    """
    if flipped <= 0 or flipped & (flipped - 1) or 2 * flipped >= 1 << a.bits or warp.is_uniform(a):
        return None
    bit = floordiv(warp, low_bits(warp, a, 2 * flipped), flipped)
    set_off = warp.scale(bit, -2 * flipped)
    return warp.add(warp.add(a, warp.constant(flipped, a.bits)), set_off)


def _bounds(name: str, a: Form, b: Form) -> tuple[int, int] | None:
    """Of the result's bits, read as an unsigned number."""
    if name == "and":
        tops = [value.hi for value in (a, b) if value.lo >= 0]
        return (0, min(tops)) if tops else None
    if a.lo >= 0 and b.lo >= 0:
        return 0, (1 << max(a.hi, b.hi).bit_length()) - 1
    return None


def _with_constant(warp: Warp, name: str, a: Form, mask: int) -> Form | None:
    bits = a.bits
    unsigned = mask % (1 << bits)
    ones = (1 << bits) - 1
    if unsigned in {0, ones}:
        if name == "and":
            return a if unsigned else warp.constant(0, bits)
        if name == "or":
            return warp.constant(-1, bits) if unsigned else a
        return warp.sub(warp.constant(-1, bits), a) if unsigned else a
    if name != "and":
        return None
    zeros = ones ^ unsigned
    if (zeros & -zeros) == 1 and zeros & (zeros + 1) == 0:  # clears the low bits
        # So that it stays known what it is a multiple of; what a loop rounds up again and again
        # would be a quotient of a quotient in each round, and never come to rest.
        fixed = warp.is_uniform(a) and not loops_of(warp, (a,))
        exact = warp.as_signed(a) if fixed else None
        if exact is not None:
            return warp.scale(floordiv(warp, exact, zeros + 1), zeros + 1)
        return warp.sub(a, low_bits(warp, a, zeros + 1))
    lowest = unsigned & -unsigned
    run = unsigned // lowest + 1
    if run & (run - 1) == 0:  # one run of ones: bits [k, k + n)
        inner = low_bits(warp, a, lowest * run)
        return warp.sub(inner, low_bits(warp, inner, lowest)) if lowest > 1 else inner
    return None


def _split_blocks(warp: Warp, name: str, a: Form, b: Form) -> Form | None:
    """Split both at a power of two into a uniform high part and known low lanes."""
    parts = []
    size = 1 << min(a.bits, 60)
    for value in (a, b):
        uniform, lanes = warp.split_warp(value)
        if lanes.terms or any(is_vector_term(c) for _, c in uniform.terms):
            return None
        known = warp.congruence(uniform.terms)
        if uniform.terms:
            power = known.modulus & -known.modulus if known.modulus else 1
            size = min(size, power)
        parts.append((uniform, lanes, known))
    if size == 1:
        return None
    highs, lows = [], []
    space = warp.space
    for uniform, lanes, known in parts:
        total = space.add(space.add(uniform.const, known.residue % size), lanes.const)
        block = space.floordiv(total, size)
        if not is_warp_uniform(block):
            return None
        lows.append(space.mod(total, size))
        highs.append(
            warp.build(
                a.bits,
                dict(uniform.terms),
                space.add(space.mul(block, size), -(known.residue % size)),
            )
        )
    bottom = warp.lanes(space.bitwise(name, lows[0], lows[1]), a.bits)
    high_a, high_b = highs
    if not high_a.terms and not high_b.terms:
        top = warp.lanes(space.bitwise(name, high_a.const, high_b.const), a.bits)
        return warp.add(top, bottom)
    for one, other in ((high_a, high_b), (high_b, high_a)):
        if not one.terms and one.const == 0:
            return bottom if name == "and" else warp.add(other, bottom)
    if high_a == high_b:
        return bottom if name == "xor" else warp.add(high_a, bottom)
    both = (high_a, high_b)
    top_range = (0, max(high_a.hi, high_b.hi) * 2) if min(high_a.lo, high_b.lo) >= 0 else None
    return warp.add(
        warp.atom(
            (name, *both), a.bits, f"({warp.describe(high_a)} {name} {warp.describe(high_b)})",
            Cause.NONLINEAR, varying=False, bounds=top_range, residue=Congruence(size, 0),
            loops=loops_of(warp, both),
        ),
        bottom,
    )  # fmt: skip
