"""Values of the paper's analysis in the setting of LLVM IR.

Integers, floats and whole aggregates are a ``Multiplier``, ``i1`` is a ``Predicate``, pointers are
a ``Reference``: the paper's address, counted in elements, together with what an element is.

    γ(Reference(s, m)) = pointers into space m where thread t's is t·s bytes after thread 0's

A GEP over ``float`` by ``threadIdx.x`` has stride 4: the paper's address 1 with elements of 4
bytes. Stride None is the paper's ⊤, stride 0 its 0. An aggregate is 0 when all its parts are
uniform and ⊤ otherwise.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from drano.ir.model import IntType, PointerType, Type
from drano.lattice.memory_space import MEMSPACES, MemSpace
from drano.lattice.paper import multiplier
from drano.lattice.paper import values as paper
from drano.lattice.paper.multiplier import MINUS_ONE, ONE, TOP, ZERO, Multiplier
from drano.lattice.paper.predicate import Predicate, is_uniform


class Reference(NamedTuple):
    """``stride``: bytes from one thread's address to the next one's; None: unknown."""

    stride: int | None
    space: MemSpace

    @property
    def address(self) -> Multiplier:
        """The paper's address: the coefficient of ``threadIdx.x``, counted in elements."""
        if self.stride is None:
            return TOP
        if self.stride == 0:
            return ZERO
        return ONE if self.stride > 0 else MINUS_ONE

    @property
    def element(self) -> int:
        """Bytes of one element: 0 where the address is uniform or unknown."""
        return abs(self.stride or 0)


Value: TypeAlias = Multiplier | Predicate | Reference

UNKNOWN_REFERENCE: Final = Reference(None, MemSpace.GENERIC)


def join(a: Value, b: Value) -> Value:
    """Least upper bound; values of two kinds (a defect of the IR) have only ⊤ above them."""
    if a is b or a == b:
        return a
    if isinstance(a, Reference) and isinstance(b, Reference):
        return Reference(None if a.stride != b.stride else a.stride, _join_spaces(a, b))
    if isinstance(a, Reference) or isinstance(b, Reference) or type(a) is not type(b):
        return of_multiplier(_kind(a), TOP)
    joined = paper.join(a, b)
    assert not isinstance(joined, paper.Pointer)
    return joined


def _join_spaces(a: Reference, b: Reference) -> MemSpace:
    return MEMSPACES.join(a.space, b.space)


def _kind(a: Value) -> Type:
    if isinstance(a, Predicate):
        return IntType(1)
    return PointerType() if isinstance(a, Reference) else IntType(32)


def top_like(a: Value) -> Value:
    """⊤ of the same kind; a pointer stays in its space."""
    if isinstance(a, Reference):
        return Reference(None, a.space)
    return Predicate.TOP if isinstance(a, Predicate) else TOP


def uniform(a: Value) -> bool:
    """Whether all threads have the same value."""
    if isinstance(a, Reference):
        return a.stride == 0
    return is_uniform(a) if isinstance(a, Predicate) else a is ZERO


def to_multiplier(a: Value) -> Multiplier:
    """A value read as a number: pointers count bytes, truth values are 0 and 1."""
    if isinstance(a, Multiplier):
        return a
    if isinstance(a, Predicate):
        return paper.integer(a)
    return {0: ZERO, 1: ONE, -1: MINUS_ONE}.get(a.stride, TOP) if a.stride is not None else TOP


def of_multiplier(type_: Type, a: Multiplier, space: MemSpace = MemSpace.GENERIC) -> Value:
    """A number read as a value of ``type_``."""
    if isinstance(type_, IntType) and type_.bits == 1:
        return paper.boolean(a)
    if isinstance(type_, PointerType):
        return Reference({ZERO: 0, ONE: 1, MINUS_ONE: -1}.get(a), space)
    return a


def coerce(type_: Type, a: Value) -> Value:
    """``a`` as a value of ``type_``; only constants without a type of their own need it."""
    if isinstance(type_, PointerType):
        return a if isinstance(a, Reference) else of_multiplier(type_, to_multiplier(a))
    if isinstance(type_, IntType) and type_.bits == 1:
        return a if isinstance(a, Predicate) else paper.boolean(to_multiplier(a))
    return a if isinstance(a, Multiplier) else blend(a)


def blend(*values: Value) -> Multiplier:
    """What is known of any function of ``values``: 0 if all are uniform, else ⊤."""
    return ZERO if all(map(uniform, values)) else TOP


def scaled(index: Multiplier, stride: int) -> int | None:
    """Bytes between neighbouring threads' ``index * stride``."""
    if index is ZERO or stride == 0:
        return 0
    if index is multiplier.TOP:
        return None
    return stride if index is ONE else -stride


def advance(base: Reference, offsets: list[int | None]) -> Reference:
    """``base`` plus the offsets, each in bytes between neighbouring threads."""
    stride = base.stride
    for offset in offsets:
        if stride is None or offset is None:
            return Reference(None, base.space)
        stride += offset
    return Reference(stride, base.space)


def select(condition: Predicate, if_true: Value, if_false: Value) -> Value:
    """``condition ? if_true : if_false``: a side, the join, or ⊤, as the condition is decided,
    uniform, or thread-dependent.
    """
    if isinstance(if_true, Predicate) and isinstance(if_false, Predicate):
        chosen = paper.select(condition, if_true, if_false)
        assert isinstance(chosen, Predicate)
        return chosen
    if condition is Predicate.T:
        return if_true
    if condition is Predicate.F:
        return if_false
    both = join(if_true, if_false)
    return both if is_uniform(condition) else top_like(both)
