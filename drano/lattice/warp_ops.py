"""Operations of the warp domain that need the *integer* behind the bits.

Division, remainder, shifts, masks, extension and comparison are exact wherever ranges and
residues decide them; elsewhere they give a fresh atom, uniform when their operands are, varying
with a reason when not. Keys of atoms are the operation and its operands, so that equal
expressions stay equal (and ``x / n * n + x % n`` cancels back to ``x``).

Each function is total: ``LaneOverflowError`` from below becomes an unknown.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from math import gcd

import numpy as np

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.lanes import (
    LIMIT,
    Coefficient,
    LaneOverflowError,
    LaneVector,
    high,
    is_warp_uniform,
    low,
)
from drano.lattice.warp import (
    Atom,
    Cause,
    Form,
    Predicate,
    Shape,
    Value,
    Warp,
    signed_range,
    unsigned_range,
)

NEGATED = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip


def unknown(
    warp: Warp,
    key: Hashable,
    bits: int,
    operands: tuple[Value, ...],
    reason: str,
    bounds: tuple[int, int] | None = None,
) -> Form:
    """Result of an operation that is a function of its operands and nothing more is known.

    Uniform operands give a uniform result.
    """
    varying = not all(warp.is_uniform(operand) for operand in operands)
    data = varying and any(warp.is_data(operand) for operand in operands)
    cause = Cause.NONLINEAR
    if data:
        cause = Cause.MEMORY
        for operand in operands:
            for atom in warp.varying_atoms(operand):
                if atom.data:
                    reason = atom.name
    loops = loops_of(warp, operands)
    return warp.atom(
        key, bits, reason, cause, varying=varying, bounds=bounds, loops=loops, data=data
    )


def loops_of(warp: Warp, operands: tuple[Value, ...]) -> frozenset[int]:
    """Loops in whose iterations a function of ``operands`` changes: those of their atoms."""
    found: frozenset[int] = frozenset()
    for operand in operands:
        if isinstance(operand, Form):
            for monomial, _ in operand.terms:
                for number in monomial:
                    found |= warp.atoms[number].loops
        elif isinstance(operand, Predicate):
            found |= operand.loops
        else:
            found |= loops_of(warp, operand.elements)
    return found


# --- division --------------------------------------------------------------------------------


def _divisible(coefficient: Coefficient, divisor: int) -> bool:
    if isinstance(coefficient, int):
        return coefficient % divisor == 0
    if divisor >= LIMIT:
        return False  # its elements are smaller, and not all zero
    return bool((coefficient.data % divisor == 0).all())


def _exact_divide(warp: Warp, coefficient: Coefficient, divisor: int) -> Coefficient:
    return warp.space.floordiv(coefficient, divisor)


def floordiv(warp: Warp, a: Form, divisor: int) -> Form:
    """``floor(a / divisor)`` of the integer ``a`` itself (not of its bits); ``divisor`` > 0.

    Example: ``(32*W + lane) / 4 == 8*W + lane/4``.
    """
    space, bits = warp.space, a.bits
    bounds = (a.lo // divisor, a.hi // divisor)
    if bounds[0] == bounds[1]:
        return warp.constant(bounds[0], bits)
    whole = {m: space.floordiv(c, divisor) for m, c in a.terms if _divisible(c, divisor)}
    left = [(m, c) for m, c in a.terms if not _divisible(c, divisor)]
    if not left:
        return warp.build(bits, whole, space.floordiv(a.const, divisor), bounds)
    rest = warp.build(bits, dict(left), a.const)
    if warp.is_uniform(rest):
        quotient = warp.atom(
            ("floordiv", rest, divisor), bits, f"({warp.describe(rest)})/{divisor}",
            Cause.NONLINEAR, varying=False, bounds=(rest.lo // divisor, rest.hi // divisor),
            loops=loops_of(warp, (rest,)),
        )  # fmt: skip
        return _clipped(warp, warp.add(warp.build(bits, whole, 0), quotient), bounds)
    uniform, lanes = warp.split_warp(rest)
    if not lanes.terms and not any(is_vector_term(c) for _, c in uniform.terms):
        result = _divide_with_phase(warp, uniform, lanes.const, divisor)
        if result is not None:
            return _clipped(warp, warp.add(warp.build(bits, whole, 0), result), bounds)
    quotient = unknown(
        warp, ("floordiv", rest, divisor), bits, (rest,),
        f"division by {divisor} of an index whose alignment is unknown",
        (rest.lo // divisor, rest.hi // divisor),
    )  # fmt: skip
    return _clipped(warp, warp.add(warp.build(bits, whole, 0), quotient), bounds)


def is_vector_term(coefficient: Coefficient) -> bool:
    """Whether a coefficient is a vector (here: one that differs between warps)."""
    return isinstance(coefficient, LaneVector)


def _divide_with_phase(warp: Warp, uniform: Form, lanes: Coefficient, divisor: int) -> Form | None:
    """``floor((uniform + lanes) / divisor)`` when the residue of ``uniform`` decides the lanes."""
    space = warp.space
    known = warp.congruence(uniform.terms)
    if known.modulus == 0:
        return None
    modulus = gcd(known.modulus, divisor)
    # uniform terms are == r (mod modulus); the base of each warp's lanes is in the constant
    offset = space.add(uniform.const, known.residue % modulus)
    terms = warp.build(uniform.bits, dict(uniform.terms), -(known.residue % modulus))
    quotient = warp.atom(
        ("floordiv", terms, divisor), uniform.bits,
        f"({warp.describe(uniform)})/{divisor}", Cause.NONLINEAR, varying=False,
        bounds=(terms.lo // divisor, terms.hi // divisor),
        loops=loops_of(warp, (uniform,)),
    )  # fmt: skip
    total = space.add(offset, lanes)
    if modulus == divisor:
        return warp.add(quotient, warp.lanes(space.floordiv(total, divisor), uniform.bits))
    # the phase k*modulus is unknown: fine when no phase cuts between two lanes
    if not is_warp_uniform(space.floordiv(total, modulus)):
        return None
    return warp.atom(
        ("floordiv", uniform, divisor), uniform.bits, f"({warp.describe(uniform)})/{divisor}",
        Cause.NONLINEAR, varying=False,
        bounds=((uniform.lo + low(lanes)) // divisor, (uniform.hi + high(lanes)) // divisor),
        loops=loops_of(warp, (uniform,)),
    )  # fmt: skip


def _clipped(warp: Warp, value: Form, bounds: tuple[int, int]) -> Form:
    return warp.build(value.bits, dict(value.terms), value.const, bounds)


def divide(warp: Warp, a: Form, b: Form, signed: bool) -> Form:
    """``sdiv`` / ``udiv``: towards zero."""
    bits = a.bits
    name = "sdiv" if signed else "udiv"
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    by = warp.as_signed(b) if signed else warp.as_unsigned(b)
    if exact is not None and by is not None and not by.terms and _nonzero_int(by.const):
        divisor = low(by.const)
        if divisor < 0 and exact.lo >= 0:
            return warp.neg(floordiv(warp, exact, -divisor))
        if divisor > 0 and exact.lo >= 0:
            return floordiv(warp, exact, divisor)
        if divisor > 0 and exact.hi <= 0:
            return warp.neg(floordiv(warp, warp.neg(exact), divisor))
        if (
            divisor > 0
            and all(_divisible(c, divisor) for _, c in exact.terms)
            and _divisible(exact.const, divisor)
        ):
            return floordiv(warp, exact, divisor)
        if divisor > 0 and not exact.terms:
            data = warp.space.array(exact.const)
            return warp.lanes(warp.space.intern(np.sign(data) * (abs(data) // divisor)), bits)
    positive = exact is not None and exact.lo >= 0
    bounds = None
    if exact is not None and exact.lo >= 0 and by is not None and (by.lo > 0 or not signed):
        bounds = (0, exact.hi)
    reason = f"quotient by {warp.describe(b)}" if positive else "division of a value that may wrap"
    return unknown(warp, (name, a, b), bits, (a, b), reason, bounds)


def _nonzero_int(value: Coefficient) -> bool:
    return isinstance(value, int) and value != 0


def remainder(warp: Warp, a: Form, b: Form, signed: bool) -> Form:
    """``srem`` / ``urem``: the sign of the dividend."""
    bits = a.bits
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    by = warp.as_signed(b) if signed else warp.as_unsigned(b)
    if by is not None and not by.terms and _nonzero_int(by.const):
        divisor = abs(low(by.const))
        if not signed and divisor & (divisor - 1) == 0:
            return low_bits(warp, a, divisor)
        if exact is not None and exact.lo >= 0:
            return _floor_remainder(warp, exact, divisor)
        if exact is not None and exact.hi <= 0:
            return warp.neg(_floor_remainder(warp, warp.neg(exact), divisor))
        if exact is not None and not exact.terms:
            data = warp.space.array(exact.const)
            return warp.lanes(warp.space.intern(np.sign(data) * (abs(data) % divisor)), bits)
        key = ("srem" if signed else "urem", a, b)
        within = (1 - divisor, divisor - 1) if signed else (0, divisor - 1)
        return unknown(warp, key, bits, (a, b), f"remainder by {divisor}", within)
    if exact is not None and exact.lo >= 0 and by is not None and exact.hi < by.lo:
        return exact
    positive = exact is not None and exact.lo >= 0
    bounds = (0, exact.hi) if exact is not None and positive else None
    if not warp.is_uniform(a) or not warp.is_uniform(b):
        # x - b*(x/b): the quotient's atom cancels where the program adds b*(x/b) again
        quotient = divide(warp, a, b, signed)
        if exact is None or by is None or bounds is None:
            return warp.sub(a, warp.mul(quotient, b))
        return _clipped(warp, warp.sub(exact, warp.mul(quotient, by)), bounds)
    key = ("srem" if signed else "urem", a, b)
    if bounds is not None and by is not None and by.lo > 0:
        bounds = (0, min(bounds[1], by.hi - 1))
    return unknown(warp, key, bits, (a, b), f"remainder by {warp.describe(b)}", bounds)


def _floor_remainder(warp: Warp, a: Form, divisor: int) -> Form:
    """``a mod divisor`` in [0, divisor)."""
    if a.lo // divisor == a.hi // divisor:
        return warp.add(a, warp.constant(-(a.lo // divisor) * divisor, a.bits))
    space = warp.space
    left = {m: c for m, c in a.terms if not _divisible(c, divisor)}
    reduced = warp.build(a.bits, left, a.const)
    if not left:
        return warp.lanes(space.mod(a.const, divisor), a.bits)
    if reduced.lo >= 0 and reduced.hi < divisor:
        return reduced
    uniform, lanes = warp.split_warp(reduced)
    known = warp.congruence(uniform.terms)
    if known.modulus and known.modulus % divisor == 0 and not lanes.terms:
        total = space.add(space.add(uniform.const, known.residue), lanes.const)
        return warp.lanes(space.mod(total, divisor), a.bits)
    if warp.is_uniform(reduced):
        whole = warp.congruence([*uniform.terms, ((), uniform.const)])
        shared = gcd(whole.modulus, divisor)
        residue = Congruence(shared, whole.residue % shared)
        return warp.atom(
            ("mod", reduced, divisor), a.bits, f"({warp.describe(reduced)})%{divisor}",
            Cause.NONLINEAR, varying=False, bounds=(0, divisor - 1), residue=residue,
            loops=loops_of(warp, (reduced,)),
        )  # fmt: skip
    if not lanes.terms and not any(is_vector_term(c) for _, c in uniform.terms):
        # lanes stay inside one block of `shared` when the residue says so
        shared = gcd(known.modulus, divisor)
        total = space.add(space.add(uniform.const, known.residue % shared), lanes.const)
        blocks = space.floordiv(total, shared)
        if is_warp_uniform(blocks):
            base = warp.build(
                a.bits, dict(uniform.terms),
                space.add(space.mul(blocks, shared), -(known.residue % shared)),
            )  # fmt: skip
            start = warp.atom(
                ("mod", base, divisor), a.bits, f"({warp.describe(base)})%{divisor}",
                Cause.NONLINEAR, varying=False, bounds=(0, divisor - shared),
                residue=Congruence(shared, 0), loops=loops_of(warp, (base,)),
            )  # fmt: skip
            return warp.add(start, warp.lanes(space.mod(total, shared), a.bits))
    return unknown(
        warp, ("mod", reduced, divisor), a.bits, (reduced,),
        f"remainder by {divisor} of an index whose alignment is unknown", (0, divisor - 1),
    )  # fmt: skip


def low_bits(warp: Warp, a: Form, size: int) -> Form:
    """``a & (size - 1)`` for a power of two: right whatever ``a`` wraps to."""
    if size == 1:
        return warp.constant(0, a.bits)
    if a.lo >= 0 and a.hi < size:
        return a
    return _floor_remainder(warp, a, size)


# --- shifts ----------------------------------------------------------------------------------


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
        if all(_divisible(c, 1 << count) for _, c in a.terms) and _divisible(a.const, 1 << count):
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


# --- bitwise ---------------------------------------------------------------------------------


def bitwise(warp: Warp, name: str, a: Form, b: Form, *, disjoint: bool, key: Hashable) -> Form:
    """``and``, ``or``, ``xor``."""
    for value, other in ((a, b), (b, a)):
        if not value.terms and isinstance(value.const, int):
            simple = _with_constant(warp, name, other, value.const)
            if simple is not None:
                return simple
    if a == b:
        return warp.constant(0, a.bits) if name == "xor" else warp.hull((a, b))
    if disjoint and name == "or":
        return warp.add(a, b)
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


# --- width -----------------------------------------------------------------------------------


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
        ("wrap", name, a), bits, "wrap-around", Cause.WRAP, varying=True,
        bounds=(-turns[1], -turns[0] + 1), loops=loops, data=warp.is_data(a),
    )  # fmt: skip
    warp.atoms[wrap.terms[0][0][0]].wrapped = a
    wide = Form(bits, a.terms, a.const, a.lo, a.hi)
    return _clipped(warp, warp.add(wide, warp.scale(wrap, 1 << a.bits)), bounds)


def _wrapped_residue(warp: Warp, a: Form, *, likely: bool = False) -> Congruence:
    """Residue that survives wrap-around at the width: the power-of-two part."""
    plain = [(m, c) for m, c in a.terms if isinstance(c, int)]
    if len(plain) != len(a.terms) or not isinstance(a.const, int):
        return congruences.TOP
    known = warp.congruence(plain, likely=likely)
    modulus = gcd(known.modulus, 1 << a.bits)
    return Congruence(modulus, (known.residue + a.const) % modulus)


# --- predicates ------------------------------------------------------------------------------


def constant_predicate(value: bool) -> Predicate:
    """The same truth value everywhere."""
    return Predicate(int(value), Shape.EXACT, value)


def compare(warp: Warp, predicate: str, a: Form, b: Form, key: Hashable) -> Predicate:
    """``icmp``. Decided per lane where ranges and residues allow."""
    if predicate in {"eq", "ne"}:
        return _compare_equal(warp, predicate == "ne", a, b, key)
    exact = warp.as_signed if predicate[0] == "s" else warp.as_unsigned
    left, right = exact(a), exact(b)
    if left is None or right is None:
        return _undecided(warp, (a, b), key, Shape.OTHER)
    strict = {"lt": (left, right, 0), "le": (left, right, 1),
              "gt": (right, left, 0), "ge": (right, left, 1)}[predicate[1:]]  # fmt: skip
    try:
        difference = warp.sub(strict[0], strict[1])
    except LaneOverflowError:
        return _undecided(warp, (a, b), key, Shape.OTHER)
    return _below(warp, difference, strict[2], key, (a, b))


def _below(
    warp: Warp, d: Form, bound: int, key: Hashable, operands: tuple[Form, Form]
) -> Predicate:
    """``d < bound`` per lane."""
    if d.hi < bound:
        return constant_predicate(True)
    if d.lo >= bound:
        return constant_predicate(False)
    if warp.is_uniform(d):
        return Predicate(2, Shape.UNIFORM, key)
    lo, hi = _lane_bounds(warp, d)
    lanes = warp.space.intern(np.where(hi < bound, 1, np.where(lo >= bound, 0, 2)))
    if high(lanes) < 2:
        return Predicate(lanes, Shape.EXACT, key)
    shape = Shape.AFFINE
    varying = warp.varying_atoms(d)
    if varying:
        shape = Shape.DATA if any(a.data for a in varying) else Shape.OTHER
    below = None if varying else warp.add(d, warp.constant(-bound, d.bits))
    return Predicate(lanes, shape, key, reason_of(varying), below=below)


def _lane_bounds(warp: Warp, d: Form) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the sum per lane, as float arrays (exact enough below 2**53, outward beyond)."""
    lo = warp.space.array(d.const).astype(np.float64)
    hi = lo.copy()
    for monomial, coefficient in d.terms:
        bottom, top = warp.monomial_range(monomial)
        data = warp.space.array(coefficient).astype(np.float64)
        one, two = data * float(bottom), data * float(top)
        lo += np.minimum(one, two)
        hi += np.maximum(one, two)
    slack = np.maximum(np.abs(lo), np.abs(hi)) * 2.0**-48
    slack[slack < 2.0**-8] = 0.0
    return np.maximum(lo - slack, float(d.lo)), np.minimum(hi + slack, float(d.hi))


def _compare_equal(warp: Warp, negate: bool, a: Form, b: Form, key: Hashable) -> Predicate:
    choice = _as_choice(warp, a, b)
    if choice is not None:
        return choice if negate else negated(warp, choice)
    try:
        d = warp.sub(a, b)
    except LaneOverflowError:
        return _undecided(warp, (a, b), key, Shape.OTHER)
    size = 1 << a.bits
    # equal bits <=> d == 0 (mod 2**bits); in range (-2**bits, 2**bits) that is d == 0
    left, right = warp.as_signed(a), warp.as_signed(b)
    if left is not None and right is not None:
        d = warp.sub(left, right)
    elif not (-size < d.lo and d.hi < size):
        shape = Shape.UNIFORM if warp.is_uniform(d) else Shape.OTHER
        return _undecided(warp, (a, b), key, shape)
    equal = replace(_equals_zero(warp, d, key), zero_if=(None, d))
    return negated(warp, equal) if negate else equal


def _equals_zero(warp: Warp, d: Form, key: Hashable) -> Predicate:
    if d.lo > 0 or d.hi < 0:
        return constant_predicate(False)
    if d.lo == 0 == d.hi:
        return constant_predicate(True)
    uniform, lanes = warp.split_warp(d)
    known = warp.congruence(uniform.terms)
    if warp.is_uniform(d):
        if (
            known.modulus
            and isinstance(uniform.const, int)
            and ((known.residue + uniform.const) % known.modulus)
        ):
            return constant_predicate(False)
        return Predicate(2, Shape.UNIFORM, key)
    varying = warp.varying_atoms(d)
    if varying or lanes.terms:
        shape = Shape.OTHER
        if any(a.data for a in varying):
            shape = Shape.DATA
        return Predicate(2, shape, key, reason_of(varying))
    total = warp.space.array(warp.space.add(uniform.const, lanes.const))
    if not uniform.terms:
        return Predicate(warp.space.intern((total == 0).astype(np.int64)), Shape.EXACT, key)
    # the uniform terms lie in these bounds; a lane is zero where they are minus its constant
    most = min(max(low(uniform.const) - uniform.lo, -LIMIT), LIMIT)
    least = min(max(high(uniform.const) - uniform.hi, -LIMIT), LIMIT)
    possible = (total <= most) & (total >= least)
    if known.modulus > 1:
        modulus = gcd(known.modulus, 1 << 61) if known.modulus >= LIMIT else known.modulus
        possible &= (total + known.residue % modulus) % modulus == 0
    if not possible.any():
        return constant_predicate(False)
    shape = Shape.ONE
    for row, may in zip(total, possible, strict=True):
        values = row[may]
        if len(np.unique(values)) != len(values):
            shape = Shape.AFFINE
    return Predicate(warp.space.intern(np.where(possible, 2, 0)), shape, key)


def _as_choice(warp: Warp, a: Form, b: Form) -> Predicate | None:
    """The predicate behind ``(0/1 value) != 0``, when ``a`` is such a value and ``b`` is 0."""
    if b.terms or b.const != 0 or len(a.terms) > 1:
        return None
    if not a.terms:
        if a.lo >= 0 and a.hi <= 1:
            return Predicate(a.const, Shape.EXACT, ("lanes", a.const))
        return None
    ((monomial, coefficient),) = a.terms
    atom = warp.atoms[monomial[0]]
    if len(monomial) != 1 or atom.predicate is None:
        return None
    if choice(warp, atom.predicate, a.bits) == a and low(coefficient) >= 0:
        return atom.predicate
    return None


def _undecided(warp: Warp, operands: tuple[Value, ...], key: Hashable, shape: Shape) -> Predicate:
    if all(warp.is_uniform(o) for o in operands):
        return Predicate(2, Shape.UNIFORM, key)
    if any(warp.is_data(o) for o in operands):
        shape = Shape.DATA
    atoms = [a for o in operands for a in warp.varying_atoms(o)]
    return Predicate(2, shape, key, reason_of(atoms))


def unknown_predicate(warp: Warp, operands: tuple[Value, ...], key: Hashable) -> Predicate:
    """A truth value that is a function of ``operands`` and no more is known (fcmp, say)."""
    return _undecided(warp, operands, key, Shape.OTHER)


def reason_of(atoms: list[Atom]) -> str:
    """The best reason among unknowns: memory first."""
    for atom in atoms:
        if atom.data:
            return atom.name
    return atoms[0].name if atoms else ""


def negated(warp: Warp, p: Predicate) -> Predicate:
    """``!p``."""
    lanes: Coefficient = p.lanes
    if isinstance(lanes, int):
        lanes = (1, 0, 2)[lanes]
    else:
        lanes = warp.space.intern(np.array([1, 0, 2])[lanes.data])
    shape = {Shape.ONE: Shape.ALL_BUT_ONE, Shape.ALL_BUT_ONE: Shape.ONE}.get(p.shape, p.shape)
    key: Hashable = ("not", p.key)
    if isinstance(p.key, tuple) and len(p.key) == 2 and p.key[0] == "not":
        key = p.key[1]
    elif isinstance(p.key, bool):
        key = not p.key
    below = None
    if p.below is not None:  # not (d < 0)  <=>  -d - 1 < 0
        below = warp.sub(warp.constant(-1, p.below.bits), p.below)
    zero_if = (p.zero_if[1], p.zero_if[0])
    return Predicate(lanes, shape, key, p.reason, p.loops, zero_if, below)


def _is_negation(key: Hashable) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == "not"


_AND = np.array([[0, 0, 0], [0, 1, 2], [0, 2, 2]])
_XOR = np.array([[0, 1, 2], [1, 0, 2], [2, 2, 2]])


def _joint_shape(a: Predicate, b: Predicate) -> Shape:
    """Shape of the unknown lanes of a conjunction."""
    if Shape.EXACT in {a.shape, b.shape}:
        return max(a.shape, b.shape)
    if any(p.shape is Shape.ONE and not has_lane(p.lanes, 1) for p in (a, b)):
        return Shape.ONE
    if a.shape is b.shape is Shape.UNIFORM and not has_lane(a.lanes, 1) | has_lane(b.lanes, 1):
        return Shape.UNIFORM
    return max(a.shape, b.shape, Shape.AFFINE)


def has_lane(lanes: Coefficient, value: int) -> bool:
    """Whether some lane holds ``value``."""
    if isinstance(lanes, int):
        return lanes == value
    return bool((lanes.data == value).any())


def conjunction(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a && b``."""
    if a.lanes == 1 or b.lanes == 0 or a.key == b.key:
        return b
    if b.lanes == 1 or a.lanes == 0:
        return a
    lanes = warp.space.intern(_AND[warp.space.array(a.lanes), warp.space.array(b.lanes)])
    shape = Shape.EXACT if high(lanes) < 2 else _joint_shape(a, b)
    return Predicate(lanes, shape, key, a.reason or b.reason, a.loops | b.loops)


def disjunction(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a || b``, by De Morgan."""
    both = conjunction(warp, negated(warp, a), negated(warp, b), ("not", key))
    return negated(warp, both)


def exclusive(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a ^ b``."""
    if a.lanes == 1:
        return negated(warp, b)
    if b.lanes == 1:
        return negated(warp, a)
    lanes = warp.space.intern(_XOR[warp.space.array(a.lanes), warp.space.array(b.lanes)])
    shape = max(a.shape, b.shape)
    if shape in {Shape.ONE, Shape.ALL_BUT_ONE}:
        shape = Shape.OTHER
    if shape is Shape.UNIFORM and not (warp.is_uniform(a) and warp.is_uniform(b)):
        shape = Shape.OTHER
    if high(lanes) < 2:
        shape = Shape.EXACT
    return Predicate(lanes, shape, key, a.reason or b.reason, a.loops | b.loops)


def choice(warp: Warp, p: Predicate, bits: int) -> Form:
    """The predicate as 0 / 1 per lane; unknown lanes are an atom of range [0, 1]."""
    if high(p.lanes) < 2:
        return warp.lanes(p.lanes, bits)
    key = p.key
    flipped = _is_negation(key)
    if flipped:  # the negation is 1 - choice, so that both cancel
        positive = negated(warp, p)
        return warp.sub(warp.constant(1, bits), choice(warp, positive, bits))
    atom = warp.atom(
        ("choice", key), bits, "condition", Cause.CHOICE, varying=p.shape is not Shape.UNIFORM,
        bounds=(0, 1), loops=p.loops, shape=p.shape, predicate=p, data=p.shape is Shape.DATA,
    )  # fmt: skip
    if isinstance(p.lanes, int):
        return atom
    unknown_lanes = warp.space.intern((p.lanes.data == 2).astype(np.int64))
    known_lanes = warp.space.intern((p.lanes.data == 1).astype(np.int64))
    terms = {atom.terms[0][0]: unknown_lanes}
    return warp.build(bits, terms, known_lanes, (0, 1))


def select_lanes(warp: Warp, chosen: Coefficient, a: Form, b: Form) -> Form:
    """``a`` in the lanes where ``chosen`` is 1, ``b`` in the others."""
    space = warp.space
    left, right = dict(a.terms), dict(b.terms)
    terms = {m: space.where(chosen, left.get(m, 0), right.get(m, 0)) for m in {**left, **right}}
    bounds = (min(a.lo, b.lo), max(a.hi, b.hi))
    return warp.build(a.bits, terms, space.where(chosen, a.const, b.const), bounds)


def warp_wide(p: Predicate) -> bool:
    """Whether the predicate is one unknown truth value for the whole warp."""
    return p.shape is Shape.UNIFORM and isinstance(p.lanes, int)


def select(warp: Warp, p: Predicate, a: Form, b: Form) -> Form:
    """``p ? a : b``; an undecided choice between patterns keeps both, tied to ``p``."""
    if a == b:
        return warp.hull((a, b))
    if high(p.lanes) < 2:
        return select_lanes(warp, p.lanes, a, b)
    bounds = (min(a.lo, b.lo), max(a.hi, b.hi))
    uniform = warp_wide(p)
    try:
        difference = warp.sub(a, b)
        if uniform and warp.is_uniform(difference) and difference.terms:
            merged = merge_uniform(warp, ("select", p.key, a, b), (a, b), p.loops)
            return _clipped(warp, merged, bounds)
        return _clipped(warp, warp.add(b, warp.mul(choice(warp, p, a.bits), difference)), bounds)
    except LaneOverflowError:
        data = p.shape is Shape.DATA or warp.is_data(a) or warp.is_data(b)
        varying = not (uniform and warp.is_uniform(a) and warp.is_uniform(b))
        return warp.atom(
            ("select", p.key, a, b), a.bits, "choice between different values",
            Cause.CHOICE, varying=varying, bounds=bounds, data=data,
            loops=p.loops | loops_of(warp, (a, b)),
        )  # fmt: skip


def merge_uniform(
    warp: Warp, key: Hashable, values: tuple[Form, ...], loops: frozenset[int]
) -> Form:
    """One of ``values``, the same for all lanes, where all have the same lane pattern.

    A fresh uniform atom replaces the uniform part, keeping the common residue and the range.
    ``loops``: those in whose iterations it may be another of the values.
    """
    first = values[0]
    _, lanes = warp.split_warp(first)
    residue: Congruence | None = None
    likely: Congruence | None = None
    lo, hi = None, None
    loops = loops | loops_of(warp, values)
    for value in values:
        rest = warp.sub(value, lanes)
        known = warp.congruence(rest.terms)
        if isinstance(rest.const, int):
            known = Congruence(
                known.modulus,
                (known.residue + rest.const) % known.modulus if known.modulus
                else known.residue + rest.const,
            )  # fmt: skip
        else:
            known = warp.congruence([*rest.terms, ((), rest.const)])
        residue = known if residue is None else congruences.join(residue, known)
        known = warp.congruence([*rest.terms, ((), rest.const)], likely=True)
        likely = known if likely is None else congruences.join(likely, known)
        lo = rest.lo if lo is None else min(lo, rest.lo)
        hi = rest.hi if hi is None else max(hi, rest.hi)
    spaces = {space_of(warp, value) for value in values}
    space = spaces.pop() if len(spaces) == 1 else ""
    atom = warp.atom(
        key, first.bits, "merged value", Cause.CHOICE, varying=False,
        bounds=(lo or 0, hi or 0), residue=residue, loops=loops, space=space, likely=likely,
    )  # fmt: skip
    return warp.add(atom, lanes)


def space_of(warp: Warp, value: Form) -> str:
    """Memory space of a pointer: that of its one base; "" when unknown or contradictory."""
    found = {
        warp.atoms[m[0]].space
        for m, c in value.terms
        if len(m) == 1 and warp.atoms[m[0]].space and c == 1
    }
    return found.pop() if len(found) == 1 else ""
