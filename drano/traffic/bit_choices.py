"""Bits of a uniform number that decide how the lanes of a warp lie: ``tid & (stride - 1)``.

All ways are counted, for the bounds. *Typical* is one of them: a size or stride is a multiple of a
power of two that no warp sees the end of, so that of ``stride - 1`` the lowest bits are all set and
of ``stride`` none; a mask that has a name of its own has all of them set. It is a condition, which
``needs`` names.
"""

from __future__ import annotations

from collections.abc import Sequence

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Form
from drano.traffic.needs import MultipleOf

_MASKS = frozenset({Cause.PARAMETER, Cause.MEMORY})


def likely_bits(warp: Warp, atoms: Sequence[Atom]) -> dict[int, int]:
    """What each of the atoms that is a bit is likely to be, by its number."""
    return {
        atom.number: _likely(warp, atom.bit_of.form) >> atom.bit_of.place & 1
        for atom in atoms
        if atom.bit_of is not None
    }


def needs_of(warp: Warp, atoms: Sequence[Atom]) -> tuple[MultipleOf, ...]:
    """What makes the bits as likely."""
    found: dict[Form, int] = {}
    for atom in atoms:
        if atom.bit_of is not None:
            form, place = atom.bit_of.form, atom.bit_of.place
            found[form] = max(found.get(form, 1), 2 << place)
    return tuple(
        MultipleOf(warp.add(form, warp.constant(-_likely(warp, form), form.bits)), modulus)
        for form, modulus in found.items()
    )


def _likely(warp: Warp, form: Form) -> int:
    """What the lowest bits of a number are likely to be, as an integer: -1 if all are set."""
    if not isinstance(form.const, int):
        return -1
    if form.const or len(form.terms) != 1:
        return form.const
    (monomial, coefficient), *_ = form.terms
    named = len(monomial) == 1 and warp.atoms[monomial[0]].cause in _MASKS
    return -1 if named and coefficient == 1 else 0
