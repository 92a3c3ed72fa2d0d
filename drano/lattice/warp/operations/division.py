"""Quotients and remainders: exact wherever ranges and residues decide them.

A remainder is ``x - n * (x / n)``, so that ``x / n * n + x % n`` cancels back to ``x``.
"""

from __future__ import annotations

from collections.abc import Collection
from math import gcd

import numpy as np

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, Monomial, Term, signed_range
from drano.lattice.warp.lanes import LIMIT, Coefficient, high, is_warp_uniform, low
from drano.lattice.warp.operations.lane_bounds import whole_lane_bounds
from drano.lattice.warp.operations.predicates import choice, compare, conjunction
from drano.lattice.warp.operations.steps import index_of, stepped
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term, loops_of, unknown
from drano.lattice.warp.operations.widths import extend, reading, truncate


def divisible(coefficient: Coefficient, divisor: int) -> bool:
    """Whether ``divisor`` divides every lane's element."""
    if isinstance(coefficient, int):
        return coefficient % divisor == 0
    if divisor >= LIMIT:
        return False  # its elements are smaller, and not all zero
    return bool((coefficient.data % divisor == 0).all())


def floordiv(warp: Warp, a: Form, divisor: int) -> Form:
    """``floor(a / divisor)`` of the integer ``a`` itself (not of its bits); ``divisor`` > 0.

    Example: ``(32*W + lane) / 4 == 8*W + lane/4``.
    """
    space, bits = warp.space, a.bits
    bounds = (a.lo // divisor, a.hi // divisor)
    if bounds[0] == bounds[1]:
        return warp.constant(bounds[0], bits)
    whole = {m: space.floordiv(c, divisor) for m, c in a.terms if divisible(c, divisor)}
    left = [(m, c) for m, c in a.terms if not divisible(c, divisor)]
    if not left:
        return warp.build(bits, whole, space.floordiv(a.const, divisor), bounds)
    decided = _by_range(warp, left, a, divisor)
    if decided is not None:
        return clipped(warp, warp.build(bits, whole, decided), bounds)
    apart, const = _lanes_apart(warp, a.const, divisor)
    rest = warp.build(bits, dict(left), const)
    if warp.is_uniform(rest):
        quotient = warp.atom(
            ("floordiv", rest, divisor), bits, f"({warp.describe(rest)})/{divisor}",
            Cause.NONLINEAR, varying=False, bounds=(rest.lo // divisor, rest.hi // divisor),
            residue=_residue_of_quotient(warp, rest, divisor), loops=loops_of(warp, (rest,)),
            likely=_likely_quotient(warp, rest, divisor),
        )  # fmt: skip
        return clipped(warp, warp.add(warp.build(bits, whole, apart), quotient), bounds)
    uniform, lanes = warp.split_warp(rest)
    if not lanes.terms and not any(is_vector_term(c) for _, c in uniform.terms):
        result = _divide_with_phase(warp, uniform, lanes.const, divisor)
        if result is not None:
            return clipped(warp, warp.add(warp.build(bits, whole, apart), result), bounds)
    within = (rest.lo // divisor, rest.hi // divisor)
    reason = f"division by {divisor} of an index whose alignment is unknown"
    found = stepped(
        warp, ("floordiv", rest, divisor, bits), bits, rest, warp.constant(divisor, bits + 1),
        divisor, reason, within, rises=True, floor=True,
    )  # fmt: skip
    quotient = found or unknown(warp, ("floordiv", rest, divisor), bits, (rest,), reason, within)
    return clipped(warp, warp.add(warp.build(bits, whole, apart), quotient), bounds)


def _residue_of_quotient(warp: Warp, a: Form, divisor: int) -> Congruence | None:
    """Of ``floor(a / divisor)``: ``(64*k + 5) / 4`` is 1 mod 16."""
    known = warp.congruence([*a.terms, ((), a.const)])
    if not known.modulus or known.modulus % divisor:
        return None
    return Congruence(known.modulus // divisor, known.residue // divisor)


def _likely_quotient(warp: Warp, a: Form, divisor: int) -> Congruence | None:
    """Of a size that is likely a multiple of the divisor, as of bytes by an element's."""
    known = warp.congruence([*a.terms, ((), a.const)], likely=True)
    if not known.modulus or known.modulus % divisor or known.residue % divisor:
        return None
    return Congruence(known.modulus // divisor, known.residue // divisor)


def _lanes_apart(warp: Warp, const: Coefficient, divisor: int) -> tuple[Coefficient, Coefficient]:
    """``(q, r)`` with ``const = q * divisor + r``; ``q`` is 0 unless all lanes of a warp have the
    same ``r``.
    """
    if isinstance(const, int):
        return 0, const
    rest = warp.space.mod(const, divisor)
    return (warp.space.floordiv(const, divisor), rest) if is_warp_uniform(rest) else (0, const)


def _by_range(warp: Warp, left: Collection[Term], a: Form, divisor: int) -> Coefficient | None:
    """``floor((terms + const) / divisor)`` per lane, where the terms' range decides it.

    Example: ``(16*lane + i) / 16 == lane`` for ``0 <= i < 16``.
    """
    space = warp.space
    reach = warp.build(a.bits, dict(left), 0)
    if reach.hi - reach.lo < divisor and max(-reach.lo, reach.hi) < LIMIT // 2:
        least = space.floordiv(space.add(a.const, reach.lo), divisor)
        if least == space.floordiv(space.add(a.const, reach.hi), divisor):
            return least
    if all(isinstance(c, int) for _, c in left):
        return None
    ends = whole_lane_bounds(warp, warp.build(a.bits, dict(left), a.const))
    if ends is None:
        return None
    least, most = (space.floordiv(end, divisor) for end in ends)
    return least if least == most else None


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
        residue=_residue_of_quotient(warp, terms, divisor), loops=loops_of(warp, (uniform,)),
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
        rest = _of_remainder(warp, a, divisor, signed) if divisor > 0 else None
        if rest is not None:
            return rest
        if divisor > 0 and exact.hi <= 0:
            return warp.neg(floordiv(warp, warp.neg(exact), divisor))
        if (
            divisor > 0
            and all(divisible(c, divisor) for _, c in exact.terms)
            and divisible(exact.const, divisor)
        ):
            return floordiv(warp, exact, divisor)
        if divisor > 0 and not exact.terms:
            data = warp.space.array(exact.const)
            return warp.lanes(warp.space.intern(np.sign(data) * (abs(data) // divisor)), bits)
    elif by is not None and not by.terms and isinstance(by.const, int) and by.const > 0:
        rest = _of_remainder(warp, a, by.const, signed)
        if rest is not None:
            return rest
    if signed and by is not None and not by.terms and isinstance(by.const, int) and by.const > 1:
        whole = _by_lanes_of_whole_steps(warp, a, by.const)
        if whole is not None:
            return whole
    positive = exact is not None and exact.lo >= 0
    bounds = None
    if exact is not None and exact.lo >= 0 and by is not None and (by.lo > 0 or not signed):
        bounds = (0, exact.hi)
    if warp.is_uniform(b) and not warp.is_uniform(a):
        found = _in_steps(warp, name, a, b, by, bounds)
        if found is not None:
            return found
    if warp.is_uniform(a) and warp.is_uniform(b):
        reason = f"({warp.describe(a)})/({warp.describe(b)})"
    elif positive:
        reason = f"quotient by {warp.describe(b)}"
    else:
        reason = "division of a value that may wrap around"
    likely = None
    if warp.is_uniform(a) and not b.terms and isinstance(b.const, int) and b.const > 0:
        likely = _likely_quotient(warp, a, b.const)
    return unknown(warp, (name, a, b), bits, (a, b), reason, bounds, likely)


def _by_lanes_of_whole_steps(warp: Warp, a: Form, divisor: int) -> Form | None:
    """``sdiv`` by a number that divides what lanes have more than each other, of a number that may
    be negative, ``(n + 4 * lane) / 4``: rounded down, and one more where it is negative and there
    is a rest, which the lanes have in common, or those of a row, ``(y * n + 4 * x) / 4``.
    """
    if warp.is_uniform(a):
        return None
    whole = extend(warp, a, 2 * a.bits, signed=True)
    apart, const = _lanes_apart(warp, whole.const, divisor)
    rest = warp.build(
        whole.bits, {m: c for m, c in whole.terms if not divisible(c, divisor)}, const
    )
    if isinstance(apart, int) and not warp.is_uniform(rest):
        return None
    key = ("towards zero", a, divisor)
    zero = warp.constant(0, whole.bits)
    negative = compare(warp, "slt", whole, zero, (key, "negative"))
    left = floor_remainder(warp, rest, divisor)
    broken = compare(warp, "ne", left, zero, (key, "rest"))
    up = choice(warp, conjunction(warp, negative, broken, key), whole.bits)
    return truncate(warp, warp.add(floordiv(warp, whole, divisor), up), a.bits)


def _of_remainder(warp: Warp, a: Form, divisor: int, signed: bool) -> Form | None:
    """A remainder's quotient by a known number: what its lanes are multiples of stays theirs, so
    that ``32*lane % n / 32`` is the lane, but for where ``n`` begins anew.
    """
    if not warp.divisions.is_remainder(a):
        return None
    whole = _reading_of_dividend(warp, a, signed=signed)
    if whole is None or whole.lo < 0:
        return None
    return truncate(warp, floordiv(warp, whole, divisor), a.bits)


def _in_steps(
    warp: Warp,
    name: str,
    a: Form,
    b: Form,
    by: Form | None,
    bounds: tuple[int, int] | None,
) -> Form | None:
    """The quotient by a uniform ``b``, with what is known of the lanes that share one."""
    dividend = _reading_of_dividend(warp, a, signed=name == "sdiv")
    if dividend is None:
        return None
    key = (name, a, b, dividend.bits)
    least = max(by.lo, -by.hi, 1) if by is not None else 1
    rises = by is not None and by.lo > 0
    reason = f"quotient by {warp.describe(b)}"
    found = stepped(
        warp, key, b.bits, dividend, b, least, reason, bounds, rises=rises,
        anew=warp.divisions.is_remainder(a),
    )  # fmt: skip
    if found is not None:
        rest = warp.sub(_in_bits(dividend, b.bits), warp.mul(found, b if by is None else by))
        most = None if by is None else min(max(abs(by.lo), abs(by.hi)) - 1, dividend.hi)
        known = dividend.lo >= 0
        bounds = None if most is None else (0, most)
        warp.divisions.note_remainder(warp, key, rest if known else None, bounds, dividend.hi)
        if dividend.bits > a.bits:  # the same bits, as the program may compute them itself
            plain = warp.sub(a, warp.mul(found, b))
            warp.divisions.note_remainder(
                warp, ("plain", key), plain if known else None, None, dividend.hi
            )
    return found


def _reading_of_dividend(warp: Warp, a: Form, *, signed: bool) -> Form | None:
    """See ``reading``; of a remainder, with what is known of it."""
    found, most = reading(warp, a, signed=signed), warp.divisions.most_of_remainder(a)
    if found is None or most is None or most > signed_range(a.bits)[1]:
        return found
    return clipped(warp, found, (0, most))


def _in_bits(value: Form, bits: int) -> Form:
    """The same sum, of which only the low ``bits`` bits are stored."""
    return Form(bits, value.terms, value.const, value.lo, value.hi)


def _nonzero_int(value: Coefficient) -> bool:
    return isinstance(value, int) and value != 0


def remainder(warp: Warp, a: Form, b: Form, signed: bool) -> Form:
    """``srem`` / ``urem``: the sign of the dividend."""
    bits = a.bits
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    by = warp.as_signed(b) if signed else warp.as_unsigned(b)
    if by is not None and not by.terms and _nonzero_int(by.const):
        divisor = abs(low(by.const))
        key = ("srem" if signed else "urem", a, b)
        warp.divisions.note_division(warp, key, None, None)
        if not signed and divisor & (divisor - 1) == 0:
            return low_bits(warp, a, divisor)
        if exact is not None and exact.lo >= 0:
            return floor_remainder(warp, exact, divisor)
        if exact is not None and exact.hi <= 0:
            return warp.neg(floor_remainder(warp, warp.neg(exact), divisor))
        if exact is not None and not exact.terms:
            data = warp.space.array(exact.const)
            return warp.lanes(warp.space.intern(np.sign(data) * (abs(data) % divisor)), bits)
        within = (1 - divisor, divisor - 1) if signed else (0, divisor - 1)
        whole = reading(warp, a, signed=signed)
        if whole is not None and not warp.is_uniform(a):
            quotient = divide(warp, a, b, signed)
            rest = clipped(warp, warp.sub(_in_bits(whole, bits), warp.mul(quotient, by)), within)
            warp.divisions.note_division(warp, key, quotient, rest)
            return rest
        rest = unknown(warp, key, bits, (a, b), f"remainder by {divisor}", within)
        if warp.is_uniform(a) and (1 << bits) % divisor == 0:  # however often ``a`` wraps
            warp.note_rest(rest, a, divisor)
        return rest
    if exact is not None and exact.lo >= 0 and by is not None and exact.hi < by.lo:
        return exact
    positive = exact is not None and exact.lo >= 0
    bounds = (0, exact.hi) if exact is not None and positive else None
    if not warp.is_uniform(a) or not warp.is_uniform(b):
        # x - b*(x/b): the quotient's atom cancels where the program adds b*(x/b) again
        quotient = divide(warp, a, b, signed)
        if exact is not None and by is not None and bounds is None:  # the sign of the dividend
            bounds = (min(exact.lo, 0), max(exact.hi, 0))
            return clipped(warp, warp.sub(exact, warp.mul(quotient, by)), bounds)
        if exact is None or by is None or bounds is None:
            whole = reading(warp, a, signed=signed)
            rest = warp.sub(a if whole is None else _in_bits(whole, bits), warp.mul(quotient, b))
            return warp.with_noted_bounds(rest)
        if by.lo > 0:
            bounds = (0, min(bounds[1], by.hi - 1))
        return clipped(warp, warp.sub(exact, warp.mul(quotient, by)), bounds)
    key = ("srem" if signed else "urem", a, b)
    if bounds is not None and by is not None and by.lo > 0:
        bounds = (0, min(bounds[1], by.hi - 1))
    rest = unknown(warp, key, bits, (a, b), f"remainder by {warp.describe(b)}", bounds)
    known = warp.congruence([*b.terms, ((), b.const)])
    warp.note_rest(rest, a, gcd(known.modulus, known.residue, 1 << bits))  # however both wrap
    return rest


def floor_remainder(warp: Warp, a: Form, divisor: int) -> Form:
    """``a mod divisor`` in [0, divisor)."""
    if a.lo // divisor == a.hi // divisor:
        return warp.add(a, warp.constant(-(a.lo // divisor) * divisor, a.bits))
    space = warp.space
    left = {m: c for m, c in a.terms if not _is_multiple(warp, m, c, divisor)}
    reduced = warp.build(a.bits, left, a.const)
    if not left:
        return warp.lanes(space.mod(a.const, divisor), a.bits)
    if reduced.lo >= 0 and reduced.hi < divisor:
        return reduced
    decided = _by_range(warp, left.items(), a, divisor)
    if decided is not None:
        return warp.sub(reduced, warp.lanes(space.mul(decided, divisor), a.bits))
    uniform, lanes = warp.split_warp(reduced)
    known = warp.congruence(uniform.terms)
    if known.modulus and known.modulus % divisor == 0 and not lanes.terms:
        total = space.add(space.add(uniform.const, known.residue), lanes.const)
        return warp.lanes(space.mod(total, divisor), a.bits)
    if warp.is_uniform(reduced):
        whole = warp.congruence([*uniform.terms, ((), uniform.const)])
        shared = gcd(whole.modulus, divisor)
        residue = Congruence(shared, whole.residue % shared)
        rest = warp.atom(
            ("mod", reduced, divisor), a.bits, f"({warp.describe(reduced)})%{divisor}",
            Cause.NONLINEAR, varying=False, bounds=(0, divisor - 1), residue=residue,
            loops=loops_of(warp, (reduced,)),
        )  # fmt: skip
        warp.note_rest(rest, reduced, divisor)
        return rest
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
    if index_of(warp, reduced) is not None:
        quotient = floordiv(warp, reduced, divisor)
        rest = clipped(
            warp, warp.sub(reduced, warp.scale(quotient, divisor)), (0, divisor - 1)
        )  # fmt: skip
        warp.divisions.note_division(warp, ("mod", reduced, divisor), quotient, rest)
        return rest
    return unknown(
        warp, ("mod", reduced, divisor), a.bits, (reduced,),
        f"remainder by {divisor} of an index whose alignment is unknown", (0, divisor - 1),
    )  # fmt: skip


def _is_multiple(warp: Warp, monomial: Monomial, coefficient: Coefficient, divisor: int) -> bool:
    if divisible(coefficient, divisor):
        return True
    if all(warp.atoms[number].modulus == 1 for number in monomial):
        return False
    known = warp.congruence([(monomial, coefficient)])
    return known.modulus % divisor == 0 and known.residue % divisor == 0


def low_bits(warp: Warp, a: Form, size: int) -> Form:
    """``a & (size - 1)`` for a power of two: right whatever ``a`` wraps to."""
    if size == 1:
        return warp.constant(0, a.bits)
    if a.lo >= 0 and a.hi < size:
        return a
    return floor_remainder(warp, a, size)
