"""Memory accesses in inline PTX that ``ir/prepare/inline_assembly`` does not turn into plain ones.

Those are of several instructions, or of 8-bit values in wide registers. The static analysis does
not see them; a run measures them.
Limits: one access in one ``asm``, at its pointer operand without an offset.
"""

from __future__ import annotations

import re

from msgspec import Struct

from drano.ir import model as m
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind

_ACCESS = re.compile(
    r"\b(ld|st)(?:\.volatile|\.relaxed\.\w+|\.acquire\.\w+|\.release\.\w+)?(?:\.(global|shared))?"
    r"(?:\.\w+)*?(?:\.(v2|v4))?\.[bsuf](\d+)\s[^;]*?\[\s*\$(\d+)\s*\]"
)
_SPACES = {"global": AddressSpace.GLOBAL, "shared": AddressSpace.SHARED}


class AssemblyAccess(Struct, frozen=True):
    """``argument``: number of the pointer among the operands that are passed in."""

    kind: AccessKind
    argument: int
    bytes: int
    space: int


def assembly_access(call: m.Call) -> AssemblyAccess | None:
    """The access that an ``asm`` makes; None when there is none, or several."""
    found = _ACCESS.findall(call.text)
    if len(found) != 1:
        return None
    opcode, space, vector, bits, operand = found[0]
    outputs = 1
    if isinstance(call.type, m.VoidType):
        outputs = 0
    elif isinstance(call.type, m.StructType):
        outputs = len(call.type.elements)
    kind = AccessKind.LOAD if opcode == "ld" else AccessKind.STORE
    size = int(bits) // 8 * int(vector[1:] or 1)
    number = int(operand) - outputs
    if not 0 <= number < len(call.args):
        return None
    return AssemblyAccess(kind, number, size, _SPACES.get(space, 0))
