"""What kernels call of the GPU's counting library, as declarations of LLVM's IR."""

from __future__ import annotations

from drano.dynamic.gpu.counting.segments import MOST_ENTRIES
from drano.dynamic.gpu.counting.trip_code import TRIP_LIBRARY

_MEASURE = "i32, i64, i32, i32"
_SIX = ", ".join(["i64"] * MOST_ENTRIES)
LIBRARY = "\n".join(
    f"declare {signature} convergent nounwind"
    for signature in (
        "i32 @drano_mask()",
        "i1 @drano_leads(i32)",
        "i1 @drano_any(i32, i32)",
        "i32 @drano_unlike(i32, i32)",
        "i64 @drano_one_request(i32)",
        "i64 @drano_prefix(i32, ptr addrspace(4))",
        "i64 @drano_runs(i32, i64, i32, i32, ptr addrspace(4))",
        f"i64 @drano_quick_global({_MEASURE})",
        f"i64 @drano_quick_shared({_MEASURE})",
        f"i64 @drano_settle_global({_MEASURE}, i64)",
        f"i64 @drano_settle_shared({_MEASURE}, i64)",
        "i32 @drano_elsewhere(i64)",
        "i64 @drano_if_global(i32, i64, i64)",
        f"i64 @drano_settle_generic(i32, {_MEASURE}, i64)",
        f"void @drano_add_up(i32, i32, i32, {_SIX})",
        f"void @drano_flush_up(i32, i32, {_SIX})",
        "void @drano_flush_full(i32, i64)",
        f"void @drano_block_up(ptr addrspace(3), i32, i32, {_SIX})",
        f"void @drano_block_flush(ptr addrspace(3), i32, {_SIX})",
        "void @drano_block_start(ptr addrspace(3), i32)",
        "void @drano_block_end(ptr addrspace(3), i32, i32)",
        f"void @drano_generic({_MEASURE})",
        "void @drano_conflicts(i32, i64)",
        "void @drano_generic_conflicts(i32, i32, i64)",
        "void @drano_range(i32, i64, i64, i32, i32)",
        *TRIP_LIBRARY,
    )
)
