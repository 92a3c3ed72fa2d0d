"""Choices that a bound decides: in lanes that are below it, they can only have gone one way.

``if (i < n) i += 128; if (i < n) a[i]``: what does not meet the first bound does not meet the
second, so that every lane with an access has added 128. Unrolled loops over a thread's elements
guard each so.

Means: a choice ``c`` is 1 exactly where its ``below`` is negative. Assumptions: all forms are read
at one place and in one iteration, as values are. Limits: single choices, not products of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form
from drano.lattice.warp.lanes import high, low
from drano.lattice.warp.substitution import substitute


def settled(warp: Warp, value: Form, bound: int) -> Form:
    """A value that is less than ``bound`` in the same lanes as ``value``, without the choices that
    this decides.
    """
    changed = True
    while changed:
        changed = False
        for atom in choices_in(warp, value):
            taken = _instead(warp, value, atom, bound)
            if taken is not None:
                value, changed = taken, True
                break
    return value


def _instead(warp: Warp, value: Form, atom: Atom, bound: int) -> Form | None:
    """``value`` with the choice made, if the other one has ``value >= bound`` and so has this one
    in the other's lanes.
    """
    below = _below(atom)
    coefficients = [c for monomial, c in value.terms if atom.number in monomial]
    if below is None or len(coefficients) != 1 or (atom.number,) not in dict(value.terms):
        return None
    (coefficient,) = coefficients
    if low(coefficient) >= 0:  # not chosen: below >= 0
        least = warp.sub(_with(warp, value, atom, 0), _wide(below, value.bits))
        return _with(warp, value, atom, 1) if least.lo >= bound else None
    if high(coefficient) <= 0:  # chosen: below <= -1
        least = warp.add(_with(warp, value, atom, 1), _wide(below, value.bits))
        return _with(warp, value, atom, 0) if least.lo >= bound - 1 else None
    return None


def decided(warp: Warp, value: Form, choices: Iterable[Atom], facts: Collection[Form]) -> Form:
    """``value`` in the lanes in which all of ``facts`` are negative, as far as they decide these
    choices.
    """
    for atom in choices:
        below = _below(atom)
        if below is None:
            continue
        for fact in facts:
            bits = max(fact.bits, below.bits)
            test, other = _wide(below, bits), _wide(fact, bits)
            if warp.sub(test, other).hi <= 0:
                value = substitute(warp, value, atom.number, 1)
                break
            if warp.add(test, other).lo >= -1:
                value = substitute(warp, value, atom.number, 0)
                break
    return value


def choices_in(warp: Warp, value: Form) -> tuple[Atom, ...]:
    """The conditions in a value."""
    atoms = (warp.atoms[number] for monomial, _ in value.terms for number in monomial)
    return tuple(dict.fromkeys(a for a in atoms if a.predicate is not None))


def _below(atom: Atom) -> Form | None:
    if atom.predicate is None or (atom.lo, atom.hi) != (0, 1):
        return None
    return atom.predicate.below


def _with(warp: Warp, value: Form, atom: Atom, truth: int) -> Form:
    """``value`` with a choice taken one way, which need not be that of any lane: what bounds are
    known of ``value`` as a whole need not hold of it.
    """
    instead = substitute(warp, value, atom.number, truth)
    return warp.build(value.bits, dict(instead.terms), instead.const)


def _wide(value: Form, bits: int) -> Form:
    """The same integer in more bits."""
    return Form(max(bits, value.bits), value.terms, value.const, value.lo, value.hi)
