"""Instructions that access memory, or make some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type
from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Load(InstructionBase):
    """``type`` is what is loaded, ``size`` its bytes in memory."""

    pointer: Operand
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False
    invariant: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Store(InstructionBase):
    """``type`` is void."""

    pointer: Operand
    value: Operand
    value_type: Type
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Atomic(InstructionBase):
    """atomicrmw or cmpxchg (``op``: add, fadd, xchg, …, cmpxchg)."""

    op: str
    pointer: Operand
    operands: tuple[Operand, ...]
    space: int
    size: int
    align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCopy(InstructionBase):
    """llvm.memcpy / memmove: ``length`` bytes from ``source`` to ``pointer``, per thread."""

    pointer: Operand
    source: Operand
    length: Operand
    pointer_space: int
    source_space: int
    pointer_align: int
    source_align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFill(InstructionBase):
    """llvm.memset."""

    pointer: Operand
    value: Operand
    length: Operand
    pointer_space: int
    pointer_align: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Alloca(InstructionBase):
    """Stack slot of ``size`` bytes (0: unknown)."""

    size: int
    align: int


MemoryInstruction: TypeAlias = Load | Store | Atomic | MemoryCopy | MemoryFill | Alloca
