"""What a choice adds to an address where it is 1, and whether that is a multiple of its bound."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form, Monomial
from drano.lattice.warp.lanes import Coefficient


def worth_of(warp: Warp, address: Form, atom: Atom) -> dict[Monomial, Coefficient]:
    """The terms that have a choice, without it; its own term's monomial is ()."""
    worth: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in address.terms:
        if atom.number in monomial:
            left = tuple(n for n in monomial if n != atom.number)
            worth[left] = warp.space.add(worth.get(left, 0), coefficient)
    return worth


def multiple_of(
    warp: Warp,
    open_: np.ndarray,
    worth: Mapping[Monomial, Coefficient],
    wanted: Mapping[Monomial, Coefficient],
    unit: Monomial,
) -> tuple[int, int] | None:
    """``(m, e)`` where ``worth`` is ``m * wanted + e * unit`` in the lanes ``open_``, which are one
    at least, and ``m`` is not 0; None when it is not.
    """
    space = warp.space
    factor = 0
    for monomial, coefficient in wanted.items():
        if monomial != unit and isinstance(coefficient, int):
            mine = int(space.array(worth.get(monomial, 0))[open_][0])
            factor, rest = divmod(mine, coefficient)
            if rest:
                return None
            break
    if not factor:
        return None
    extra = 0
    for monomial in {*wanted, *worth}:
        scaled = space.array(space.mul(wanted.get(monomial, 0), factor))
        over = (space.array(worth.get(monomial, 0)) - scaled)[open_]
        if monomial == unit:
            extra = int(over[0])
        if (over != (extra if monomial == unit else 0)).any():
            return None
    return factor, extra
