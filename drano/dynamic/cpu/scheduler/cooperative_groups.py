"""Cooperative groups: the meaning of what their headers do by spinning on memory.

Means: ``grid.sync()`` ends in ``sync_grids`` or, since CUDA 12, in ``sync_grids_arrive`` and
``sync_grids_wait``, which count arrivals in memory that the driver prepares. The body of the first
or the last becomes one call of ``__drano_grid_barrier``, which the run-time library knows. Arriving
then does nothing, as a thread that waits has arrived. Memory that hardware reserves in each block
for groups of several warps becomes a shared variable, which is zero when a block begins.
Assumptions: CUDA's own headers, told by the mangled names of their functions; a thread that arrives
also waits.
"""

from __future__ import annotations

import re

RESERVED = "__drano_reserved_shared"
_RESERVED_BYTES = 1024  # of a block, as GPUs have since compute capability 8
_RESERVED_ASM = re.compile(
    r'(%[-\w.]+) = (?:tail )?call i64 asm "[^"]*%reserved_smem_offset_1;[^"]*"[^\n]*'
)
_RESERVED_DEFINITION = (
    f"@{RESERVED} = internal addrspace(3) global [{_RESERVED_BYTES} x i8] undef, align 16"
)
GRID_BARRIER = "__drano_grid_barrier"
_BARRIER = f"  call void @{GRID_BARRIER}()\n  ret void"
_BODIES = {"sync_grids": _BARRIER, "sync_grids_wait": _BARRIER, "sync_grids_arrive": "  ret i32 0"}
_SYNC_GRIDS = re.compile(
    r"^(define [^\n]*@_ZN18cooperative_groups[^\n(]*\d(sync_grids(?:_arrive|_wait)?)E[^\n]*\{)\n"
    r".*?^\}$",
    re.MULTILINE | re.DOTALL,
)


def with_grid_barrier(ir_text: str) -> str:
    """``ir_text`` with the bodies of such functions replaced."""
    text, count = _SYNC_GRIDS.subn(lambda m: f"{m[1]}\nentry:\n{_BODIES[m[2]]}\n}}", ir_text)
    if not count:
        return ir_text
    return f"{text}\ndeclare void @{GRID_BARRIER}() nounwind convergent nomerge\n"


def with_reserved_memory(ir_text: str) -> str:
    """``ir_text`` with a variable where it asks for the shared memory that a block reserves."""
    address = f"ptrtoint (ptr addrspacecast (ptr addrspace(3) @{RESERVED} to ptr) to i64)"
    text, count = _RESERVED_ASM.subn(rf"\1 = add i64 {address}, 0", ir_text)
    return f"{text}\n{_RESERVED_DEFINITION}\n" if count else ir_text
