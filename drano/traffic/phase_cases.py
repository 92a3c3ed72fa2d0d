"""The phases of an access, each a plain pattern: ``s[(i + lane) % 8]``, ``(i + lane) % 4 == 0``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import gcd, prod
from typing import Final

from msgspec.structs import replace

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Cause, Form, Phase, Predicate, Shape
from drano.lattice.warp.operations.phases import in_phase, lanes_in, tells, together

_MOST_CASES: Final = 64


def cases_by_phase(
    warp: Warp, address: Form, mask: Predicate
) -> tuple[tuple[Form, Predicate], ...]:
    """Address and mask in each phase that may be and has an active lane; () where there are no
    phases, or too many.
    """
    masked = () if mask.phased is None else (mask.phased.phase,)
    phases = together((*_phases(warp, address), *masked))
    if not phases:
        return ()
    numbers = [_possible(warp, phase) for phase in phases]
    if prod(map(len, numbers)) > _MOST_CASES:
        return ()
    found = []
    for chosen in product(*numbers):
        case, lanes = address, mask
        for phase, number in zip(phases, chosen, strict=True):
            case = in_phase(warp, case, phase, number)
            if mask.phased is not None and tells(phase, mask.phased.phase):
                lanes = in_known_phase(mask, number)
        if lanes.lanes != 0:
            found.append((case, lanes))
    return tuple(found)


def warps_agree(warp: Warp, address: Form, mask: Predicate) -> bool:
    """Whether all warps of a block are surely in one phase, as parameters alone decide it."""
    phases = [*_phases(warp, address), *(() if mask.phased is None else (mask.phased.phase,))]
    numbers = (number for phase in phases for monomial, _ in phase.terms for number in monomial)
    return warp.space.warps == 1 or all(warp.atoms[n].cause is Cause.PARAMETER for n in numbers)


def in_known_phase(mask: Predicate, number: int) -> Predicate:
    """A mask that phases decide, in one of them."""
    assert mask.phased is not None
    lanes = lanes_in(mask.phased, number)
    return replace(mask, lanes=lanes, shape=Shape.EXACT, phased=None, cut=frozenset())


def _phases(warp: Warp, address: Form) -> Iterator[Phase]:
    for monomial, _ in address.terms:
        for number in monomial:
            phased = warp.atoms[number].phased
            if phased is not None:
                yield phased.phase


def _possible(warp: Warp, phase: Phase) -> range:
    """What the phase may be."""
    known = warp.congruence(phase.terms)
    step = gcd(known.modulus, phase.modulus)
    return range(known.residue % step, phase.modulus, step)
