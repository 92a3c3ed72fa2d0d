"""What instructions are given: values of the same function, and constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True)
class Local:
    """The argument or instruction numbered ``index`` of the same function."""

    index: int


@fast_init
@dataclass(frozen=True, slots=True)
class IntConst:
    """Two's complement constant; ``value`` is the *signed* reading of the ``bits``."""

    value: int
    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class FloatConst:
    """A floating constant; its value does not matter to any analysis."""

    bits: int


@fast_init
@dataclass(frozen=True, slots=True)
class NullConst:
    """The null pointer, or an all-zero aggregate."""


@fast_init
@dataclass(frozen=True, slots=True)
class UndefConst:
    """undef or poison: any value, and the program may not depend on it."""


@fast_init
@dataclass(frozen=True, slots=True)
class GlobalAddress:
    """Address of global ``name`` plus ``offset`` bytes (constant GEPs and casts folded in)."""

    name: str
    offset: int = 0


@fast_init
@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """Address of function ``name``."""

    name: str


@fast_init
@dataclass(frozen=True, slots=True)
class VectorConst:
    """Constant vector, array or struct, element by element."""

    elements: tuple[Operand, ...]


@fast_init
@dataclass(frozen=True, slots=True)
class OtherConst:
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
