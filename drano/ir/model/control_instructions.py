"""Instructions by which blocks end, and what is there because of other blocks and functions."""

from __future__ import annotations

from typing import TypeAlias

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type


class Phi(InstructionBase, frozen=True, kw_only=True):
    """``incoming``: (value, index of the predecessor block), one per CFG edge."""

    incoming: tuple[tuple[Operand, int], ...]


class Call(InstructionBase, frozen=True, kw_only=True):
    """A call that was not inlined. ``callee`` is the symbol, None for an indirect call
    (then ``target`` is the pointer); inline assembly has ``callee`` "asm" and ``text``.
    """

    callee: str | None
    target: Operand | None
    args: tuple[Operand, ...]
    arg_types: tuple[Type, ...]
    text: str = ""


class Jump(InstructionBase, frozen=True, kw_only=True):
    """Unconditional branch to block ``target``."""

    target: int


class Branch(InstructionBase, frozen=True, kw_only=True):
    """Conditional branch to block ``if_true`` or ``if_false``."""

    condition: Operand
    if_true: int
    if_false: int


class Switch(InstructionBase, frozen=True, kw_only=True):
    """``cases``: (value, block); anything else goes to ``default``."""

    value: Operand
    bits: int
    default: int
    cases: tuple[tuple[int, int], ...]


class Return(InstructionBase, frozen=True, kw_only=True):
    """``value`` is None for void."""

    value: Operand | None


class Unreachable(InstructionBase, frozen=True, kw_only=True):
    """Never executed (trap, exit)."""


Terminator: TypeAlias = Jump | Branch | Switch | Return | Unreachable

ControlInstruction: TypeAlias = Phi | Call | Terminator
