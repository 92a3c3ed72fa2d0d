"""Changes of width: the same bits, or the same number, in more or fewer bits."""

from __future__ import annotations

from math import gcd

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Form, Monomial, signed_range, unsigned_range
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform
from drano.lattice.warp.operations.lane_bounds import whole_lane_bounds
from drano.lattice.warp.operations.steps import index_of, steps_of
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term, loops_of
from drano.lattice.warp.operations.ways import choices_between_ways
from drano.lattice.warp.substitution import substitute

_INDEX_BITS = 32
_MOST_CHOICES = 2


def reading(warp: Warp, a: Form, *, signed: bool) -> Form | None:
    """A form whose sum is the integer that the bits of ``a`` mean, in twice as many bits where they
    may wrap; None where that is not known as a function of the lanes' order.
    """
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    if exact is not None or index_of(warp, a) is None:
        return exact
    return extend(warp, a, 2 * a.bits, signed=signed)


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
    ways = choices_between_ways(warp, a)
    if len(ways) == 1:
        return _in_both_ways(warp, a, ways[0], bits, signed=signed)
    apart = without_carry(warp, a, bits, signed=signed)
    if apart is not None:
        return apart
    lanes_choose = _choices_of_lanes(warp, a)
    if lanes_choose:
        return _in_both_ways(warp, a, lanes_choose[0], bits, signed=signed)
    index = index_of(warp, a)
    steps = None
    if index is not None:
        size = 1 << a.bits
        whole = warp.constant(size, 2 * a.bits)
        steps = steps_of(warp, index, whole, size, rare=_wraps_seldom(warp, a), rises=False)
    turns = (a.lo >> a.bits, (a.hi >> a.bits) + 1)
    wrap = warp.atom(
        ("wrap", name, a), bits, f"{a.bits}-bit arithmetic that may wrap around", Cause.WRAP,
        varying=True,
        bounds=(-turns[1], -turns[0] + 1), loops=loops, data=warp.is_data(a), steps=steps,
    )  # fmt: skip
    warp.atoms[wrap.terms[0][0][0]].wrapped = a
    wide = Form(bits, a.terms, a.const, a.lo, a.hi)
    return clipped(warp, warp.add(wide, warp.scale(wrap, 1 << a.bits)), bounds)


def _choices_of_lanes(warp: Warp, a: Form) -> tuple[Atom, ...]:
    """The conditions in ``a`` by which each lane has one of two numbers; none where there are more
    than ``_MOST_CHOICES``.
    """
    atoms = [warp.atoms[n] for n in dict.fromkeys(n for monomial, _ in a.terms for n in monomial)]
    found = [
        atom
        for atom in atoms
        if atom.varying and atom.predicate is not None and (atom.lo, atom.hi) == (0, 1)
    ]
    return tuple(found) if len(found) <= _MOST_CHOICES else ()


def _in_both_ways(warp: Warp, a: Form, condition: Atom, bits: int, *, signed: bool) -> Form:
    """``a`` extended where a condition chooses between two numbers, or how the lanes of a warp lie:
    what wraps around is another number in each way.
    """
    left, right = (
        extend(warp, substitute(warp, a, condition.number, truth), bits, signed=signed)
        for truth in (1, 0)
    )
    bounds = (min(left.lo, right.lo), max(left.hi, right.hi))
    difference = warp.mul(_truth(warp, condition, bits), warp.sub(left, right))
    return clipped(warp, warp.add(right, difference), bounds)


def _truth(warp: Warp, condition: Atom, bits: int) -> Form:
    """1 where a condition is true and 0 elsewhere, known where it is."""
    assert condition.predicate is not None
    lanes = warp.space.array(condition.predicate.lanes)
    open_, true = warp.space.intern(lanes == 2), warp.space.intern(lanes == 1)
    terms: dict[Monomial, Coefficient] = {(condition.number,): open_}
    return warp.build(bits, terms, true, (0, 1))


def without_carry(warp: Warp, a: Form, bits: int, *, signed: bool) -> Form | None:
    """``a`` extended where the lanes of a warp differ only in bits below those of a uniform base,
    as in ``512*k + lane + 128*c`` with a condition ``c``: then only the base may wrap around, in
    all of them; None where that is not so.
    """
    bounds = signed_range(a.bits) if signed else unsigned_range(a.bits)
    uniform, lanes = warp.split_warp(a)
    if any(is_vector_term(c) for _, c in uniform.terms):
        return None
    known = _wrapped_residue(warp, warp.build(a.bits, dict(uniform.terms), 0))
    size = min(known.modulus, 1 << (a.bits - 1))
    reach = whole_lane_bounds(warp, lanes)
    if size <= 1 or reach is None:
        return None
    space = warp.space
    start = space.add(uniform.const, known.residue % size)
    block = space.floordiv(space.add(start, reach[0]), size)
    if not is_warp_uniform(block) or block != space.floordiv(space.add(start, reach[1]), size):
        return None
    begin = space.mul(block, size)
    base = warp.build(a.bits, dict(uniform.terms), space.add(begin, -(known.residue % size)))
    whole = warp.atom(
        ("sext" if signed else "zext", base), bits, warp.describe(base), Cause.NONLINEAR,
        varying=False, bounds=(bounds[0], bounds[1] - size + 1), residue=Congruence(size, 0),
        loops=loops_of(warp, (base,)),
    )  # fmt: skip
    rest = warp.build(
        bits, dict(lanes.terms), space.add(space.add(start, lanes.const), space.neg(begin))
    )
    return clipped(warp, warp.add(whole, rest), bounds) if lanes.terms else warp.add(whole, rest)


def _wraps_seldom(warp: Warp, a: Form) -> bool:
    """Whether few warps see a wrap-around, and these one: of 32 bits and more, if what is known of
    the lanes spans less than the width. Narrower numbers wrap in one warp of a few.
    """
    data = warp.space.array(a.const)
    spread = int((data.max(axis=1) - data.min(axis=1)).max())
    return spread < 1 << a.bits and a.bits >= _INDEX_BITS


def _wrapped_residue(warp: Warp, a: Form, *, likely: bool = False) -> Congruence:
    """Residue that survives wrap-around at the width: the power-of-two part."""
    known = warp.congruence([*a.terms, ((), a.const)], likely=likely)
    modulus = gcd(known.modulus, 1 << a.bits)
    return Congruence(modulus, known.residue % modulus)
