"""Instructions that access memory, or make some."""

from __future__ import annotations

from typing import TypeAlias

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type


class Load(InstructionBase, frozen=True, kw_only=True):
    """``type`` is what is loaded, ``size`` its bytes in memory."""

    pointer: Operand
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False
    invariant: bool = False


class Store(InstructionBase, frozen=True, kw_only=True):
    """``type`` is void."""

    pointer: Operand
    value: Operand
    value_type: Type
    space: int
    size: int
    align: int
    volatile: bool = False
    atomic: bool = False


class Atomic(InstructionBase, frozen=True, kw_only=True):
    """atomicrmw or cmpxchg (``op``: add, fadd, xchg, …, cmpxchg)."""

    op: str
    pointer: Operand
    operands: tuple[Operand, ...]
    space: int
    size: int
    align: int


class MemoryCopy(InstructionBase, frozen=True, kw_only=True):
    """llvm.memcpy / memmove: ``length`` bytes from ``source`` to ``pointer``, per thread."""

    pointer: Operand
    source: Operand
    length: Operand
    pointer_space: int
    source_space: int
    pointer_align: int
    source_align: int


class MemoryFill(InstructionBase, frozen=True, kw_only=True):
    """llvm.memset."""

    pointer: Operand
    value: Operand
    length: Operand
    pointer_space: int
    pointer_align: int


class Alloca(InstructionBase, frozen=True, kw_only=True):
    """Stack slot of ``size`` bytes (0: unknown)."""

    size: int
    align: int


MemoryInstruction: TypeAlias = Load | Store | Atomic | MemoryCopy | MemoryFill | Alloca
