"""Functions of CUDA that the simulator knows, each by what CUDA's guide says of it.

``PURE``: of numbers; ``TOGETHER``: of the lanes of a warp, by the name of the exchange in
``lanes.py``; ``ATOMIC``: what becomes of the old value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.simulated.types import INT, UINT, ULONG, CType, wrapped


def divided(a: int, b: int) -> int:
    """C's quotient, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return a - divided(a, b) * b


def _byte_perm(x: int, y: int, selector: int) -> int:
    data = (x | y << 32).to_bytes(8, "little")
    return sum(data[selector >> 4 * n & 7] << 8 * n for n in range(4))


def _funnel(low: int, high: int, shift: int, *, left: bool) -> int:
    both = high << 32 | low
    return both << shift >> 32 & 0xFFFFFFFF if left else both >> shift & 0xFFFFFFFF


def _low24(value: int, *, signed: bool) -> int:
    return wrapped(value, 24, signed)


PURE: dict[str, tuple[CType, tuple[CType, ...], Callable[..., Any]]] = {
    "__popc": (INT, (UINT,), int.bit_count),
    "__popcll": (INT, (ULONG,), int.bit_count),
    "__ffs": (INT, (UINT,), lambda x: (x & -x).bit_length()),
    "__ffsll": (INT, (ULONG,), lambda x: (x & -x).bit_length()),
    "__clz": (INT, (UINT,), lambda x: 32 - x.bit_length()),
    "__clzll": (INT, (ULONG,), lambda x: 64 - x.bit_length()),
    "__brev": (UINT, (UINT,), lambda x: int(f"{x:032b}"[::-1], 2)),
    "__umulhi": (UINT, (UINT, UINT), lambda x, y: x * y >> 32),
    "__mulhi": (INT, (INT, INT), lambda x, y: x * y >> 32),
    "__mul24": (
        INT, (INT, INT),
        lambda x, y: wrapped(_low24(x, signed=True) * _low24(y, signed=True), 32, True),
    ),
    "__umul24": (
        UINT, (UINT, UINT),
        lambda x, y: wrapped(_low24(x, signed=False) * _low24(y, signed=False), 32, False),
    ),
    "__byte_perm": (UINT, (UINT, UINT, UINT), _byte_perm),
    "__funnelshift_l": (UINT, (UINT,) * 3, lambda a, b, s: _funnel(a, b, s & 31, left=True)),
    "__funnelshift_r": (UINT, (UINT,) * 3, lambda a, b, s: _funnel(a, b, s & 31, left=False)),
    "__funnelshift_lc": (UINT, (UINT,) * 3, lambda a, b, s: _funnel(a, b, min(s, 32), left=True)),
    "__funnelshift_rc": (UINT, (UINT,) * 3, lambda a, b, s: _funnel(a, b, min(s, 32), left=False)),
    "abs": (INT, (INT,), abs),
}  # fmt: skip

LANE_MASKS: dict[str, Callable[[int], int]] = {
    "lanemask_lt": lambda lane: (1 << lane) - 1,
    "lanemask_le": lambda lane: (2 << lane) - 1,
    "lanemask_eq": lambda lane: 1 << lane,
    "lanemask_ge": lambda lane: 0xFFFFFFFF & ~((1 << lane) - 1),
    "lanemask_gt": lambda lane: 0xFFFFFFFF & ~((2 << lane) - 1),
    "lane_id": lambda lane: lane,
}

TOGETHER: dict[str, tuple[str, CType | None]] = {  # None: the type of the second argument
    "__ballot_sync": ("ballot", UINT), "__any_sync": ("any", INT), "__all_sync": ("all", INT),
    "__match_any_sync": ("match", UINT), "__activemask": ("active", UINT),
    "__shfl_sync": ("shfl", None), "__shfl_up_sync": ("shfl", None),
    "__shfl_down_sync": ("shfl", None), "__shfl_xor_sync": ("shfl", None),
    "coalesced_rank": ("rank", UINT), "coalesced_size": ("size", UINT),
}  # fmt: skip

ATOMIC: dict[str, Callable[[Any, Any], Any]] = {
    "atomicAdd": lambda old, new: old + new, "atomicSub": lambda old, new: old - new,
    "atomicMax": max, "atomicMin": min, "atomicExch": lambda _, new: new,
    "atomicOr": lambda old, new: old | new, "atomicAnd": lambda old, new: old & new,
    "atomicAdd_block": lambda old, new: old + new, "atomicAdd_system": lambda old, new: old + new,
}  # fmt: skip

_GROUPS = "#include <cooperative_groups.h>\n" + "".join(
    f"__device__ inline unsigned coalesced_{name}()"
    f" {{ return cooperative_groups::coalesced_threads().{method}(); }}\n"
    for name, method in (("rank", "thread_rank"), ("size", "size"))
)


def prelude(text: str) -> str:
    """What only CUDA's compiler reads, before a source that uses it."""
    endings = "".join(
        f'__device__ inline void {word}_thread() {{ asm volatile("{word};"); }}\n'
        for word in ("exit", "trap")
    )
    masks = "".join(
        f"__device__ inline unsigned {name}() {{ unsigned m;"
        f' asm("mov.u32 %0, %%{name.replace("lane_id", "laneid")};" : "=r"(m)); return m; }}\n'
        for name in LANE_MASKS
    )
    return endings + masks + (_GROUPS if "coalesced_" in text else "")
