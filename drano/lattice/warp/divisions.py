"""What is remembered of divisions that were met: which values are remainders, and of what.

Nothing of this can be seen from a form: a remainder's bits may mean more than its sum's bounds say,
and it is known to belong to a quotient only because both came of one division.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from drano.lattice.warp.atom_table import AtomTable
from drano.lattice.warp.forms import Form, Monomial, Term
from drano.lattice.warp.lanes import Coefficient

_Sum: TypeAlias = tuple[tuple[Term, ...], Coefficient]


class Divisions:
    """The divisions of one warp domain, by who notes them; a note replaces the one before.

    The table of atoms is handed in: kept here, the domain would be part of a circle.
    """

    def __init__(self) -> None:
        self._noted: dict[_Sum, tuple[tuple[int, int] | None, int]] = {}
        self._noted_by: dict[Hashable, _Sum] = {}
        self._remainders: dict[int, Form] = {}  # by varying atoms of the quotient
        self._divided: dict[Hashable, tuple[int, ...]] = {}

    def note_remainder(
        self,
        table: AtomTable,
        key: Hashable,
        value: Form | None,
        bounds: tuple[int, int] | None,
        most: int,
    ) -> None:
        """Remember that ``value`` is what a division leaves of a number that is not negative: its
        bits mean ``most`` at the most. ``bounds``: of its sum, where known. Of those noted under
        one ``key`` the last holds.
        """
        old = self._noted_by.pop(key, None)
        before = self._noted.pop(old, None) if old is not None else None
        if value is not None:
            new = (value.terms, value.const)
            self._noted[new] = bounds, most
            self._noted_by[key] = new
        if old is not None and (value is None or before != (bounds, most)):
            table.version += 1
            for monomial, _ in old[0]:
                for number in monomial:
                    table.atoms[number].changed_at = table.version

    def is_remainder(self, value: Form) -> bool:
        """Whether it is known to be what a division leaves of a number that is not negative."""
        return (value.terms, value.const) in self._noted

    def most_of_remainder(self, value: Form) -> int | None:
        """The most that the bits of a remainder mean; None of what is not known to be one."""
        noted = self._noted.get((value.terms, value.const))
        return None if noted is None else noted[1]

    def note_division(
        self, table: AtomTable, key: Hashable, quotient: Form | None, rest: Form | None
    ) -> None:
        """``rest`` is what a division leaves, with its bounds, and ``quotient`` what it gives; None
        where that is not known any more. Of those noted under one ``key`` the last holds.
        """
        for number in self._divided.pop(key, ()):
            self._remainders.pop(number, None)
        if quotient is None or rest is None:
            return
        parts = [m[0] for m, _ in quotient.terms if len(m) == 1 and table.atoms[m[0]].varying]
        self._divided[key] = tuple(parts)
        self._remainders.update(dict.fromkeys(parts, rest))

    def remainder_with(self, monomial: Monomial) -> Form | None:
        """The noted remainder of the division whose quotient varies by an atom."""
        return self._remainders.get(monomial[0]) if len(monomial) == 1 else None

    def bounds(self, value: Form) -> tuple[int, int] | None:
        """Bounds that were noted of a remainder's sum."""
        noted = self._noted.get((value.terms, value.const))
        return None if noted is None else noted[0]
