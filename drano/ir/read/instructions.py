"""One printed instruction to one frozen ``model`` instruction.

Means: ``decode`` looks the opcode up in the table that the modules ``decode_*.py`` fill; what is
not in it becomes ``Opaque`` with the locals that it mentions.
Assumptions: the line is LLVM's own printing, cut before its metadata attachments, and names of
all values of the function are known (a phi may refer forward).
Limits: those of the modules ``decode_*.py``.
"""

from __future__ import annotations

from drano.ir import model as m
from drano.ir.read import decode_control, decode_memory, decode_values
from drano.ir.read.decoding import DECODERS, Header, opaque
from drano.ir.read.operands import OperandTokens

__all__ = ["decode", "decode_control", "decode_memory", "decode_values"]


def decode(tokens: OperandTokens, opcode: str, header: Header) -> m.Instruction:
    """The instruction whose operands come next in ``tokens``; TextError if they make no sense."""
    return DECODERS.get(opcode, opaque)(tokens, opcode, header)
