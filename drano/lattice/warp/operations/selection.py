"""One of several values: per lane where the lanes are known, tied to the condition where not."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import zip_longest
from math import gcd, inf

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, Predicate, Shape, signed_range, unsigned_range
from drano.lattice.warp.lanes import Coefficient, LaneOverflowError, high
from drano.lattice.warp.operations.predicates import choice
from drano.lattice.warp.operations.unknowns import clipped, loops_of, space_of


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
            key = ("select", p.key, a, b)
            zeros = p.zero_if[::-1]
            merged, same = _merged(warp, key, (a, b), p.loops, "merged value", Cause.CHOICE, zeros)
            return clipped(warp, merged, bounds) if same else merged
        return clipped(warp, warp.add(b, warp.mul(choice(warp, p, a.bits), difference)), bounds)
    except LaneOverflowError:
        data = p.shape is Shape.DATA or warp.is_data(a) or warp.is_data(b)
        varying = not (uniform and warp.is_uniform(a) and warp.is_uniform(b))
        return warp.atom(
            ("select", p.key, a, b), a.bits, "choice between different values",
            Cause.CHOICE, varying=varying, bounds=bounds, data=data,
            loops=p.loops | loops_of(warp, (a, b)),
        )  # fmt: skip


def _of_bits(known: Congruence | None, bits: int) -> Congruence | None:
    """What is known of an integer's lowest bits, read with a sign, from its residue."""
    if known is None:
        return None
    modulus = gcd(known.modulus, 1 << bits)
    return Congruence(modulus, known.residue % modulus)


def _residue(warp: Warp, value: Form, zero: Form | None) -> Congruence:
    """Of a uniform value; ``zero``: what is 0 where it counts, as ``n % 256``, which makes ``n`` a
    multiple of 256.
    """
    ways = [value]
    whole = 1 << value.bits
    if (
        zero is not None and value.terms and zero.bits == value.bits
        and -whole < zero.lo and zero.hi < whole  # or it is a multiple of that, perhaps
        and warp.is_uniform(zero)
    ):  # fmt: skip
        ways += [warp.sub(value, zero), warp.add(value, zero)]
    found = [warp.congruence([*way.terms, ((), way.const)]) for way in ways]
    return max(found, key=lambda known: known.modulus or inf)


def merge_uniform(
    warp: Warp,
    key: Hashable,
    values: tuple[Form, ...],
    loops: frozenset[int],
    name: str = "merged value",
    cause: Cause = Cause.CHOICE,
) -> Form:
    """One of ``values``, the same for all lanes, where all have the same lane pattern.

    A fresh uniform atom replaces the uniform part, keeping the common residue and the range.
    ``loops``: those in whose iterations it may be another of the values.
    """
    return _merged(warp, key, values, loops, name, cause)[0]


def _merged(
    warp: Warp,
    key: Hashable,
    values: tuple[Form, ...],
    loops: frozenset[int],
    name: str,
    cause: Cause,
    zeros: tuple[Form | None, ...] = (),
) -> tuple[Form, bool]:
    """``merge_uniform``, and whether the sum is the value's, and not only the bits are. ``zeros``:
    for each value, what is 0 where it is that value.
    """
    first = values[0]
    _, lanes = warp.split_warp(first)
    residue: Congruence | None = None
    likely: Congruence | None = None
    lo, hi = None, None
    loops = loops | loops_of(warp, values)
    for value, zero in zip_longest(values, zeros):
        rest = warp.sub(value, lanes)
        known = _residue(warp, rest, zero)
        residue = known if residue is None else congruences.join(residue, known)
        known = warp.congruence([*rest.terms, ((), rest.const)], likely=True)
        likely = known if likely is None else congruences.join(likely, known)
        lo = rest.lo if lo is None else min(lo, rest.lo)
        hi = rest.hi if hi is None else max(hi, rest.hi)
    spaces = {space_of(warp, value) for value in values}
    space = spaces.pop() if len(spaces) == 1 else ""
    bounds = (lo or 0, hi or 0)
    least, most = signed_range(first.bits)[0], unsigned_range(first.bits)[1]
    same = least <= bounds[0] and bounds[1] <= most
    if not same:
        # In a loop a sum that wraps around would grow for ever: the atom is what it leaves.
        bounds = signed_range(first.bits)
        residue, likely = (_of_bits(known, first.bits) for known in (residue, likely))
    atom = warp.atom(
        key, first.bits, name, cause, varying=False,
        bounds=bounds, residue=residue, loops=loops, space=space, likely=likely,
    )  # fmt: skip
    return warp.add(atom, lanes), same
