"""A form in which an atom has one value: what is fixed, and what choices leave of a sum."""

from __future__ import annotations

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form, Monomial, tightened
from drano.lattice.warp.lanes import Coefficient, LaneSpace


def substitute(warp: Warp, a: Form, number: int, value: int) -> Form:
    """``a`` with atom ``number`` fixed to ``value``."""
    terms: dict[Monomial, Coefficient] = {}
    const = a.const
    for monomial, coefficient in a.terms:
        power = monomial.count(number)
        scaled = warp.space.mul(coefficient, value**power) if power else coefficient
        left = tuple(n for n in monomial if n != number) if power else monomial
        if not left:
            const = warp.space.add(const, scaled)
        else:
            old = terms.get(left)
            terms[left] = scaled if old is None else warp.space.add(old, scaled)
    return tightened(warp.build(a.bits, terms, const), a.lo, a.hi)


def without_void_choices(warp: Warp, a: Form) -> Form:
    """``a`` less the terms ``c * d`` where the choice ``c`` is 1 only where ``d`` is 0.

    ``row = x % n ? x % n - 1 : n - 1`` leaves such terms in ``row + n * column``.
    """
    numbers = {n for m, _ in a.terms for n in m if warp.atoms[n].predicate is not None}
    if not numbers:
        return a
    terms = dict(a.terms)
    changed = False
    for number in sorted(numbers):
        predicate = warp.atoms[number].predicate
        zero = predicate.zero_if[1] if predicate is not None else None
        if zero is None:
            continue
        tied = {m: c for m, c in terms.items() if number in m}
        rest: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in tied.items():
            left = tuple(n for n in monomial if n != number)
            rest[left] = warp.space.add(rest.get(left, 0), coefficient)
        if _is_multiple(warp.space, rest, zero):
            terms = {m: c for m, c in terms.items() if m not in tied}
            changed = True
    return tightened(warp.build(a.bits, terms, a.const), a.lo, a.hi) if changed else a


def _is_multiple(space: LaneSpace, terms: dict[Monomial, Coefficient], form: Form) -> bool:
    """Whether ``terms`` (() for the constant) are an integer times ``form``."""
    wanted = {**dict(form.terms), (): form.const}
    factor = None
    for monomial, coefficient in wanted.items():
        mine = terms.get(monomial, 0)
        if isinstance(coefficient, int) and isinstance(mine, int) and coefficient:
            if mine % coefficient:
                return False
            factor = mine // coefficient
            break
    if not factor:
        return False
    left = {m: c for m, c in terms.items() if c != 0}
    scaled = {m: space.mul(c, factor) for m, c in wanted.items() if c != 0}
    return left == scaled
