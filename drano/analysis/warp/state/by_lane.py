"""Values put together lane by lane, from those of others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form, Monomial
from drano.lattice.warp.lanes import Array, Coefficient


def joined_by_lane(warp: Warp, value: Form, sources: Array) -> Form:
    """Each lane's value is that of the lane ``sources`` names, by its warp and its number.

    The unknowns of ``value`` have to mean the same in all warps.
    """

    def taken(coefficient: Coefficient) -> Coefficient:
        if isinstance(coefficient, int):
            return coefficient
        return warp.space.intern(coefficient.data[sources[..., 0], sources[..., 1]])

    terms = {monomial: taken(c) for monomial, c in value.terms}
    return warp.build(value.bits, terms, taken(value.const), (value.lo, value.hi))


def chosen_by_lane(warp: Warp, numbers: Array, values: Sequence[Form]) -> Form:
    """Each lane's value is the one of ``values`` that it has the number of.

    Law: of ``[[0, 1, …]]`` and ``x, y`` it is ``x`` in lane 0, ``y`` in lane 1. All have one width.
    Raises LaneOverflowError if there are too many terms to be useful.
    """
    space = warp.space
    terms: dict[Monomial, Coefficient] = {}
    const: Coefficient = 0
    for number, value in enumerate(values):
        chosen = space.intern((numbers == number).astype(np.int64))
        const = space.add(const, space.mul(chosen, value.const))
        for monomial, coefficient in value.terms:
            part = space.mul(chosen, coefficient)
            terms[monomial] = space.add(terms.get(monomial, 0), part)
    bounds = min(v.lo for v in values), max(v.hi for v in values)
    return warp.build(values[0].bits, terms, const, bounds)
