"""Floating-point operations and bytes of a kernel, for its place under a GPU's roofs.

Operations are as in ``instruction_classes``, of all lanes of each warp that comes by. Bytes are the
sectors of global memory that requests are expected to touch, caches left aside.
"""

from __future__ import annotations

from drano.analysis.instruction_classes import operation
from drano.ir.model import Block
from drano.model.hardware import SECTOR_BYTES
from drano.model.judgement import Judgement, Space

_SPACES = frozenset({Space.GLOBAL, Space.GENERIC})


def operations(block: Block) -> dict[int, int]:
    """Floating-point operations of one thread that executes a block, by their width in bits."""
    found: dict[int, int] = {}
    for i in block.instructions:
        done = operation(i)
        if done.flops:
            found[done.bits] = found.get(done.bits, 0) + done.flops
    return found


def moved_bytes(judgement: Judgement) -> float:
    """Bytes of one request to global memory."""
    if judgement.space not in _SPACES or judgement.sectors is None:
        return 0.0
    counts = judgement.sectors
    middle = (counts.maximum + counts.ideal) / 2
    return (middle if counts.expected is None else counts.expected) * SECTOR_BYTES
