"""Accesses kept as the source has them, so that hardware can be asked about each.

Means: an optimiser merges, hoists and drops accesses: two loads of one address become one, two
neighbouring ones a wider one. Counts are of the source's accesses, so a profiler's counts of the
same program differ. Volatile accesses forbid that to LLVM and ``ptxas``: each measured load and
store is executed where and as often as the source has it. This costs time: it is meant for checking
counts against Nsight Compute's, line by line.
Assumptions: the text is what ``instrument`` wrote: a counting call stands before each access.
Limits: copies of structures stay what LLVM makes of them; ``ptxas`` may join the lanes of atomics.
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
