"""Sizes and alignments of types in memory, as LLVM lays them out for nvptx64.

Means: the data layout ``i64:64 i128:128 i256:256 v16:16 v32:32`` with LLVM's defaults.
Assumptions: pointers take 8 bytes in every address space.
Limits: scalable vectors and target types have no size.
"""

from __future__ import annotations

from typing import assert_never

from drano.ir.model import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)

POINTER_BYTES = 8
MAX_INT_ALIGN = 32


def _power_of_two(value: int) -> int:
    return 1 << max(0, value - 1).bit_length()


def _round_up(value: int, align: int) -> int:
    return -(-value // align) * align


def store_size(type_: Type) -> int:
    """Bytes that a load or a store of ``type_`` touches: 12 for ``<3 x float>``, 1 for ``i1``."""
    match type_:
        case IntType(bits) | FloatType(bits):
            return -(-bits // 8)
        case VectorType(count, element):
            return -(-count * _bits(element) // 8)
        case PointerType() | ArrayType() | StructType() | VoidType():
            return alloc_size(type_)
        case _:
            assert_never(type_)


def _bits(scalar: Type) -> int:
    if isinstance(scalar, IntType | FloatType):
        return scalar.bits
    return 8 * store_size(scalar)


def alignment(type_: Type) -> int:
    """ABI alignment in bytes: 16 for ``<3 x float>``, 4 for ``i24``."""
    match type_:
        case IntType(bits):
            return min(_power_of_two(-(-bits // 8)), MAX_INT_ALIGN)
        case FloatType(bits):
            return _power_of_two(-(-bits // 8))
        case PointerType():
            return POINTER_BYTES
        case VectorType():
            return _power_of_two(store_size(type_))
        case ArrayType(_, element):
            return alignment(element)
        case StructType():
            return type_.align
        case VoidType():
            return 1
        case _:
            assert_never(type_)


def alloc_size(type_: Type) -> int:
    """Bytes from one array element of ``type_`` to the next: 16 for ``<3 x float>``."""
    match type_:
        case PointerType():
            return POINTER_BYTES
        case ArrayType(count, element):
            return count * alloc_size(element)
        case StructType():
            return type_.size
        case VoidType():
            return 0
        case IntType() | FloatType() | VectorType():
            return _round_up(store_size(type_), alignment(type_))
        case _:
            assert_never(type_)


def struct_type(name: str, elements: tuple[Type, ...], *, packed: bool = False) -> StructType:
    """Lay out a struct: ``(IntType(8), IntType(32))`` has offsets (0, 4), size 8, alignment 4."""
    offsets = []
    end = 0
    align = 1
    for element in elements:
        element_align = 1 if packed else alignment(element)
        align = max(align, element_align)
        end = _round_up(end, element_align)
        offsets.append(end)
        end += alloc_size(element)
    return StructType(name, elements, tuple(offsets), _round_up(end, align), align)


def address_space(type_: Type) -> int:
    """The space that a pointer type points to; generic for anything else."""
    return type_.space if isinstance(type_, PointerType) else 0
