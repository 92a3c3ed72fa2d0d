"""Types of values: what LLVM has of them, with sizes and offsets in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True)
class VoidType:
    """No value."""


@fast_init
@dataclass(frozen=True, slots=True)
class IntType:
    """``bits`` wide two's complement integer; ``i1`` is a predicate."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class FloatType:
    """Any floating-point type: half and bfloat 16, float 32, double 64 bits."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class PointerType:
    """Opaque pointer in ``space`` (a number of ``AddressSpace`` where it is one of them)."""

    space: int = 0


@fast_init
@dataclass(frozen=True, slots=True)
class VectorType:
    """SIMD vector ``<count x element>``."""

    count: int
    element: Type


@fast_init
@dataclass(frozen=True, slots=True)
class ArrayType:
    """``[count x element]``."""

    count: int
    element: Type


@fast_init
@dataclass(frozen=True, slots=True)
class StructType:
    """``name`` is LLVM's (``struct.P``), empty for literal structs; ``offsets`` in bytes."""

    name: str
    elements: tuple[Type, ...]
    offsets: tuple[int, ...]
    size: int
    align: int


Type: TypeAlias = VoidType | IntType | FloatType | PointerType | VectorType | ArrayType | StructType
