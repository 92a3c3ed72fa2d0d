"""The ways in which lanes lie by conditions that a warp has in common: ``c ? 4 * lane : lane``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form
from drano.lattice.warp.lanes import is_warp_uniform
from drano.lattice.warp.substitution import substitute

_MOST: Final = 2


def choices_between_ways(warp: Warp, value: Form) -> tuple[Atom, ...]:
    """The conditions that decide how lanes lie; none where there are more than ``_MOST``."""
    found: dict[int, Atom] = {}
    for monomial, coefficient in value.terms:
        if is_warp_uniform(coefficient) and not warp.varying_monomial(monomial):
            continue
        for number in monomial:
            atom = warp.atoms[number]
            if not atom.varying and atom.predicate is not None and (atom.lo, atom.hi) == (0, 1):
                found[number] = atom
    return tuple(found.values()) if len(found) <= _MOST else ()


def chosen(warp: Warp, value: Form, truths: Mapping[int, int]) -> Form:
    """A value where conditions, by their atoms' numbers, are 0 or 1."""
    for number, truth in truths.items():
        value = substitute(warp, value, number, truth)
    return value
