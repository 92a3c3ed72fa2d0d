"""Types taken apart into scalars: the width of each, and where it is."""

from __future__ import annotations

from drano.ir.model import ArrayType, FloatType, IntType, PointerType, Type, VectorType
from drano.ir.target import POINTER_BITS

MAX_AGGREGATE = 64  # parts of an aggregate that are told from each other


def scalar_bits(type_: Type) -> int:
    """Width of a scalar's form; floats get their own width, they are never computed with."""
    if isinstance(type_, IntType):
        return type_.bits
    return POINTER_BITS


def scalars(type_: Type, size: int) -> list[tuple[int, Type, int]]:
    """Offset, type and size of each scalar of a type; of what is not a plain vector, the whole."""
    if isinstance(type_, VectorType | ArrayType) and type_.count and size % type_.count == 0:
        each = size // type_.count
        if isinstance(type_.element, IntType | FloatType | PointerType):
            return [(n * each, type_.element, each) for n in range(type_.count)]
    return [(0, type_, size)]
