"""Lanes that are on where they share an unknown number: ``if (x == n - 1)``.

Nobody knows which number it is, but the lanes with the same one are known: in a block of 16 columns
a warp has two for each ``x``, 16 lanes apart, in a block of 32 one. So each *level set* is a mask
of known lanes, and what holds of each of them holds.
"""

from __future__ import annotations

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form, LevelSet, Predicate, Shape
from drano.lattice.warp.lanes import Array, Coefficient


def paired(warp: Warp, a: Coefficient, b: Coefficient) -> Coefficient:
    """A number for each pair of numbers, so that lanes share it where they share both."""
    pairs = np.stack([warp.space.array(a).ravel(), warp.space.array(b).ravel()], axis=1)
    numbers = np.unique(pairs, axis=0, return_inverse=True)[1]
    return warp.space.intern(numbers.reshape(warp.space.shape).astype(np.int64))


def are_single(warp: Warp, level: LevelSet, lanes: Coefficient) -> bool:
    """Whether each set has one lane of a warp at the most, of those that may be on."""
    may = warp.space.array(lanes) != 0
    rows = zip(warp.space.array(level.values), may, strict=True)
    return all(len(np.unique(row[on])) == on.sum() for row, on in rows)


def each_set(warp: Warp, mask: Predicate) -> list[Predicate]:
    """The lanes of ``mask`` in each set that they may be, a first of each warp, a second and so on;
    none where they are not known as sets.
    """
    level = mask.levels[0]
    if level is None or mask.shape is Shape.ONE:
        return []
    values, may = warp.space.array(level.values), warp.space.array(mask.lanes) != 0
    numbers = [np.unique(row[on]) for row, on in zip(values, may, strict=True)]
    sets = []
    for at in range(max(map(len, numbers))):
        chosen = [row[at % len(row)] if len(row) else 0 for row in numbers]
        sets.append(_of_number(warp, level, may & (values == np.array(chosen)[:, None])))
    return sets


def in_one_set(warp: Warp, mask: Predicate, value: Form) -> Form:
    """``value`` as lanes of one set see it: without the steps between lanes of different sets."""
    level = mask.levels[0]
    if level is None:
        return value

    def seen(coefficient: Coefficient) -> Coefficient:
        numbers = warp.space.array(coefficient)
        for row, at in zip(numbers, warp.space.array(level.values), strict=True):
            if len(np.unique(np.stack([row, at]), axis=1).T) != len(np.unique(at)):
                return coefficient
        return warp.space.intern(np.broadcast_to(numbers[:, :1], numbers.shape))

    terms = {monomial: seen(coefficient) for monomial, coefficient in value.terms}
    return warp.build(value.bits, terms, seen(value.const))


def _of_number(warp: Warp, level: LevelSet, same: Array) -> Predicate:
    within = level.within
    lanes = np.where(same, warp.space.array(within.lanes), 0)
    shape = within.shape if (lanes == 2).any() else Shape.EXACT
    if shape <= Shape.WITHIN and shape > Shape.ALL_BUT_ONE:
        shape = Shape.WITHIN  # of the set's own lanes, in their order
    return Predicate(warp.space.intern(lanes), shape, ("level", within.key), within.reason)
