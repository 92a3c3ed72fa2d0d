"""Functions of an index that many lanes share: quotients by unknown sizes, shifts, wrap-arounds.

``i / n`` with a uniform ``n`` is one number for a *run* of lanes that follow each other, another
one for the next run: it differs between lanes, but changes at few places. What is known of an atom
made so is its ``Steps``: the order of the lanes, and how far two such places are apart at least.
Law: two lanes between which no parent changes, but the atom does twice, are more than ``|run| /
slope`` apart in ``order``.

Example: ``(32*W + lane) / n`` changes once in a warp at the most if ``n >= 32``, at every lane if
``n`` is 1; so does ``i % n - i``. The remainder itself runs on between those places.

Nothing is assumed of the divisor but that it is not zero, by which a program may not divide.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import gcd

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Even, Form, Steps
from drano.lattice.warp.lanes import WARP_SIZE, Coefficient, LaneVector, is_warp_uniform
from drano.lattice.warp.operations.phases import quotient_by_phase
from drano.lattice.warp.operations.unknowns import clipped, loops_of


class Index(Struct, frozen=True):
    """An integer as a function of the lanes' ``order``. Where no parent changes it rises or falls
    throughout, by at most ``slope`` for each 1; ``up``: it rises. ``total``: where it rises though
    parents change, by so much at the most.
    """

    order: Coefficient
    parents: frozenset[int]
    slope: int
    up: bool
    total: int | None


def index_of(warp: Warp, value: Form) -> Index | None:
    """``value`` as a function of the lanes' order; None where it is none, or the same for all."""
    _, lanes = warp.split_warp(value)
    along: list[tuple[tuple[int, int], Coefficient]] = []
    rising: list[tuple[int, Atom, Steps]] = []
    parents: set[int] = set()
    steady = True
    for monomial, coefficient in lanes.terms:
        moving = [warp.atoms[n] for n in monomial if warp.atoms[n].varying]
        if not moving:
            along.append((warp.monomial_range(monomial), coefficient))
            continue
        if not is_warp_uniform(coefficient) or any(atom.steps is None for atom in moving):
            return None
        steps = moving[0].steps
        if len(monomial) == 1 and isinstance(coefficient, int) and coefficient > 0 and steps:
            rising.append((coefficient, moving[0], steps))
        else:
            steady = False
            parents.update(atom.number for atom in moving)
    order = _order(warp, lanes.const, along, [steps for _, _, steps in rising])
    slope, up = (0 if isinstance(lanes.const, int) else 1), True
    for (low, high), coefficient in along:
        factor = _multiple(warp, coefficient, order)
        if factor is None:
            return None
        slope += abs(factor) * max(abs(low), abs(high))
        up = up and factor >= 0 and low >= 0
    total = slope
    for factor, atom, steps in rising:
        if _is_dense(steps) and steps.inner is not None and steps.order == order and up:
            slope += factor * steps.inner
            parents |= steps.parents
        else:
            parents.add(atom.number)
        steady = steady and steps.rise is not None and steps.order == order
        total += factor * (steps.rise or 0)
    if isinstance(order, int) and not parents:
        return None
    return Index(order, frozenset(parents), slope, up, total if steady and up else None)


def breaks_of(warp: Warp, value: Form) -> frozenset[int]:
    """The atoms between whose breaks ``value``, of which there is an index, goes one way only: the
    parents of a quotient that rises with the rest, as those of ``i % n / 4``; else its own.
    """
    index = index_of(warp, value)
    found: set[int] = set()
    for monomial, coefficient in value.terms:
        moving = [warp.atoms[n] for n in monomial if warp.atoms[n].varying]
        steps = moving[0].steps if moving else None
        along = index is not None and index.up and steps is not None and steps.order == index.order
        rises = len(monomial) == 1 and isinstance(coefficient, int) and coefficient > 0
        if along and rises and steps is not None and steps.inner is not None:
            found |= steps.parents
        else:
            found.update(atom.number for atom in moving)
    return frozenset(found)


def _order(
    warp: Warp,
    const: Coefficient,
    along: list[tuple[tuple[int, int], Coefficient]],
    rising: list[Steps],
) -> Coefficient:
    """What a sum goes along with: the lanes' numbers, those of a factor, or of a quotient."""
    if not isinstance(const, int):
        return const
    if along:
        return _primitive(warp, along[0][1])
    return rising[0].order if rising else 0


def _primitive(warp: Warp, coefficient: Coefficient) -> Coefficient:
    """What the lanes have more than the first, without its common factor."""
    offsets = warp.space.array(coefficient)
    offsets = offsets - offsets[:, :1]
    common = gcd(*np.unique(abs(offsets)).tolist())
    return warp.space.intern(offsets // max(common, 1))


def _multiple(warp: Warp, coefficient: Coefficient, order: Coefficient) -> int | None:
    """How often ``coefficient`` goes along with ``order``; None if it does not."""
    offsets = warp.space.array(coefficient)
    offsets = offsets - offsets[:, :1]
    wanted = warp.space.array(order)
    at = np.argmax(wanted != 0)
    first = int(wanted.flat[at])
    if not first:
        return None
    factor = int(offsets.flat[at]) // first
    return factor if bool((offsets == factor * wanted).all()) else None


def steps_of(
    warp: Warp, index: Index, run: Form, least: int, *, rare: bool = False, rises: bool = True
) -> Steps:
    """Those of ``index / run``, for a ``run`` of ``least`` or more (or of that size, negative).

    ``rises``: whether the quotient does where the index does.
    """
    rise = -(-index.total // least) if index.total is not None and rises else None
    inner = -(-index.slope // least) if index.up and rises else None
    if not index.slope:  # it changes where its parents do
        return Steps(index.order, index.parents, None, least, 1, rare, rise, inner)
    return Steps(index.order, index.parents, run, least, index.slope, rare, rise, inner)


def _is_dense(steps: Steps) -> bool:
    """Whether it may change at every lane, whatever sizes are: the high half of a product."""
    known = steps.run is not None and not steps.run.terms
    return known and steps.least < WARP_SIZE * steps.slope


def stepped(
    warp: Warp,
    key: Hashable,
    bits: int,
    dividend: Form,
    run: Form,
    least: int,
    reason: str,
    bounds: tuple[int, int] | None,
    *,
    rises: bool,
    anew: bool = False,
    floor: bool = False,
) -> Form | None:
    """``dividend / run`` rounded in either way, for the integer ``dividend`` and a uniform ``run``;
    None where its lanes follow no order. ``floor``: rounded down.

    What lane 0 has is a uniform atom, so that the others' distance from it is bounded. ``anew``:
    the dividend is the remainder of a number that is not negative.
    """
    index = index_of(warp, dividend)
    if index is None or least < 1:
        return None
    if bounds is None:
        most = max(abs(dividend.lo), abs(dividend.hi))
        bounds = (min(dividend.lo, 0), max(dividend.hi, 0)) if rises else (-most, most)
    steps = steps_of(warp, index, run, least, rises=rises)
    if anew or warp.divisions.is_remainder(dividend):
        steps = replace(steps, anew=True)
    if floor and isinstance(run.const, int) and not run.terms and run.const > 0:
        steps = replace(steps, even=_even(warp, dividend, steps, run.const))
    loops = loops_of(warp, (dividend, run))
    if steps.rise is None or not isinstance(steps.order, LaneVector):
        return warp.atom(
            key, bits, reason, Cause.NONLINEAR, varying=True, bounds=bounds, loops=loops,
            steps=steps,
        )  # fmt: skip
    by_phase = quotient_by_phase(warp, dividend, run) if floor else None
    first_of, phased = (None, None) if by_phase is None else by_phase
    first = warp.atom(
        ("first", key), bits, reason, Cause.NONLINEAR, varying=False, bounds=bounds, loops=loops,
        first_of=first_of,
    )  # fmt: skip
    reach = [-(-abs(end) * max(index.total or 1, 1) // least) for end in _ends(steps.order)]
    more = warp.atom(
        ("more", key), bits, reason, Cause.NONLINEAR, varying=True, bounds=(-reach[0], reach[1]),
        loops=loops, steps=steps, phased=phased,
    )  # fmt: skip
    return clipped(warp, warp.add(first, more), bounds)


def _even(warp: Warp, dividend: Form, steps: Steps, run: int) -> Even | None:
    """How a quotient changes where no parent does: with the known numbers of the lanes, where the
    dividend has nothing else that differs between them.
    """
    _, lanes = warp.split_warp(dividend)
    if isinstance(lanes.const, int):
        return None
    for monomial, coefficient in lanes.terms:
        moving = {n for n in monomial if warp.atoms[n].varying}
        if not moving or not moving <= steps.parents or not is_warp_uniform(coefficient):
            return None
    return Even(lanes.const, run)


def _ends(order: LaneVector) -> tuple[int, int]:
    """How far the lanes of a warp are below and above its first."""
    offsets = order.data - order.data[:, :1]
    return int(offsets.min()), int(offsets.max())
