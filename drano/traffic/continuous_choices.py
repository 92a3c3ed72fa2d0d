"""How far apart lanes can be whose addresses ``min``, ``max`` and ``abs`` choose.

The two ways of ``min(i, n - 1)`` meet where the choice changes: it is ``i - (n - 1)`` times whether
that is negative, plus ``n - 1``. So do those of ``min(max(i + d, 0), n - 1)``, the neighbour that
image code reads, whatever ``d`` and ``n`` are. From one lane to the next, such an address changes
by what one of its ways does, wherever the lanes part: where each way steps by an element or not at
all, a warp stays within 32 elements.

Between two lanes, as if there were more between them, an address ``a + c * (m * d + e)`` with
``c`` 1 where ``d < 0`` and ``e`` one of 0 and ``m`` is ``a + m * min(d + e / m, 0)``: continuous,
and made of straight pieces, each as steep as one of its ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form, Monomial, Predicate
from drano.lattice.warp.lanes import Array, Coefficient, LaneOverflowError, is_warp_uniform
from drano.traffic.choice_worth import multiple_of, worth_of
from drano.traffic.lane_groups import with_turns

_Choice: TypeAlias = tuple[Atom, Form]  # which is 1 where that is negative


class Pieces(Struct, frozen=True):
    """``steps`` from each lane to the next, None where unknown, and ``factor * min(of, 0)`` of each
    choice's bound, by the choice's atom; ``factor`` is None where it is an unknown number.
    """

    steps: Array | None
    parts: tuple[tuple[int, int | None, Pieces], ...]

    def way(self, chosen: Mapping[int, int]) -> Array | None:
        """The steps where each choice falls as ``chosen`` says, by its atom's number."""
        total = self.steps
        for number, factor, of in self.parts:
            if not chosen[number]:
                continue
            more = of.way(chosen)
            if total is None or more is None or (factor is None and more.any()):
                return None
            total = total + more * (factor or 0)
        return total


def pieces_of(
    warp: Warp, address: Form, atoms: Sequence[Atom], turns: Mapping[int, int]
) -> Pieces | None:
    """``address`` as straight pieces; None where it is not continuous in the choices ``atoms``.
    ``turns``: the numbers that stand for wrap-arounds in it.
    """
    bounds = {}
    for atom in atoms:
        below = None if atom.predicate is None else atom.predicate.below
        if below is None:
            return None
        terms = dict(with_turns(below.terms, turns))
        bounds[atom.number] = warp.build(below.bits, terms, below.const)
    try:
        return _pieces(warp, address, [(atom, bounds[atom.number]) for atom in atoms])
    except LaneOverflowError:
        return None


def extent(pieces: Pieces, atoms: Sequence[Atom], active: Array, size: int) -> int | None:
    """Bytes from the first to behind the last that any warp's active lanes touch at the most,
    whichever way the choices fall; None where a way's steps are unknown.
    """
    numbers = [atom.number for atom in atoms]
    steepest: Array | None = None
    for values in product((0, 1), repeat=len(numbers)):
        way = pieces.way(dict(zip(numbers, values, strict=True)))
        if way is None:
            return None
        steepest = np.abs(way) if steepest is None else np.maximum(steepest, np.abs(way))
    assert steepest is not None
    before = np.logical_or.accumulate(active, axis=1)[:, :-1]
    behind = np.logical_or.accumulate(active[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return int((steepest * (before & behind)).sum(axis=1).max()) + size


def _pieces(warp: Warp, form: Form, choices: Sequence[_Choice]) -> Pieces | None:
    parts = []
    while choice := _outermost(form, choices):
        atom, below = choice
        peeled = _peeled(warp, form, atom, below)
        if peeled is None:
            return None
        factor, form = peeled
        inner = _pieces(warp, below, choices)
        if inner is None:
            return None
        parts.append((atom.number, factor, inner))
    plain = True
    for monomial, coefficient in form.terms:
        if warp.varying_monomial(monomial):
            return None
        plain = plain and is_warp_uniform(coefficient)
    steps = np.diff(warp.space.array(form.const), axis=1) if plain else None
    return Pieces(steps, tuple(parts))


def _outermost(form: Form, choices: Sequence[_Choice]) -> _Choice | None:
    """A choice in ``form`` that no other one in it depends on."""
    present = {number for monomial, _ in form.terms for number in monomial}
    inside = [choice for choice in choices if choice[0].number in present]
    inner = {number for _, below in inside for monomial, _ in below.terms for number in monomial}
    return next((choice for choice in inside if choice[0].number not in inner), None)


class _Worth(NamedTuple):
    """``number * product(atoms)`` of what a bound is worth, and ``extra`` times that product."""

    atoms: Monomial
    number: int
    extra: int


def _peeled(warp: Warp, form: Form, atom: Atom, below: Form) -> tuple[int | None, Form] | None:
    """``(m, a)`` where ``form`` is ``a + m * min(d, 0)`` up to a constant in ``d``, which is
    ``below``; ``atom`` is whether that is negative. None where it is not.
    """
    assert atom.predicate is not None
    predicate = atom.predicate
    terms: dict[Monomial, Coefficient] = {(): form.const}
    terms.update((m, c) for m, c in form.terms if atom.number not in m)
    wanted = {**dict(below.terms), (): below.const}
    found = _multiple(warp, predicate, worth_of(warp, form, atom), wanted)
    if found is None:
        return None
    # where it is known to be true, what it adds stands among the other terms
    true = warp.space.intern(warp.space.array(predicate.lanes) == 1)
    for monomial, coefficient in wanted.items():
        each = warp.space.mul(coefficient, -found.number)
        if not monomial:
            each = warp.space.add(each, -found.extra)
        place = tuple(sorted(monomial + found.atoms))
        terms[place] = warp.space.add(terms.get(place, 0), warp.space.mul(each, true))
    const = terms.pop(())
    left_over = {m: c for m, c in terms.items() if c != 0}
    factor = None if found.atoms else found.number
    return factor, warp.build(form.bits, left_over, const)


def _multiple(
    warp: Warp,
    predicate: Predicate,
    worth: Mapping[Monomial, Coefficient],
    wanted: Mapping[Monomial, Coefficient],
) -> _Worth | None:
    """What a bound is worth where the choice is open, if it is a multiple of the bound, or of one
    more than that, and nothing in the other lanes; None when it is not.
    """
    space = warp.space
    open_ = space.array(predicate.lanes) == 2
    if not open_.any() or any((space.array(c)[~open_] != 0).any() for c in worth.values()):
        return None
    worth = {m: c for m, c in worth.items() if c != 0}
    for atoms in _common(warp, worth, wanted):
        scaled = {tuple(sorted(m + atoms)): c for m, c in wanted.items()}
        found = multiple_of(warp, open_, worth, scaled, atoms)
        if found is not None and found[1] in {0, found[0]}:
            return _Worth(atoms, *found)
    return None


def _common(
    warp: Warp, worth: Mapping[Monomial, Coefficient], wanted: Mapping[Monomial, Coefficient]
) -> Iterator[Monomial]:
    """Uniform factors that a bound may have been multiplied with."""
    first = next((monomial for monomial in wanted if monomial), ())
    for monomial in worth:
        left = Counter(monomial)
        left.subtract(first)
        rest = tuple(sorted(left.elements()))
        if min(left.values(), default=0) >= 0 and not warp.varying_monomial(rest):
            yield rest
