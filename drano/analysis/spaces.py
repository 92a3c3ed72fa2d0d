"""Memory spaces in the words of the analyses, from the target's numbers and to those of reports."""

from __future__ import annotations

from drano.ir.target import SPACES
from drano.lattice.memory_space import MemSpace
from drano.model.judgement import Space

_REPORTED = {str(space): space for space in Space} | {"param": Space.CONSTANT}


def pointed_space(number: int) -> MemSpace:
    """What a pointer type's address space says alone; 0 and numbers unknown to NVPTX: generic."""
    return MemSpace(SPACES.get(number, "generic"))


def variable_space(number: int) -> str:
    """Where a module-level variable is; "" where that is not told."""
    return SPACES.get(number, "") if number else "global"


def reported_space(space: str) -> Space:
    """As reports have it: what is passed to a kernel is constant; GENERIC for what is unknown."""
    return _REPORTED.get(space, Space.GENERIC)
