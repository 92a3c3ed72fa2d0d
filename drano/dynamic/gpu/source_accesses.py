"""Accesses that stay what the source has them be, so that hardware can be asked about each.

Means: an optimiser merges, hoists and drops accesses: of two loads of one address it makes one, of
two neighbouring ones a wider one. Counts are of the source's; so a profiler's counts of the same
program differ. With volatile accesses neither LLVM nor ``ptxas`` may do so: each measured load and
store is executed where and as often as the source has it. That costs time: it is for checking
counts against Nsight Compute's, line by line.
Assumptions: the text is what ``instrument`` wrote: a counting call stands before each access.
Limits: copies of structures stay what LLVM makes of them; of atomics ``ptxas`` may join lanes.
"""

from __future__ import annotations

import re

_CALL = "  call void @__drano_access("
_CAST = re.compile(r"  %drano\.address\.\d+ = ")
_ACCESS = re.compile(r"(?<== load )(?!volatile|atomic)|(?<=^  store )(?!volatile|atomic)")


def as_written(text: str) -> str:
    """The instrumented module with each measured load and store volatile."""
    lines = []
    counted = False
    for line in text.split("\n"):
        own = _ACCESS.sub("volatile ", line, count=1) if counted else line
        lines.append(own)
        counted = line.startswith(_CALL) or (counted and _CAST.match(line) is not None)
    return "\n".join(lines)
