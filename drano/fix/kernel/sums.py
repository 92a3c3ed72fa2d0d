"""Sums of atoms, and what their bounds say of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

_PRODUCTS: Final = 36
Bounds = tuple[float, float]
ANY: Final[Bounds] = (-math.inf, math.inf)


class Sum(Struct, frozen=True):
    """``number`` plus, for each atom, the atom times its factor."""

    number: int = 0
    parts: tuple[tuple[str, int], ...] = ()

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """The sum of it and a multiple of another one.

        >>> Sum(1, (("a", 2),)).plus(Sum(3, (("a", 1),)), -2)
        Sum(number=-5, parts=())
        """
        parts = dict(self.parts)
        for atom, factor in other.parts:
            parts[atom] = parts.get(atom, 0) + times * factor
        kept = tuple(sorted((atom, factor) for atom, factor in parts.items() if factor))
        return Sum(self.number + times * other.number, kept)

    def times(self, other: Sum) -> Sum | None:
        """The product; None where it has too many parts.

        >>> Sum(1, (("a", 2),)).times(Sum(3, (("b", 1),)))
        Sum(number=3, parts=(('a', 6), ('a*b', 2), ('b', 1)))
        """
        one, two = (((), self.number), *_parted(self)), (((), other.number), *_parted(other))
        if len(one) * len(two) > _PRODUCTS:
            return None
        total = Sum()
        for left, factor in one:
            for right, more in two:
                atom = "*".join(sorted((*left, *right)))
                if factor * more:
                    part = Sum(0, ((atom, factor * more),)) if atom else Sum(factor * more)
                    total = total.plus(part)
        return total


def _parted(value: Sum) -> Iterator[tuple[tuple[str, ...], int]]:
    return ((tuple(atom.split("*")), factor) for atom, factor in value.parts)


class AtomBounds(Struct):
    """What is known of atoms so far; an atom that is not known may be anything."""

    known: dict[str, Bounds] = field(default_factory=dict)

    def least(self, value: Sum, facts: list[Sum]) -> float:
        """A lower bound of a sum where the ``facts`` are not negative."""
        best = self.interval(value)[0]
        near = [fact for fact in facts if _shares(fact, value)]
        for fact in near:
            rest = value.plus(fact, -1)
            best = max(best, self.interval(rest)[0])
            for other in near if len(near) <= 12 else ():
                best = max(best, self.interval(rest.plus(other, -1))[0])
        return best

    def interval(self, value: Sum) -> Bounds:
        """Least and greatest value of a sum."""
        low = high = float(value.number)
        for atom, factor in value.parts:
            bounds = self._atom(atom)
            ends = sorted((bounds[0] * factor, bounds[1] * factor))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def _atom(self, atom: str) -> Bounds:
        """Of an atom, or a product of some."""
        low, high = 1.0, 1.0
        for name in atom.split("*"):
            ends = [_times(a, b) for a in (low, high) for b in self.known.get(name, ANY)]
            low, high = min(ends), max(ends)
        return low, high

    def limit(self, atom: str, fact: Sum) -> None:
        """What a sum that is not negative says of an atom."""
        factor = dict(fact.parts).get(atom, 0)
        if not factor:
            return
        most = self.interval(fact.plus(Sum(0, ((atom, factor),)), -1))[1]
        if not math.isfinite(most):
            return
        low, high = self.known[atom]  # most + factor * atom >= 0
        if factor > 0:
            self.known[atom] = (max(low, math.ceil(-most / factor)), high)
        else:
            self.known[atom] = (low, min(high, math.floor(most / -factor)))


def _times(a: float, b: float) -> float:
    return 0.0 if not a or not b else a * b


def _shares(one: Sum, other: Sum) -> bool:
    return not {atom for atom, _ in one.parts}.isdisjoint(atom for atom, _ in other.parts)
