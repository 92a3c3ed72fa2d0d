"""What a lattice is here, and two ways to build one from parts.

A lattice object (``Lattice[T]``) holds the operations; its elements (``T``) are plain immutable
values. ``a ≤ b`` means that ``a`` knows at least as much as ``b``: every concrete value that ``a``
stands for, ``b`` stands for too. ``bottom`` (⊥) stands for no concrete value, "no execution got
here (yet)"; ``top`` (⊤) for all of them, "nothing is known". They are opposites: what an analysis
does not understand is ⊤, never ⊥.

Limits: nothing here checks that two elements belong to the same lattice; types do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
P = TypeVar("P", bound=tuple[Any, ...])


class ContractError(ValueError):
    """A lattice operation was called outside of its contract: an error of the analysis."""


class Lattice(ABC, Generic[T]):
    """Partial order with least upper and greatest lower bounds; ``bottom ≤ x ≤ top``."""

    __slots__ = ()

    @property
    @abstractmethod
    def bottom(self) -> T:
        """⊥, the least element: no concrete value."""

    @property
    @abstractmethod
    def top(self) -> T:
        """⊤, the greatest element: any concrete value."""

    @abstractmethod
    def leq(self, a: T, b: T) -> bool:
        """``a ≤ b``; reflexive, transitive, antisymmetric."""

    @abstractmethod
    def join(self, a: T, b: T) -> T:
        """Least upper bound: what holds whichever of the two is the case."""

    @abstractmethod
    def meet(self, a: T, b: T) -> T:
        """Greatest lower bound: what holds when both do."""

    def join_all(self, elements: Iterable[T]) -> T:
        """Least upper bound of any number of elements; of none, ⊥."""
        result = self.bottom
        for element in elements:
            result = self.join(result, element)
        return result

    def widen(self, old: T, new: T) -> T:
        """An upper bound of ``new`` that makes ascending chains stationary when repeated.

        Contract: ``old ≤ new`` (join first). Raises ContractError otherwise.
        """
        if not self.leq(old, new):
            raise ContractError(f"widen needs old <= new, got {old!r} and {new!r}")
        return self._extrapolate(old, new)

    def _extrapolate(self, old: T, new: T) -> T:
        """The widening itself, for ``old ≤ new``. Default: none, for chains that are finite."""
        del old
        return new


class Flat(Lattice[T]):
    """⊥ below any number of unordered elements below ⊤.

    ``1 ∨ 1 = 1``; ``1 ∨ 0 = ⊤``; ``1 ∧ 0 = ⊥``. Elements are compared by equality.
    """

    __slots__ = ("_bottom", "_top")

    def __init__(self, bottom: T, top: T) -> None:
        if bottom == top:
            raise ContractError("a flat lattice needs a bottom that differs from its top")
        self._bottom = bottom
        self._top = top

    @property
    def bottom(self) -> T:
        """⊥ as given."""
        return self._bottom

    @property
    def top(self) -> T:
        """⊤ as given."""
        return self._top

    def leq(self, a: T, b: T) -> bool:
        """Equal, or from ⊥, or to ⊤."""
        return a in (b, self._bottom) or b == self._top

    def join(self, a: T, b: T) -> T:
        """⊤ for two different elements."""
        if b in (a, self._bottom):
            return a
        return b if a == self._bottom else self._top

    def meet(self, a: T, b: T) -> T:
        """⊥ for two different elements."""
        if b in (a, self._top):
            return a
        return b if a == self._top else self._bottom


class Product(Lattice[P]):
    """Tuples, ordered component by component: ``(1, ⊥) ∨ (1, 0) = (1, 0)``.

    ``make`` builds the tuple type from its components (``Pair``, a NamedTuple, …). The product is
    not reduced: ``(⊥, 0)`` differs from ``(⊥, ⊥)``, though neither stands for a concrete pair.
    """

    __slots__ = ("_components", "_make")

    def __init__(self, make: Callable[..., P], components: Sequence[Lattice[Any]]) -> None:
        self._make = make
        self._components = tuple(components)

    @property
    def bottom(self) -> P:
        """⊥ in every component."""
        return self._make(*(lattice.bottom for lattice in self._components))

    @property
    def top(self) -> P:
        """⊤ in every component."""
        return self._make(*(lattice.top for lattice in self._components))

    def leq(self, a: P, b: P) -> bool:
        """In every component."""
        return all(lattice.leq(x, y) for lattice, x, y in zip(self._components, a, b, strict=True))

    def join(self, a: P, b: P) -> P:
        """Component by component."""
        return self._make(
            *(lattice.join(x, y) for lattice, x, y in zip(self._components, a, b, strict=True))
        )

    def meet(self, a: P, b: P) -> P:
        """Component by component."""
        return self._make(
            *(lattice.meet(x, y) for lattice, x, y in zip(self._components, a, b, strict=True))
        )

    def _extrapolate(self, old: P, new: P) -> P:
        return self._make(
            *(lattice.widen(x, y) for lattice, x, y in zip(self._components, old, new, strict=True))
        )
