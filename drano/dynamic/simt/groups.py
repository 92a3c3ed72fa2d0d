"""Cooperative groups: what their headers do by spinning on memory, said as what it means.

Means: ``grid.sync()`` ends in ``sync_grids``, which counts arrivals in memory that the driver
prepares; its body becomes one call of ``__drano_grid_barrier``, which the run-time library knows.
Assumptions: CUDA's own headers, by the mangled name of their function.
"""

from __future__ import annotations

import re

GRID_BARRIER = "__drano_grid_barrier"
_SYNC_GRIDS = re.compile(
    r"^(define [^\n]*@_ZN18cooperative_groups[^\n(]*sync_gridsE[^\n]*\{)\n.*?^\}$",
    re.MULTILINE | re.DOTALL,
)


def with_grid_barrier(ir_text: str) -> str:
    """``ir_text`` with the bodies of such functions replaced."""
    body = rf"\1\nentry:\n  call void @{GRID_BARRIER}()\n  ret void\n}}"
    text, count = _SYNC_GRIDS.subn(body, ir_text)
    if not count:
        return ir_text
    return f"{text}\ndeclare void @{GRID_BARRIER}() nounwind convergent nomerge\n"
