"""Moves of matrices between memory and the registers of a warp. Source: PTX ISA, "Warp-level matrix
load instruction: ldmatrix", "… store instruction: stmatrix", "… wmma.load", "… wmma.store".

Means: the intrinsics of LLVM, of which ``ir/prepare/tile_accesses`` knows what each lane accesses.
"""

from __future__ import annotations

import re
from typing import Final

from drano.model.nvptx import AddressSpace
from drano.ptx.instructions.memory import place, state_space
from drano.ptx.instructions.registry import handles
from drano.ptx.model import Instruction, Operand, Vector
from drano.ptx.writer import UnknownError, Writer

MATRIX_MOVES: Final = frozenset({"ldmatrix", "stmatrix", "wmma"})
_MOVE: Final = re.compile(
    r"(?:ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16"
)
_FRAGMENT: Final = re.compile(
    r"wmma\.(?P<way>load|store)\.(?P<part>[abcd])\.sync\.aligned\.(?P<order>row|col)"
    r"\.(?P<shape>m\d+n\d+k\d+)(?:\.(?:global|shared(?:::cta)?))?\.(?P<type>\w+)"
)
_REGISTERS: Final = {"f16": "<2 x half>", "f32": "float", "f64": "double"}


@handles("ldmatrix")
def _load(w: Writer, i: Instruction) -> None:
    count, name = _intrinsic(i)
    registers = parts_of(i.operands[0], count)
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
    values = [f"i32 {w.value(part, 'i32')}" for part in parts_of(i.operands[1], count)]
    w.call(name, "void", f"{where} {pointer}", *values)


@handles("wmma")
def _fragment(w: Writer, i: Instruction) -> None:
    """``wmma.load`` and ``wmma.store``; other instructions of that name only compute."""
    found = _FRAGMENT.fullmatch(i.name)
    if found is None or len(i.operands) not in (2, 3):
        raise UnknownError
    loads = found["way"] == "load"
    registers, address = i.operands[:2] if loads else (i.operands[1], i.operands[0])
    parts = registers.parts if isinstance(registers, Vector) else (registers,)
    space = state_space(i)
    pointer, where = place(w, address, space)
    stride = [f"i32 {w.value(i.operands[2], 'i32')}"] if i.operands[2:] else []
    held = _REGISTERS.get(found["type"], "i32")
    name = (
        f"llvm.nvvm.wmma.{found['shape']}.{found['way']}.{found['part']}.{found['order']}"
        f"{'.stride' if stride else ''}.{found['type']}.p{space}"
    )
    number = "i64" if held == "double" else "i32"
    if not loads:
        values = [w.value(part, number) for part in parts]
        given = [v if held == number else w.let(f"bitcast {number} {v} to {held}") for v in values]
        w.call(name, "void", f"{where} {pointer}", *(f"{held} {value}" for value in given), *stride)
        return
    whole = held if len(parts) == 1 else f"{{ {', '.join([held] * len(parts))} }}"
    made = w.call(name, whole, f"{where} {pointer}", *stride)
    for place_, register in enumerate(parts):
        value = made if len(parts) == 1 else w.let(f"extractvalue {whole} {made}, {place_}")
        bits = value if held == number else w.let(f"bitcast {held} {value} to {number}")
        w.set(register, bits, number)


def _intrinsic(i: Instruction) -> tuple[int, str]:
    """How many matrices are moved, and the name of LLVM's intrinsic."""
    found = _MOVE.fullmatch(i.name)
    if found is None or len(i.operands) != 2:
        raise UnknownError
    shape = f"m8n8.x{found[1]}{found[2] or ''}"
    return int(found[1]), f"llvm.nvvm.{i.opcode}.sync.aligned.{shape}.b16.p3"


def parts_of(operand: Operand, count: int) -> tuple[Operand, ...]:
    """The registers of a vector. UnknownError where they are not as many."""
    parts = operand.parts if isinstance(operand, Vector) else (operand,)
    if len(parts) != count:
        raise UnknownError
    return parts
