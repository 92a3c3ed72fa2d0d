"""The closed union of all instructions; what the reader does not know is ``Opaque``."""

from __future__ import annotations

from typing import TypeAlias

from drano.ir.model.control_instructions import ControlInstruction
from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.memory_instructions import MemoryInstruction
from drano.ir.model.operands import Operand
from drano.ir.model.value_instructions import ValueInstruction


class Opaque(InstructionBase, frozen=True, kw_only=True):
    """An instruction the reader does not know; its result may be anything."""

    opcode: str
    operands: tuple[Operand, ...]


Instruction: TypeAlias = ValueInstruction | MemoryInstruction | ControlInstruction | Opaque
