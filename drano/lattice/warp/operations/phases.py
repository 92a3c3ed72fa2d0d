"""Quotients by a small number of an index whose start nobody knows: ``(i + lane) / 4``.

Where the quotient changes from lane to lane is decided by the *phase*: what the uniform ``i``
leaves by 4, one number for all lanes of a warp. So in each phase all lanes are known, and so is
what is made of such quotients: remainders, comparisons, numbers of tables.

Limit: ``MOST_PHASES``, as each is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import lcm

import numpy as np
import numpy.typing as npt

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import FirstOf, Form, Monomial, Phase, Phased, Predicate, Term
from drano.lattice.warp.lanes import Array, Coefficient

MOST_PHASES = 64


def quotient_by_phase(warp: Warp, dividend: Form, divisor: Form) -> tuple[FirstOf, Phased] | None:
    """``floor(dividend / divisor)``: what lane 0 has, and what lanes have more, in each phase; None
    where it is not of this kind.
    """
    size = divisor.const
    if divisor.terms or not isinstance(size, int) or not 1 < size <= MOST_PHASES:
        return None
    uniform, lanes = warp.split_warp(dividend)
    if lanes.terms or not uniform.terms or any(not isinstance(c, int) for _, c in uniform.terms):
        return None
    phase = Phase(uniform.terms, size)
    space = warp.space
    more = tuple(
        space.add(
            space.floordiv(space.add(dividend.const, number), size),
            space.neg(space.floordiv(space.add(uniform.const, number), size)),
        )
        for number in range(size)
    )
    return FirstOf(phase, uniform.const), Phased(phase, more)


def phases_in(warp: Warp, value: Form) -> list[Phase] | None:
    """The phases that decide all lanes of a value; None where something else does, too."""
    atoms = [warp.atoms[number] for monomial, _ in value.terms for number in monomial]
    if any(atom.varying and atom.phased is None for atom in atoms):
        return None
    return together(atom.phased.phase for atom in atoms if atom.phased is not None)


def together(phases: Iterable[Phase]) -> list[Phase]:
    """One phase for all of the same sum: what it leaves by 8 tells what it leaves by 4."""
    moduli: dict[tuple[Term, ...], int] = {}
    for phase in phases:
        moduli[phase.terms] = lcm(moduli.get(phase.terms, 1), phase.modulus)
    return [Phase(terms, modulus) for terms, modulus in moduli.items()]


def tells(phase: Phase, other: Phase) -> bool:
    """Whether one phase decides another."""
    return phase.terms == other.terms and phase.modulus % other.modulus == 0


def in_phase(warp: Warp, value: Form, phase: Phase, number: int) -> Form:
    """``value`` where the phase is ``number``."""
    space = warp.space
    terms: dict[Monomial, Coefficient] = {}
    const = value.const

    def add(monomial: Monomial, coefficient: Coefficient) -> None:
        nonlocal const
        if monomial:
            terms[monomial] = space.add(terms.get(monomial, 0), coefficient)
        else:
            const = space.add(const, coefficient)

    for monomial, coefficient in value.terms:
        left, factor = list(monomial), coefficient
        for other in monomial:
            phased = warp.atoms[other].phased
            if phased is not None and tells(phase, phased.phase):
                left.remove(other)
                factor = space.mul(factor, lanes_in(phased, number))
        first = warp.atoms[left[0]].first_of if len(left) == 1 else None
        if first is None or not tells(phase, first.phase):
            add(tuple(left), factor)
            continue
        size = first.phase.modulus
        rest = number % size
        if space.mod(factor, size) != 0:
            add(tuple(left), factor)
            continue
        # floor((u + c) / m) with u = r (mod m) is (u - r) / m + floor((r + c) / m)
        each = space.floordiv(factor, size)
        for part, count in phase.terms:
            add(part, space.mul(each, count))
        start = space.floordiv(space.add(first.offset, rest), size)
        add((), space.add(space.mul(factor, start), space.mul(each, -rest)))
    kept = {monomial: c for monomial, c in terms.items() if c != 0}
    return warp.build(value.bits, kept, const, (value.lo, value.hi))


def decided_by_phase(
    warp: Warp, value: Form, decide: Callable[[Array], npt.NDArray[np.bool_]]
) -> Phased | None:
    """Which lanes of a value are as ``decide`` tells, in each phase; None where one phase does not
    settle that.
    """
    phases = phases_in(warp, value)
    if phases is None or len(phases) != 1 or phases[0].modulus > MOST_PHASES:
        return None
    (phase,) = phases
    lanes = []
    for number in range(phase.modulus):
        fixed = in_phase(warp, value, phase, number)
        if fixed.terms:
            return None
        chosen = decide(warp.space.array(fixed.const))
        lanes.append(warp.space.intern(chosen.astype(np.int64)))
    return Phased(phase, tuple(lanes))


def in_any_phase(warp: Warp, phased: Phased) -> Coefficient:
    """What is known of a truth value whatever the phase: 2 in lanes that it decides."""
    rows = [warp.space.array(lanes) for lanes in phased.lanes]
    return warp.space.intern(
        reduce(lambda all_, row: np.where(all_ == row, all_, 2), rows[1:], rows[0])
    )


def opposite(warp: Warp, phased: Phased) -> Phased:
    """The negation of a truth value."""
    space = warp.space
    return Phased(phased.phase, tuple(space.add(1, space.neg(lanes)) for lanes in phased.lanes))


def both(warp: Warp, a: Predicate, b: Predicate) -> Phased | None:
    """``a && b`` in each phase, where it is known in each."""
    space = warp.space
    if a.phased is not None and b.phased is not None:
        phases = together((a.phased.phase, b.phased.phase))
        if len(phases) > 1 or phases[0].modulus > MOST_PHASES:
            return None
        pairs = ((lanes_in(a.phased, n), lanes_in(b.phased, n)) for n in range(phases[0].modulus))
        return Phased(phases[0], tuple(space.mul(one, other) for one, other in pairs))
    for one, other in ((a, b), (b, a)):
        if one.phased is not None and not _has_unknown(other.lanes):
            lanes = tuple(space.mul(each, other.lanes) for each in one.phased.lanes)
            return Phased(one.phased.phase, lanes)
    return None


def lanes_in(phased: Phased, number: int) -> Coefficient:
    """The lanes in a phase that tells the one they are known by."""
    return phased.lanes[number % phased.phase.modulus]


def _has_unknown(lanes: Coefficient) -> bool:
    return lanes == 2 if isinstance(lanes, int) else bool((lanes.data == 2).any())
