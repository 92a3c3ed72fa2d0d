"""PTX's types: their sizes, and the types of LLVM that stand for them."""

from __future__ import annotations

import re
from typing import Final

_TYPE = re.compile(r"([busf])(8|16|32|64|128)(x2|x4)?\Z")
_OTHERS: Final = {
    "pred": 1, "f16x2": 32, "bf16": 16, "bf16x2": 32, "tf32": 32, "e4m3": 8, "e5m2": 8,
    "e4m3x2": 16, "e5m2x2": 16, "e2m1": 4, "e2m3": 6, "e3m2": 6, "b1": 1, "b4": 4, "u4": 4,
    "s4": 4, "e4m3x4": 32, "e5m2x4": 32, "u16x2": 32, "s16x2": 32, "f32x2": 64, "e2m1x2": 8,
    "e2m1x4": 16, "e3m2x2": 16, "e2m3x2": 16, "e3m2x4": 32, "e2m3x4": 32, "ue8m0": 8,
    "ue8m0x2": 16, "ue4m3": 8, "u8x4": 32, "s8x4": 32,
}  # fmt: skip


def is_type(word: str) -> bool:
    """Whether a modifier names a type."""
    return word in _OTHERS or _TYPE.match(word) is not None


def type_bits(type_: str) -> int:
    """The size of a type: 32 for ``u32``."""
    known = _OTHERS.get(type_)
    if known is not None:
        return known
    match = _TYPE.match(type_)
    return int(match[2]) if match else 32


def is_signed(type_: str) -> bool:
    """Whether it is an integer with a sign."""
    return type_[:1] == "s"


def is_float(type_: str) -> bool:
    """Whether numbers of the type are floating-point ones, one in each."""
    return type_ in ("f16", "bf16", "f32", "f64")


def llvm_type(type_: str) -> str:
    """What an operation of the type computes with; packed types are vectors.

    >>> llvm_type("u32"), llvm_type("f16x2"), llvm_type("pred")
    ('i32', '<2 x half>', 'i1')
    """
    plain = {
        "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "pred": "i1",
        "f16x2": "<2 x half>", "bf16x2": "<2 x bfloat>", "f32x2": "<2 x float>",
        "u16x2": "<2 x i16>", "s16x2": "<2 x i16>",
    }  # fmt: skip
    return plain.get(type_) or f"i{type_bits(type_)}"


def register_type(type_: str) -> str:
    """What a register of the type is kept as.

    >>> register_type("f16"), register_type("f32"), register_type("b64")
    ('i16', 'float', 'i64')
    """
    if type_ in ("f32", "f64", "pred"):
        return llvm_type(type_)
    return f"i{max(8, type_bits(type_))}"


def llvm_bits(type_: str) -> int:
    """The size of one of LLVM's types that are used here.

    >>> llvm_bits("<2 x half>"), llvm_bits("ptr addrspace(3)")
    (32, 64)
    """
    if type_.startswith("ptr"):
        return 64
    if type_.startswith("<"):
        count, _, element = type_[1:-1].partition(" x ")
        return int(count) * llvm_bits(element)
    sizes = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
    return sizes[type_] if type_ in sizes else int(type_[1:])
