"""The table of all instructions that are translated, by their opcodes."""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions import (
    bits,
    comparisons,
    conversions,
    floats,
    integers,
    lanes,
    matrices,
    memory,
)
from drano.ptx.instructions.registry import HANDLERS

TABLES: Final = (bits, comparisons, conversions, floats, integers, lanes, matrices, memory)

__all__ = ["HANDLERS", "TABLES"]
