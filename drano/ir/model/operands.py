"""What instructions are given: values of the same function, and constants."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Local(Struct, frozen=True):
    """The argument or instruction numbered ``index`` of the same function."""

    index: int


class IntConst(Struct, frozen=True):
    """Two's complement constant; ``value`` is the *signed* reading of the ``bits``."""

    value: int
    bits: int


class FloatConst(Struct, frozen=True):
    """A floating constant; its value does not matter to any analysis."""

    bits: int


class NullConst(Struct, frozen=True):
    """The null pointer, or an all-zero aggregate."""


class UndefConst(Struct, frozen=True):
    """undef or poison: any value, and the program may not depend on it."""


class GlobalAddress(Struct, frozen=True):
    """Address of global ``name`` plus ``offset`` bytes (constant GEPs and casts folded in)."""

    name: str
    offset: int = 0


class FunctionAddress(Struct, frozen=True):
    """Address of function ``name``."""

    name: str


class VectorConst(Struct, frozen=True):
    """Constant vector, array or struct, element by element."""

    elements: tuple[Operand, ...]


class OtherConst(Struct, frozen=True):
    """A constant that is none of the above (``text`` says which); uniform, of unknown value."""

    text: str


Operand: TypeAlias = (
    Local
    | IntConst
    | FloatConst
    | NullConst
    | UndefConst
    | GlobalAddress
    | FunctionAddress
    | VectorConst
    | OtherConst
)
