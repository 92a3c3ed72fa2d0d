"""Results of which only the uniformity is known, and questions about the atoms of values."""

from __future__ import annotations

from collections.abc import Hashable

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Form, Monomial, Predicate, Steps, Value
from drano.lattice.warp.lanes import Coefficient, LaneVector, is_warp_uniform

_KEPT = frozenset({Cause.POINTER, Cause.WRAP})


def unknown(
    warp: Warp,
    key: Hashable,
    bits: int,
    operands: tuple[Value, ...],
    reason: str,
    bounds: tuple[int, int] | None = None,
    likely: Congruence | None = None,
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
        key, bits, reason, cause, varying=varying, bounds=bounds, loops=loops, data=data,
        likely=likely, steps=_runs_of(warp, operands) if varying else None,
    )  # fmt: skip


def _runs_of(warp: Warp, operands: tuple[Value, ...]) -> Steps | None:
    """The runs of lanes that have all operands in common, and so what is made of them; None where
    lanes differ in other ways.
    """
    moving: list[Atom] = []
    for operand in operands:
        if not isinstance(operand, Form) or not is_warp_uniform(operand.const):
            return None
        for monomial, coefficient in operand.terms:
            if not is_warp_uniform(coefficient):
                return None
            moving += [atom for n in monomial if (atom := warp.atoms[n]).varying]
    orders = {None if atom.steps is None else atom.steps.order for atom in moving}
    if len(orders) != 1 or None in orders:
        return None
    (order,) = orders
    parents = frozenset(atom.number for atom in moving)
    return None if order is None else Steps(order, parents, None, 1, 1, False, None, None)


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


def shorten(warp: Warp, value: Form, key: Hashable) -> Form:
    """``value`` with one unknown for the sum of what all lanes of a warp agree on.

    What is known of the sum, its range and residue, stays known. The bases of pointers stay terms,
    and wrap-arounds, which cancel others.
    """
    whole: dict[Monomial, Coefficient] = {}
    rest: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in value.terms:
        atoms = [warp.atoms[number] for number in monomial]
        plain = is_warp_uniform(coefficient) and not any(
            atom.varying or atom.space or atom.cause in _KEPT for atom in atoms
        )
        (whole if plain else rest)[monomial] = coefficient
    if len(whole) < 2:
        return value
    total = warp.build(value.bits, whole, 0)
    known = warp.congruence(total.terms)
    if known.modulus == 0:
        return value
    short = warp.atom(
        key, value.bits, "sum of uniform terms", Cause.NONLINEAR, varying=False,
        bounds=(total.lo, total.hi), residue=known, loops=loops_of(warp, (total,)),
        likely=warp.congruence(total.terms, likely=True),
    )  # fmt: skip
    return clipped(warp, warp.add(short, warp.build(value.bits, rest, value.const)),
                   (value.lo, value.hi))  # fmt: skip


def reason_of(atoms: list[Atom]) -> str:
    """The best reason among unknowns: memory first."""
    for atom in atoms:
        if atom.data:
            return atom.name
    return atoms[0].name if atoms else ""


def space_of(warp: Warp, value: Form) -> str:
    """Memory space of a pointer: that of its one base; "" when unknown or contradictory."""
    found = {
        warp.atoms[m[0]].space
        for m, c in value.terms
        if len(m) == 1 and warp.atoms[m[0]].space and c == 1
    }
    return found.pop() if len(found) == 1 else ""


def is_vector_term(coefficient: Coefficient) -> bool:
    """Whether a coefficient is a vector (here: one that differs between warps)."""
    return isinstance(coefficient, LaneVector)


def clipped(warp: Warp, value: Form, bounds: tuple[int, int]) -> Form:
    """``value`` with bounds that are known besides those of its terms."""
    return warp.build(value.bits, dict(value.terms), value.const, bounds)
