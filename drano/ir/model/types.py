"""Types of values: what LLVM has of them, with sizes and offsets in bytes."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class VoidType(Struct, frozen=True):
    """No value."""


class IntType(Struct, frozen=True):
    """``bits`` wide two's complement integer; ``i1`` is a predicate."""

    bits: int


class FloatType(Struct, frozen=True):
    """Any floating-point type: half and bfloat 16, float 32, double 64 bits."""

    bits: int


class PointerType(Struct, frozen=True):
    """Opaque pointer in ``space`` (a number of ``AddressSpace`` where it is one of them)."""

    space: int = 0


class VectorType(Struct, frozen=True):
    """SIMD vector ``<count x element>``."""

    count: int
    element: Type


class ArrayType(Struct, frozen=True):
    """``[count x element]``."""

    count: int
    element: Type


class StructType(Struct, frozen=True):
    """``name`` is LLVM's (``struct.P``), empty for literal structs; ``offsets`` in bytes."""

    name: str
    elements: tuple[Type, ...]
    offsets: tuple[int, ...]
    size: int
    align: int


Type: TypeAlias = VoidType | IntType | FloatType | PointerType | VectorType | ArrayType | StructType
