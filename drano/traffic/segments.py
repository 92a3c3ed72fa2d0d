"""Sectors of a warp that is cut into segments at places which are not known.

An atom with ``Steps`` is one number for each run of lanes. Where it changes is unknown, but not how
often: so a warp is at most so many segments of lanes that follow each other in the atom's order,
each a known pattern at an unknown place. All ways to cut are tried, by dynamic programming.

*Typically* no divisor is smaller than what the lanes of a warp span: then each quotient changes
once at the most. That is a condition, which ``Cuts.needs`` names, unless it is known to hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form
from drano.lattice.warp.lanes import WARP_SIZE, Array, Coefficient, LaneVector
from drano.traffic.lane_groups import spread
from drano.traffic.needs import AtLeast
from drano.traffic.windows import Windows

Units: TypeAlias = tuple[int, int, int, int]
"""Least, most, typical least and typical most of sectors or lines."""
_FAR = 1 << 40  # more than any cost
_MOST_PHASES = 16
MOST_BREAKS = 7
"""Of a warp that is called coalesced but for where its runs start: of three quotients, each of what
another leaves."""


class Cuts(Struct, frozen=True):
    """``ranks``: the place of each lane in the atoms' order, from 0 on in each warp; ``most``: how
    many breaks a warp may have, ``typical``: if the ``needs`` are met, ``far``: of these, at places
    so far from others of their kind that a warp has one.
    """

    ranks: Coefficient
    most: int
    typical: int
    far: int
    needs: tuple[AtLeast, ...]


class Graded(Struct, frozen=True):
    """What lanes add to an address between two cuts: ``step * floor((lanes + phase) / run)`` bytes,
    in some phase from 0 to below ``run``.
    """

    step: int
    lanes: Coefficient
    run: int

    def offsets(self, warp: Warp, phase: int) -> Array:
        """Bytes per (warp, lane) in a phase."""
        return self.step * ((warp.space.array(self.lanes) + phase) // self.run)


def graded_of(warp: Warp, address: Form, atoms: Sequence[Atom]) -> tuple[Graded | None, list[Atom]]:
    """One of the atoms that changes evenly between the breaks of its parents, as the ``i % n / 2``
    in an address does, and those at whose breaks an address is cut then.
    """
    for atom in atoms:
        even = atom.steps.even if atom.steps is not None else None
        terms = [(m, c) for m, c in address.terms if atom.number in m]
        if even is None or atom.steps is None or even.run > _MOST_PHASES:
            continue
        if len(terms) != 1 or atom.modulus != 1:
            continue
        ((monomial, coefficient),) = terms
        if len(monomial) == 1 and isinstance(coefficient, int) and atom.steps.parents:
            parents = [warp.atoms[number] for number in sorted(atom.steps.parents)]
            others = [other for other in atoms if other is not atom and other not in parents]
            return Graded(coefficient, even.lanes, even.run), [*parents, *others]
    return None, list(atoms)


def cuts_of(warp: Warp, atoms: Sequence[Atom]) -> Cuts | None:
    """How often lanes change all these atoms; None where they follow different orders."""
    ranks: Coefficient | None = None
    breaks: dict[int, tuple[int, int]] = {}
    needs: list[AtLeast] = []
    # breaks of its own that each atom may have: at the most, and if needs are met
    total, far = [0, 0], 0
    for atom in _with_parents(warp, atoms):
        steps = atom.steps
        if steps is None:
            return None
        above = [n.number for n in _with_parents(warp, [warp.atoms[n] for n in steps.parents])]
        before = [sum(breaks[n][k] for n in above) for k in (0, 1)]
        own = [0, 0]
        if steps.run is not None:
            mine = _ranks(warp, steps.order)
            ranks = mine if ranks is None else ranks
            if mine != ranks and _backwards(warp, mine) != ranks:
                return None
            span = spread(warp, steps.order) * steps.slope
            times = [1, 1] if steps.anew else [before[0] + 1, before[1] + 1]
            own[0] = (
                span // steps.least + 1 if steps.anew else times[0] * _breaks(span, steps.least)
            )
            own[1] = own[0]
            possible = max(abs(steps.run.lo), abs(steps.run.hi)) >= span
            run = warp.as_signed(steps.run)
            sure = steps.least >= span or (run is not None and max(run.lo, -run.hi) >= span)
            if steps.rare:
                own[1] = 0
            elif sure:
                own[1] = times[1]
                far += own[1]
            elif possible:
                own[1] = times[1]
                far += own[1]
                needs.append(AtLeast(steps.run, span + 1))
        breaks[atom.number] = (own[0], own[1])
        total = [total[0] + own[0], total[1] + own[1]]
    if ranks is None:
        return None
    limit = WARP_SIZE - 1
    most, typical = min(total[0], limit), min(total[1], limit)
    return Cuts(ranks, most, typical, min(far, typical), tuple(dict.fromkeys(needs)))


def _with_parents(warp: Warp, atoms: Sequence[Atom]) -> list[Atom]:
    """The atoms and all whose breaks they have, these first."""
    found: dict[int, Atom] = {}

    def visit(atom: Atom) -> None:
        if atom.number in found:
            return
        if atom.steps is not None:
            for number in sorted(atom.steps.parents):
                visit(warp.atoms[number])
        found[atom.number] = atom

    for atom in atoms:
        visit(atom)
    return list(found.values())


def _ranks(warp: Warp, order: Coefficient) -> Coefficient:
    """The place of each lane's number among the different ones of its warp."""
    found = warp.traffic_memo.get(("ranks", order))
    if isinstance(found, int | LaneVector):
        return found
    data = warp.space.array(order)
    sequence = np.argsort(data, axis=1)
    numbers = np.take_along_axis(data, sequence, axis=1)
    places = np.zeros_like(data)
    places[:, 1:] = np.cumsum(np.diff(numbers, axis=1) != 0, axis=1)
    ranks = np.empty_like(data)
    np.put_along_axis(ranks, sequence, places, axis=1)
    result = warp.space.intern(ranks)
    warp.traffic_memo["ranks", order] = result
    return result


def _backwards(warp: Warp, ranks: Coefficient) -> Coefficient:
    """The other way round the same lanes lie between the same breaks."""
    data = warp.space.array(ranks)
    return warp.space.intern(data.max(axis=1, keepdims=True) - data)


def _breaks(span: int, run: int) -> int:
    """How often a number changes that does so each ``run``, while its order goes on by ``span``."""
    return (span - 1) // run + 1 if span > 0 else 0


def in_any_phase(phases: Sequence[Windows]) -> Windows:
    """What windows cost where each may be in any of several phases."""
    return Windows(
        np.minimum.reduce([phase.least for phase in phases]),
        np.minimum.reduce([phase.few for phase in phases]),
        np.maximum.reduce([phase.many for phase in phases]),
    )


def count_cut(costs: Windows, cuts: Cuts) -> tuple[Units, int]:
    """The counts of a warp whose windows cost this; and the typical most where each segment starts
    at the best place.
    """
    places = len(costs.few) - 1
    typical = min(cuts.typical, places - 1)
    # The most never falls when a segment is cut further.
    most = _extreme(costs.many, min(cuts.most, places - 1), worst=True)
    placed = _extreme(costs.few, typical, worst=True)
    window = -(-places // (cuts.most + 1))
    least = int(np.diagonal(costs.least, window).min())
    # After a near break lanes may lie beside those of before the last one: `i % 3 * n + i / 3`.
    far = cuts.far == cuts.typical
    few = _extreme(costs.few, typical, worst=False) if far else least
    many = _extreme(costs.many, typical, worst=True)
    return (least, most, min(few, many), many), placed


def _extreme(costs: Array, breaks: int, *, worst: bool) -> int:
    """The greatest or least cost over all ways to cut at so many places at most."""
    places = len(costs) - 1
    if worst and breaks >= places - 1:
        return int(np.diagonal(costs, 1).sum())
    pick, never = (np.maximum, -_FAR) if worst else (np.minimum, _FAR)
    ways = np.where(np.tri(places + 1, dtype=np.bool_), never, costs)  # no segment is empty
    best = ways[0]
    for _ in range(breaks):
        best = pick(best, pick.reduce(best[:, None] + ways, axis=0))
    return int(best[-1])
