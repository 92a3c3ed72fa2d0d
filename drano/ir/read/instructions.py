"""One printed instruction to one frozen ``model`` instruction: the table of opcodes.

Means: ``decode`` looks the opcode up; what is not in the table becomes ``Opaque`` with the locals
that it mentions.
Assumptions: the line is LLVM's own printing, cut before its metadata attachments, and names of
all values of the function are known (a phi may refer forward).
Limits: those of the modules ``decode_*.py``.
"""

from __future__ import annotations

from collections.abc import Mapping

from drano.ir import model as m
from drano.ir.read import decode_control as control
from drano.ir.read import decode_memory as memory
from drano.ir.read import decode_values as values
from drano.ir.read.decoding import Decoder, Header, opaque
from drano.ir.read.operands import OperandTokens

_ARITHMETIC = ("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr")
_LOGIC = ("and", "or", "xor")
_FLOATING = ("fadd", "fsub", "fmul", "fdiv", "frem")
_WIDTHS = ("trunc", "zext", "sext", "fptrunc", "fpext")
_CONVERSIONS = ("fptoui", "fptosi", "uitofp", "sitofp")
_POINTERS = ("ptrtoint", "inttoptr", "bitcast", "addrspacecast")

DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(_ARITHMETIC + _LOGIC + _FLOATING, values.binary),
    **dict.fromkeys(_WIDTHS + _CONVERSIONS + _POINTERS, values.cast),
    "fneg": values.negate,
    "icmp": values.compare,
    "fcmp": values.compare,
    "load": memory.load,
    "store": memory.store,
    "atomicrmw": memory.atomicrmw,
    "cmpxchg": memory.cmpxchg,
    "alloca": memory.alloca,
    "getelementptr": memory.gep,
    "phi": values.phi,
    "select": values.select,
    "call": memory.call,
    "extractvalue": values.extract_value,
    "insertvalue": values.insert_value,
    "extractelement": values.extract_element,
    "insertelement": values.insert_element,
    "shufflevector": values.shuffle_vector,
    "freeze": values.freeze,
    "br": control.branch,
    "switch": control.switch,
    "ret": control.return_,
    "unreachable": control.unreachable,
}


def decode(tokens: OperandTokens, opcode: str, header: Header) -> m.Instruction:
    """The instruction whose operands come next in ``tokens``; TextError if they make no sense."""
    return DECODERS.get(opcode, opaque)(tokens, opcode, header)
