"""The closed union of all instructions; what the reader does not know is ``Opaque``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.ir.model.control_instructions import ControlInstruction
from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.memory_instructions import MemoryInstruction
from drano.ir.model.operands import Operand
from drano.ir.model.value_instructions import ValueInstruction
from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque(InstructionBase):
    """An instruction the reader does not know; its result may be anything."""

    opcode: str
    operands: tuple[Operand, ...]


Instruction: TypeAlias = ValueInstruction | MemoryInstruction | ControlInstruction | Opaque
