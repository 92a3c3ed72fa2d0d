"""An address as it mostly is: with the choices that decide how lanes lie as they mostly fall."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form
from drano.lattice.warp.lanes import is_warp_uniform
from drano.lattice.warp.substitution import substitute
from drano.traffic.bit_choices import likely_bits
from drano.traffic.continuous_choices import pieces_of
from drano.traffic.lane_groups import taken_apart

_MOST_CHOICES = 4


def typically(warp: Warp, address: Form) -> Form:
    """An address with the bits that its lanes differ by as they are likely to be, and away from the
    ends of an array at which ``min`` and ``max`` hold it.
    """
    numbers = {
        number
        for monomial, coefficient in address.terms
        if not is_warp_uniform(coefficient)
        for number in monomial
    }
    for number, value in likely_bits(warp, [warp.atoms[n] for n in sorted(numbers)]).items():
        address = substitute(warp, address, number, value)
    return _between_ends(warp, address)


def ways(warp: Warp, address: Form, choices: Sequence[Atom]) -> dict[tuple[int, ...], Form]:
    """The address in each way that choices may fall."""
    found = {}
    for values in product((0, 1), repeat=len(choices)):
        fixed = address
        for atom, value in zip(choices, values, strict=True):
            fixed = substitute(warp, fixed, atom.number, value)
        found[values] = fixed
    return found


def fullest(warp: Warp, address: Form, choices: Sequence[Atom]) -> dict[tuple[int, ...], Form]:
    """The ways of choices in which the lanes of a block have the most addresses; of these, the
    simplest.
    """
    found = ways(warp, address, choices)
    fullness = {values: _fullness(warp, way) for values, way in found.items()}
    most = max(fullness.values())
    return {values: way for values, way in found.items() if fullness[values] == most}


def _fullness(warp: Warp, address: Form) -> tuple[int, int]:
    """How many addresses each warp's lanes have, for all warps of a block, and as a second, minus
    the number of unknowns between them.
    """
    space = warp.space
    columns = [space.array(address.const), *(space.array(c) for _, c in address.terms)]
    rows = np.stack(columns, axis=-1)
    unknowns = sum(not is_warp_uniform(coefficient) for _, coefficient in address.terms)
    return sum(len(np.unique(row, axis=0)) for row in rows), -unknowns


def _between_ends(warp: Warp, address: Form) -> Form:
    """The way of choices whose ways meet in which lanes have the most addresses; the address where
    there are none, or lanes lie otherwise in another such way.
    """
    parts = taken_apart(warp, address)
    choices = parts.per_lane
    if not choices or parts.uniform or parts.unknown or len(choices) > _MOST_CHOICES:
        return address
    if pieces_of(warp, parts.plain, choices, parts.turns) is None:
        return address
    first, *others = fullest(warp, address, choices).values()
    return first if all(warp.same_lanes(first, way) for way in others) else address
