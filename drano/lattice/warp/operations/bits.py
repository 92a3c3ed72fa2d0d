"""Shifts, masks and changes of width."""

from __future__ import annotations

from collections.abc import Hashable
from math import gcd

import numpy as np

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, signed_range, unsigned_range
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform
from drano.lattice.warp.operations.division import divisible, floordiv, low_bits
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term, loops_of, unknown


def shift_left(warp: Warp, a: Form, b: Form, *, nsw: bool, nuw: bool, key: Hashable) -> Form:
    """``a << b``."""
    if not b.terms and isinstance(b.const, int):
        if not 0 <= b.const < a.bits:
            return unknown(warp, key, a.bits, (a, b), "shift past the width")
        return warp.mul(a, warp.constant(1 << b.const, a.bits), nsw=nsw, nuw=nuw)
    if not b.terms and b.lo >= 0 and b.hi < min(a.bits, 61):
        data = warp.space.array(b.const)
        return warp.mul(a, warp.lanes(warp.space.intern(np.int64(1) << data), a.bits), nsw=nsw)
    if warp.is_uniform(b):
        power = warp.atom(
            ("pow2", b), a.bits, f"2^({warp.describe(b)})", Cause.NONLINEAR, varying=False,
            bounds=(1, 1 << (a.bits - 1)), loops=loops_of(warp, (b,)),
        )  # fmt: skip
        return warp.mul(a, power, nsw=nsw, nuw=nuw)
    return unknown(warp, key, a.bits, (a, b), "shift by an amount that differs between lanes")


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
    bounds = None
    exact = warp.as_unsigned(a)
    if exact is not None:
        bounds = (0, exact.hi) if not signed or exact.hi <= signed_range(a.bits)[1] else None
    return unknown(warp, key, a.bits, (a, b), "shift by an unknown amount", bounds)


def bitwise(warp: Warp, name: str, a: Form, b: Form, *, key: Hashable) -> Form:
    """``and``, ``or``, ``xor``."""
    for value, other in ((a, b), (b, a)):
        if not value.terms and isinstance(value.const, int):
            simple = _with_constant(warp, name, other, value.const)
            if simple is not None:
                return simple
    if a == b:
        return warp.constant(0, a.bits) if name == "xor" else warp.hull((a, b))
    blocks = _split_blocks(warp, name, a, b)
    if blocks is not None:
        return blocks
    bounds = None
    if a.lo >= 0 and b.lo >= 0:
        top = min(a.hi, b.hi) if name == "and" else (1 << max(a.hi, b.hi).bit_length()) - 1
        bounds = (0, top)
    return unknown(warp, key, a.bits, (a, b), f"bitwise {name} of unknown values", bounds)


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
    lowest = unsigned & -unsigned
    run = unsigned // lowest + 1
    if run & (run - 1) == 0:  # one run of ones: bits [k, k + n)
        inner = low_bits(warp, a, lowest * run)
        return warp.sub(inner, low_bits(warp, inner, lowest)) if lowest > 1 else inner
    zeros = ones ^ unsigned
    if (zeros & -zeros) == 1 and zeros & (zeros + 1) == 0:  # clears the low bits
        return warp.sub(a, low_bits(warp, a, zeros + 1))
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


def truncate(warp: Warp, a: Form, bits: int) -> Form:
    """The low ``bits`` bits."""
    size = 1 << bits
    terms: dict[tuple[int, ...], Coefficient] = {}
    for monomial, coefficient in a.terms:
        if isinstance(coefficient, int) and coefficient % size == 0:
            continue
        if isinstance(coefficient, int) and not -size < coefficient < size:
            terms[monomial] = (coefficient + size // 2) % size - size // 2
        else:
            terms[monomial] = coefficient
    result = warp.build(bits, terms, a.const)
    if result.terms == a.terms:
        return Form(bits, result.terms, result.const, a.lo, a.hi)
    return result


def extend(warp: Warp, a: Form, bits: int, *, signed: bool) -> Form:
    """``sext`` / ``zext``. What may wrap gets a *wrap atom*: ``2**old_bits`` times an unknown."""
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    if exact is not None:
        return Form(bits, exact.terms, exact.const, exact.lo, exact.hi)
    bounds = signed_range(a.bits) if signed else unsigned_range(a.bits)
    name = "sext" if signed else "zext"
    loops = loops_of(warp, (a,))
    if warp.is_uniform(a):
        return warp.atom(
            (name, a), bits, warp.describe(a), Cause.NONLINEAR, varying=False, bounds=bounds,
            residue=_wrapped_residue(warp, a), loops=loops,
            likely=_wrapped_residue(warp, a, likely=True),
        )  # fmt: skip
    uniform, lanes = warp.split_warp(a)
    if not lanes.terms and not any(is_vector_term(c) for _, c in uniform.terms):
        known = _wrapped_residue(warp, warp.build(a.bits, dict(uniform.terms), 0))
        size = min(known.modulus, 1 << (a.bits - 1))
        space = warp.space
        total = space.add(space.add(uniform.const, known.residue % size), lanes.const)
        block = space.floordiv(total, size)
        if size > 1 and is_warp_uniform(block):
            base = warp.build(
                a.bits, dict(uniform.terms),
                space.add(space.mul(block, size), -(known.residue % size)),
            )  # fmt: skip
            start = warp.atom(
                (name, base), bits, warp.describe(base), Cause.NONLINEAR, varying=False,
                bounds=(bounds[0], bounds[1] - size + 1), residue=Congruence(size, 0), loops=loops,
            )  # fmt: skip
            return warp.add(start, warp.lanes(space.mod(total, size), bits))
    turns = (a.lo >> a.bits, (a.hi >> a.bits) + 1)
    wrap = warp.atom(
        ("wrap", name, a), bits, f"{a.bits}-bit arithmetic that may wrap around", Cause.WRAP,
        varying=True,
        bounds=(-turns[1], -turns[0] + 1), loops=loops, data=warp.is_data(a),
    )  # fmt: skip
    warp.atoms[wrap.terms[0][0][0]].wrapped = a
    wide = Form(bits, a.terms, a.const, a.lo, a.hi)
    return clipped(warp, warp.add(wide, warp.scale(wrap, 1 << a.bits)), bounds)


def _wrapped_residue(warp: Warp, a: Form, *, likely: bool = False) -> Congruence:
    """Residue that survives wrap-around at the width: the power-of-two part."""
    plain = [(m, c) for m, c in a.terms if isinstance(c, int)]
    if len(plain) != len(a.terms) or not isinstance(a.const, int):
        return congruences.TOP
    known = warp.congruence(plain, likely=likely)
    modulus = gcd(known.modulus, 1 << a.bits)
    return Congruence(modulus, (known.residue + a.const) % modulus)
