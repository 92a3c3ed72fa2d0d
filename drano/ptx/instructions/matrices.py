"""Moves of matrices between shared memory and the registers of a warp. Source: PTX ISA, "Warp-level
matrix load instruction: ldmatrix", "… store instruction: stmatrix".

Means: the intrinsics of LLVM, which say where each lane's row of 16 bytes is.
"""

from __future__ import annotations

import re
from typing import Final

from drano.model.nvptx import AddressSpace
from drano.ptx.instructions.memory import place
from drano.ptx.instructions.registry import handles
from drano.ptx.model import Instruction, Operand, Vector
from drano.ptx.writer import UnknownError, Writer

MATRIX_MOVES: Final = frozenset({"ldmatrix", "stmatrix"})
_MOVE: Final = re.compile(
    r"(?:ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16"
)


@handles("ldmatrix")
def _load(w: Writer, i: Instruction) -> None:
    count, name = _intrinsic(i)
    registers = _parts(i.operands[0], count)
    pointer, where = place(w, i.operands[1], AddressSpace.SHARED)
    whole = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    made = w.call(name, whole, f"{where} {pointer}")
    for number, register in enumerate(registers):
        value = made if count == 1 else w.let(f"extractvalue {whole} {made}, {number}")
        w.set(register, value, "i32")


@handles("stmatrix")
def _store(w: Writer, i: Instruction) -> None:
    count, name = _intrinsic(i)
    pointer, where = place(w, i.operands[0], AddressSpace.SHARED)
    values = [f"i32 {w.value(part, 'i32')}" for part in _parts(i.operands[1], count)]
    w.call(name, "void", f"{where} {pointer}", *values)


def _intrinsic(i: Instruction) -> tuple[int, str]:
    """How many matrices are moved, and the name of LLVM's intrinsic."""
    found = _MOVE.fullmatch(i.name)
    if found is None or len(i.operands) != 2:
        raise UnknownError
    shape = f"m8n8.x{found[1]}{found[2] or ''}"
    return int(found[1]), f"llvm.nvvm.{i.opcode}.sync.aligned.{shape}.b16.p3"


def _parts(operand: Operand, count: int) -> tuple[Operand, ...]:
    parts = operand.parts if isinstance(operand, Vector) else (operand,)
    if len(parts) != count:
        raise UnknownError
    return parts
