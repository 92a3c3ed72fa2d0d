"""Floating-point operations and bytes of a kernel, for its place under a GPU's roofs.

Operations are those that the code names: an addition is one, a fused multiply-add two, a function
of the mathematics library one; of all lanes of each warp that comes by. Bytes are the sectors of
global memory that requests are expected to touch, caches left aside.
"""

from __future__ import annotations

from drano.analysis.judgement import Judgement
from drano.finding import SECTOR_BYTES, Space
from drano.ir.model import Binary, Block, Call, VectorType

_OPERATIONS = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
_FUSED = ("llvm.fma.", "llvm.fmuladd.", "llvm.nvvm.fma.", "__nv_fma")
_SINGLE = (
    "__nv_",
    "llvm.sqrt",
    "llvm.nvvm.sqrt",
    "llvm.nvvm.rcp",
    "llvm.nvvm.ex2",
    "llvm.nvvm.lg2",
)
_SPACES = frozenset({Space.GLOBAL, Space.GENERIC})


def operations(block: Block) -> int:
    """Floating-point operations of one thread that executes a block."""
    total = 0
    for i in block.instructions:
        if isinstance(i, Binary) and i.op in _OPERATIONS:
            total += i.type.count if isinstance(i.type, VectorType) else 1
        elif isinstance(i, Call) and i.callee:
            total += 2 if i.callee.startswith(_FUSED) else i.callee.startswith(_SINGLE)
    return total


def moved_bytes(judgement: Judgement) -> float:
    """Bytes of one request to global memory."""
    if judgement.space not in _SPACES or judgement.sectors is None:
        return 0.0
    counts = judgement.sectors
    middle = (counts.maximum + counts.ideal) / 2
    return (middle if counts.expected is None else counts.expected) * SECTOR_BYTES
