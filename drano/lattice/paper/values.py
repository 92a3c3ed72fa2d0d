"""Values of the paper's analysis: a multiplier, a predicate or a pointer, by the value's type.

Integers and floats are ``Multiplier``, ``i1`` is ``Predicate``, pointers are ``Pointer``: the
address's multiplier, counted in elements (threads one element apart have address 1), and the
pointee's, what reads through the pointer find.

    γ(Pointer(a, p)) = pointers whose addresses are in γ(a), in memory whose contents, cell for
                       cell across the threads, are in γ(p)

Here too is where the kinds meet: comparisons, selects, conversions, loads, merges.

Assumption: lanes that differ by 1, 2, … up to the warp's size differ in the compared width
(``2^w ≥ 32``), so that ``tid == u`` holds in one thread at most. Holds from ``i5`` on.

Limits: the paper's comparisons, no more: ``1 == 1`` is ⊤, though it is uniform.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from drano.lattice.base import ContractError, Product
from drano.lattice.paper.multiplier import (
    BOTTOM,
    MINUS_ONE,
    MULTIPLIERS,
    ONE,
    TOP,
    ZERO,
    Multiplier,
    add,
)
from drano.lattice.paper.predicate import PREDICATES, Predicate, choose, is_uniform


class Pointer(NamedTuple):
    """Address and pointee."""

    address: Multiplier
    pointee: Multiplier

    def __str__(self) -> str:
        return f"({self.address}, {self.pointee})"


PaperValue: TypeAlias = Multiplier | Predicate | Pointer

POINTERS: Final[Product[Pointer]] = Product(Pointer, (MULTIPLIERS, MULTIPLIERS))
"""The lattice of pointers, component by component."""


# --- order -----------------------------------------------------------------------------------


def join(a: PaperValue, b: PaperValue) -> PaperValue:
    """Least upper bound of two values of one kind; raises ContractError for two kinds."""
    if isinstance(a, Multiplier) and isinstance(b, Multiplier):
        return MULTIPLIERS.join(a, b)
    if isinstance(a, Predicate) and isinstance(b, Predicate):
        return PREDICATES.join(a, b)
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return POINTERS.join(a, b)
    raise ContractError(f"no join of {a!r} and {b!r}: two kinds of values")


def top_like(a: PaperValue) -> PaperValue:
    """⊤ of the same kind."""
    match a:
        case Multiplier():
            return TOP
        case Predicate():
            return Predicate.TOP
        case Pointer():
            return POINTERS.top


def is_bottom(a: PaperValue) -> bool:
    """Whether no concrete value is meant: a pointer is ⊥ when its address is."""
    return a is BOTTOM or a is Predicate.BOTTOM or (isinstance(a, Pointer) and a[0] is BOTTOM)


# --- where kinds meet ------------------------------------------------------------------------

_EQUAL: Final = frozenset({"eq"})
_UNEQUAL: Final = frozenset({"ne"})
_ORDERING: Final = frozenset({"slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
_FLOATING: Final = frozenset(
    {"oeq", "ogt", "oge", "olt", "ole", "one", "ord"}
    | {"ueq", "ugt", "uge", "ult", "ule", "une", "uno"}
)


def compare(predicate: str, a: Multiplier, b: Multiplier) -> Predicate:
    """``icmp`` and ``fcmp`` of numbers, pointers by their addresses; unlisted predicates give ⊤.

    Two uniform values: TF. ±1 against 0: ``==`` FF⁻, ``!=`` TT⁻. All else ⊤.
    """
    if a is BOTTOM or b is BOTTOM:
        return Predicate.BOTTOM
    if predicate in _EQUAL or predicate in _UNEQUAL:
        return _compare_equal(a, b, equal=predicate in _EQUAL)
    if predicate in _ORDERING or predicate in _FLOATING:
        return Predicate.TF if a is ZERO and b is ZERO else Predicate.TOP
    if predicate in ("true", "false"):
        return Predicate.T if predicate == "true" else Predicate.F
    return Predicate.TOP


def _compare_equal(a: Multiplier, b: Multiplier, *, equal: bool) -> Predicate:
    if a is ZERO and b is ZERO:
        return Predicate.TF
    one_uniform = a is ZERO or b is ZERO
    if one_uniform and TOP not in (a, b):
        return Predicate.FF_MINUS if equal else Predicate.TT_MINUS
    return Predicate.TOP


def integer(a: Predicate) -> Multiplier:
    """``zext``/``sext`` of an ``i1``: uniform stays uniform, all else ⊤."""
    if a is Predicate.BOTTOM:
        return BOTTOM
    return ZERO if is_uniform(a) else TOP


def boolean(a: Multiplier) -> Predicate:
    """``trunc`` to ``i1``, the lowest bit: uniform stays uniform, all else ⊤."""
    if a is BOTTOM:
        return Predicate.BOTTOM
    return Predicate.TF if a is ZERO else Predicate.TOP


def select(condition: Predicate, if_true: PaperValue, if_false: PaperValue) -> PaperValue:
    """``condition ? if_true : if_false``, strict in ⊥; raises ContractError for two kinds.

    A known condition picks its side, a uniform one gives the join, a thread-dependent one mixes
    the sides: ⊤, except for predicates, which ``choose`` follows.
    """
    both = join(if_true, if_false)
    if condition is Predicate.BOTTOM or is_bottom(if_true) or is_bottom(if_false):
        return _bottom_like(if_true)
    if isinstance(if_true, Predicate) and isinstance(if_false, Predicate):
        return choose(condition, if_true, if_false)
    if condition is Predicate.T:
        return if_true
    if condition is Predicate.F:
        return if_false
    return both if is_uniform(condition) else top_like(both)


def _bottom_like(a: PaperValue) -> PaperValue:
    match a:
        case Multiplier():
            return BOTTOM
        case Predicate():
            return Predicate.BOTTOM
        case Pointer():
            return POINTERS.bottom


# --- memory ----------------------------------------------------------------------------------


def advance(pointer: Pointer, *indices: Multiplier) -> Pointer:
    """Address arithmetic: the indices, in elements, add up to the address."""
    address = pointer.address
    for index in indices:
        address = add(address, index)
    return Pointer(address, pointer.pointee)


def load(pointer: Pointer, *, private: bool = False) -> Multiplier:
    """What a load finds: from a uniform address 0, from any other ⊤.

    One address of shared memory holds one value. ``private`` memory has one cell per thread
    behind the same address, so there it is the pointee.
    """
    found = pointer.pointee if private else ZERO
    if pointer.address is BOTTOM:
        return BOTTOM
    return found if pointer.address is ZERO else TOP


def is_wide_stride(address: Multiplier, bytes_per_element: int) -> bool:
    """The paper's criterion on the index, for an access in which several threads take part:
    ⊤, or ±1 with elements wider than 4 bytes. ⊥ (nothing arrives) and 0 are fine.
    """
    if address in (ONE, MINUS_ONE):
        return bytes_per_element > 4
    return address is TOP
