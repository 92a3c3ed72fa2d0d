"""The paper's booleans, and its active set (GPUDrano, CAV'17).

A concrete value is one truth value per thread of a warp of ``n`` threads. What matters is ``k``,
the number of threads in which it is true. Concretisation:

    γ(⊥)   = none            γ(TF)  = { k = 0 or k = n }      uniform, either way
    γ(T)   = { k = n }       γ(TT⁻) = { k = n or k = n − 1 }  false in at most one thread
    γ(T⁻)  = { k = n − 1 }   γ(FF⁻) = { k = 0 or k = 1 }      true in at most one thread
    γ(F)   = { k = 0 }       γ(⊤)   = all
    γ(F⁻)  = { k = 1 }

T⁻ and F⁻ are "all threads but exactly one"; "at most one" are the unions TT⁻ and FF⁻. The order
is inclusion of γ; the nine sets are closed under intersection, so every set of concrete values
has one least element above it, and each function below returns that element of its exact result
wherever the result depends on ``k`` alone.

Assumption: warps of at least four threads, where the nine sets differ. With fewer, elements
overlap (n = 1: T is F⁻) and every function stays sound.

The active set says which threads execute: FF⁻ "at most one", ⊤ "any number".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from itertools import product
from typing import Final

from drano.lattice.base import Lattice

# The five classes of k that the domain can tell apart, as bits; an element is a set of them.
_NONE, _SINGLE, _REST, _ALL_BUT_ONE, _ALL = 1, 2, 4, 8, 16
_CLASSES: Final = (_NONE, _SINGLE, _REST, _ALL_BUT_ONE, _ALL)


class Predicate(Enum):
    """An element; the value is the set of classes of ``k`` that it stands for."""

    BOTTOM = 0
    F = _NONE
    F_MINUS = _SINGLE
    T_MINUS = _ALL_BUT_ONE
    T = _ALL
    TF = _ALL | _NONE
    TT_MINUS = _ALL | _ALL_BUT_ONE
    FF_MINUS = _NONE | _SINGLE
    TOP = _NONE | _SINGLE | _REST | _ALL_BUT_ONE | _ALL

    # Members are single objects; Enum's own hash is a Python function, ten times slower.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Predicate.{self.name}"

    def __str__(self) -> str:
        return _SYMBOLS[self]


_SYMBOLS: Final = {
    Predicate.BOTTOM: "⊥",
    Predicate.F: "F",
    Predicate.F_MINUS: "F⁻",
    Predicate.T_MINUS: "T⁻",
    Predicate.T: "T",
    Predicate.TF: "TF",
    Predicate.TT_MINUS: "TT⁻",
    Predicate.FF_MINUS: "FF⁻",
    Predicate.TOP: "⊤",
}


def _least(classes: int) -> Predicate:
    """The least element that stands for at least these classes."""
    above = [element for element in Predicate if classes & ~element.value == 0]
    return min(above, key=lambda element: element.value.bit_count())


_LEAST: Final = tuple(_least(classes) for classes in range(32))
_JOIN: Final = {(a, b): _LEAST[a.value | b.value] for a in Predicate for b in Predicate}


class Predicates(Lattice[Predicate]):
    """The lattice: ``T ∨ F = TF``, ``T ∨ F⁻ = ⊤``, ``TF ∧ FF⁻ = F``."""

    __slots__ = ()

    @property
    def bottom(self) -> Predicate:
        """⊥."""
        return Predicate.BOTTOM

    @property
    def top(self) -> Predicate:
        """⊤."""
        return Predicate.TOP

    def leq(self, a: Predicate, b: Predicate) -> bool:
        """Inclusion."""
        return a is b or a.value & ~b.value == 0

    def join(self, a: Predicate, b: Predicate) -> Predicate:
        """The least element above the union."""
        return _JOIN[a, b]

    def meet(self, a: Predicate, b: Predicate) -> Predicate:
        """The intersection, which is an element."""
        return a if a is b else _LEAST[a.value & b.value]


PREDICATES: Final = Predicates()

# --- transfer --------------------------------------------------------------------------------

_MIRROR: Final = {
    _NONE: _ALL,
    _SINGLE: _ALL_BUT_ONE,
    _REST: _REST,
    _ALL_BUT_ONE: _SINGLE,
    _ALL: _NONE,
}


def _not_class(x: int) -> int:
    return _MIRROR[x]


def _and_class(x: int, y: int) -> int:
    """Classes of ``k`` that the conjunction of a value of class ``x`` and one of ``y`` can have."""
    if _ALL in (x, y):
        return y if x == _ALL else x
    if _NONE in (x, y):
        return _NONE
    if _SINGLE in (x, y):
        return _NONE | _SINGLE
    if x == y == _ALL_BUT_ONE:
        return _ALL_BUT_ONE | _REST
    if _ALL_BUT_ONE in (x, y):
        return _REST | _SINGLE
    return _NONE | _SINGLE | _REST


def _xor_class(x: int, y: int) -> int:
    """As ``_and_class``, for the exclusive or."""
    for uniform, other in ((x, y), (y, x)):
        if uniform == _NONE:
            return other
        if uniform == _ALL:
            return _not_class(other)
    if _REST in (x, y):
        return 31
    return (_NONE if x == y else _ALL) | _REST


def _lift(function: Callable[[int, int], int]) -> dict[tuple[Predicate, Predicate], Predicate]:
    """Table over elements of a function over classes."""
    table = {}
    for a, b in product(Predicate, Predicate):
        classes = 0
        for x, y in product(_CLASSES, _CLASSES):
            if x & a.value and y & b.value:
                classes |= function(x, y)
        table[a, b] = _LEAST[classes]
    return table


_AND: Final = _lift(_and_class)
_XOR: Final = _lift(_xor_class)
_NOT: Final = {a: _LEAST[sum(_not_class(x) for x in _CLASSES if x & a.value)] for a in Predicate}


def negate(a: Predicate) -> Predicate:
    """``T ↔ F``, ``T⁻ ↔ F⁻``, ``TT⁻ ↔ FF⁻``; TF, ⊤, ⊥ stay."""
    return _NOT[a]


def conj(a: Predicate, b: Predicate) -> Predicate:
    """Logical and: ``FF⁻ ∧ x ≤ FF⁻``, ``T ∧ x = x``, ``T⁻ ∧ T⁻ = ⊤`` (two may be missing)."""
    return _AND[a, b]


def disj(a: Predicate, b: Predicate) -> Predicate:
    """Logical or, by De Morgan: ``TT⁻ ∨ x ≤ TT⁻``, ``F ∨ x = x``, ``F⁻ ∨ F⁻ = ⊤``."""
    return _NOT[_AND[_NOT[a], _NOT[b]]]


def xor(a: Predicate, b: Predicate) -> Predicate:
    """Exclusive or: ``F ⊕ x = x``, ``T ⊕ x = ¬x``, ``TF ⊕ TF = TF``."""
    return _XOR[a, b]


@cache
def choose(condition: Predicate, if_true: Predicate, if_false: Predicate) -> Predicate:
    """``condition ? if_true : if_false``, thread by thread; also a phi after a divergent branch.

    ``choose(FF⁻, x, F) = FF⁻ ∧ x``, so a short-circuit ``tid == 0 && x`` loses nothing.
    """
    if Predicate.BOTTOM in (condition, if_true, if_false):
        return Predicate.BOTTOM
    result = Predicate.BOTTOM
    for part in (Predicate.T, Predicate.F, Predicate.T_MINUS, Predicate.F_MINUS):
        if part.value & condition.value:
            chosen = _choose_part(part, if_true, if_false)
            result = PREDICATES.join(result, chosen)
    if condition is Predicate.TOP:
        result = PREDICATES.join(result, _choose_part(condition, if_true, if_false))
    return result


def _choose_part(condition: Predicate, if_true: Predicate, if_false: Predicate) -> Predicate:
    if condition is Predicate.T:
        return if_true
    if condition is Predicate.F:
        return if_false
    if if_true is if_false and if_true in (Predicate.T, Predicate.F):
        return if_true
    other = _NOT[condition]
    # Two ways to write the same choice; each forgets what the other keeps.
    either = disj(conj(condition, if_true), conj(other, if_false))
    both = conj(disj(other, if_true), disj(condition, if_false))
    return PREDICATES.meet(either, both)


def is_uniform(a: Predicate) -> bool:
    """Whether all threads agree: ``a ≤ TF``. ⊥ is (no execution disagrees)."""
    return a.value & ~Predicate.TF.value == 0


# --- the active set --------------------------------------------------------------------------


class ActiveSet(Enum):
    """Which threads execute: γ(FF⁻) at most one, γ(⊤) any set.

    A place that no thread reaches has no active set at all (the analysis has no state there);
    FF⁻ is not a stand-in for it.
    """

    FF_MINUS = "FF⁻"
    TOP = "⊤"

    def __repr__(self) -> str:
        return f"ActiveSet.{self.name}"

    def __str__(self) -> str:
        return self.value


class ActiveSets(Lattice[ActiveSet]):
    """The chain FF⁻ < ⊤. Its bottom still stands for masks: the empty one and the single ones."""

    __slots__ = ()

    @property
    def bottom(self) -> ActiveSet:
        """FF⁻."""
        return ActiveSet.FF_MINUS

    @property
    def top(self) -> ActiveSet:
        """⊤."""
        return ActiveSet.TOP

    def leq(self, a: ActiveSet, b: ActiveSet) -> bool:
        """All but ``⊤ ≤ FF⁻``."""
        return a is ActiveSet.FF_MINUS or b is ActiveSet.TOP

    def join(self, a: ActiveSet, b: ActiveSet) -> ActiveSet:
        """One mask *or* the other, as after a uniform branch; for the union see ``reconverge``."""
        return b if a is ActiveSet.FF_MINUS else a

    def meet(self, a: ActiveSet, b: ActiveSet) -> ActiveSet:
        """The smaller."""
        return b if a is ActiveSet.TOP else a


ACTIVE_SETS: Final = ActiveSets()


def refine(active: ActiveSet, condition: Predicate) -> ActiveSet:
    """The mask on a branch's true side, ``active ∧ condition``; the false side negates first.

    ``refine(⊤, FF⁻) = FF⁻``. Beware: a condition of ⊥ (not computed yet, never "unknown") gives
    FF⁻, as monotony demands; undefined and unanalysed conditions are ⊤.
    """
    few = PREDICATES.leq(condition, Predicate.FF_MINUS)
    return ActiveSet.FF_MINUS if few else active


def reconverge(before: ActiveSet, arriving: Sequence[ActiveSet]) -> ActiveSet:
    """The mask where the sides of a thread-dependent branch meet again: the *union* of the masks.

    ``before`` is the mask at the branch, of which the union is a part. Two sides with one thread
    each can make two threads: ``reconverge(⊤, (FF⁻, FF⁻)) = ⊤``, whereas the join is FF⁻.
    """
    if before is ActiveSet.FF_MINUS:
        return before
    if len(arriving) <= 1:
        return ACTIVE_SETS.join_all(arriving)
    return ActiveSet.TOP


def join_masks(arriving: Iterable[ActiveSet]) -> ActiveSet:
    """The mask after a uniform branch: all threads came one way, whichever."""
    return ACTIVE_SETS.join_all(arriving)
