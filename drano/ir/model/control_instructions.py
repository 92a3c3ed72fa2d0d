"""Instructions by which blocks end, and what is there because of other blocks and functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type
from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Phi(InstructionBase):
    """``incoming``: (value, index of the predecessor block), one per CFG edge."""

    incoming: tuple[tuple[Operand, int], ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Call(InstructionBase):
    """A call that was not inlined. ``callee`` is the symbol, None for an indirect call
    (then ``target`` is the pointer); inline assembly has ``callee`` "asm" and ``text``.
    """

    callee: str | None
    target: Operand | None
    args: tuple[Operand, ...]
    arg_types: tuple[Type, ...]
    text: str = ""


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(InstructionBase):
    """Unconditional branch to block ``target``."""

    target: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(InstructionBase):
    """Conditional branch to block ``if_true`` or ``if_false``."""

    condition: Operand
    if_true: int
    if_false: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(InstructionBase):
    """``cases``: (value, block); anything else goes to ``default``."""

    value: Operand
    bits: int
    default: int
    cases: tuple[tuple[int, int], ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Return(InstructionBase):
    """``value`` is None for void."""

    value: Operand | None


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable(InstructionBase):
    """Never executed (trap, exit)."""


Terminator: TypeAlias = Jump | Branch | Switch | Return | Unreachable

ControlInstruction: TypeAlias = Phi | Call | Terminator
