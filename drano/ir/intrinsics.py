"""What the functions mean that device code calls without defining them: one table.

Sources: LLVM's NVPTXUsage and IntrinsicsNVVM.td, the LLVM language reference, NVIDIA's libdevice
guide. Names are matched by their beginnings, as overloads append types (``llvm.umin.i32``).
A name that is not listed is UNKNOWN: its result, and what its pointers reach, may be anything.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import Final


class Meaning(Enum):
    """What a call returns, seen by the threads of one warp."""

    THREAD_INDEX = auto()  # threadIdx.x, .y or .z
    LANE = auto()  # the thread's number within its warp
    UNIFORM = auto()  # one value for the whole warp, whatever the arguments
    PURE = auto()  # a function of its arguments alone
    SAME_POINTER = auto()  # its first argument, as a pointer in another guise
    LOAD = auto()  # what its first argument points to
    TEXTURE = auto()  # a fetch: equal coordinates, equal values
    SHUFFLE = auto()  # another lane's value
    VARYING = auto()  # differs from lane to lane
    NOTHING = auto()  # no result, and no effect on memory that a program reads
    UNKNOWN = auto()


SPECIAL_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."

_TABLE: Final[tuple[tuple[Meaning, tuple[str, ...]], ...]] = (
    (Meaning.THREAD_INDEX, (SPECIAL_REGISTER + "tid.",)),
    (Meaning.LANE, (SPECIAL_REGISTER + "laneid",)),
    (Meaning.VARYING, (SPECIAL_REGISTER + "lanemask", "llvm.nvvm.match.any.")),
    (
        Meaning.NOTHING,
        (
            "llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.experimental.noalias",
            "llvm.stackrestore", "llvm.trap", "llvm.debugtrap", "llvm.prefetch", "llvm.nvvm.membar",
            "llvm.nvvm.fence", "llvm.invariant.", "llvm.donothing", "__assertfail",
            "llvm.nvvm.nanosleep", "llvm.nvvm.exit", "llvm.nvvm.cp.async.", "llvm.nvvm.mbarrier.",
            "llvm.nvvm.bar.warp", "llvm.nvvm.barrier.cta.sync", "llvm.nvvm.barrier.sync",
        ),
    ),
    (
        Meaning.UNIFORM,
        (
            SPECIAL_REGISTER, "llvm.nvvm.vote.", "llvm.nvvm.activemask", "llvm.nvvm.redux.sync",
            "llvm.nvvm.bar.", "llvm.nvvm.bar0", "llvm.nvvm.barrier", "llvm.nvvm.match.all.",
            "llvm.stacksave", "llvm.nvvm.is_explicit_cluster", "vprintf",
        ),
    ),
    (Meaning.SHUFFLE, ("llvm.nvvm.shfl.",)),
    (
        Meaning.SAME_POINTER,
        (
            "llvm.nvvm.ptr.", "llvm.ptr.annotation", "llvm.launder.", "llvm.strip.invariant",
            "llvm.nvvm.internal.addrspace.wrap", "llvm.threadlocal.address",
        ),
    ),
    (Meaning.LOAD, ("llvm.nvvm.ldg.global", "llvm.nvvm.ldu.global")),
    (
        Meaning.TEXTURE,
        ("llvm.nvvm.tex.", "llvm.nvvm.tld4.", "llvm.nvvm.suld.", "llvm.nvvm.texsurf.handle"),
    ),
    (
        Meaning.PURE,
        (
            "__nv_", "llvm.fabs", "llvm.sqrt", "llvm.fma", "llvm.floor", "llvm.ceil", "llvm.trunc",
            "llvm.rint", "llvm.round", "llvm.nearbyint", "llvm.copysign", "llvm.pow", "llvm.exp",
            "llvm.log", "llvm.sin", "llvm.cos", "llvm.tan", "llvm.minnum", "llvm.maxnum",
            "llvm.minimum", "llvm.maximum", "llvm.ctpop", "llvm.ctlz", "llvm.cttz",
            "llvm.bitreverse", "llvm.bswap", "llvm.fshl", "llvm.fshr", "llvm.abs", "llvm.smin",
            "llvm.smax", "llvm.umin", "llvm.umax", "llvm.sadd.", "llvm.uadd.", "llvm.ssub.",
            "llvm.usub.", "llvm.smul.", "llvm.umul.", "llvm.is.constant", "llvm.expect",
            "llvm.is.fpclass", "llvm.ldexp", "llvm.frexp", "llvm.modf", "llvm.convert",
            "llvm.fptosi", "llvm.fptoui", "llvm.canonicalize", "llvm.vector.reduce",
            "llvm.nvvm.f", "llvm.nvvm.d2", "llvm.nvvm.i2", "llvm.nvvm.ui2", "llvm.nvvm.ll2",
            "llvm.nvvm.ull2", "llvm.nvvm.h2", "llvm.nvvm.sqrt", "llvm.nvvm.rcp", "llvm.nvvm.div",
            "llvm.nvvm.rsqrt", "llvm.nvvm.ex2", "llvm.nvvm.lg2", "llvm.nvvm.sin",
            "llvm.nvvm.cos", "llvm.nvvm.tanh", "llvm.nvvm.add", "llvm.nvvm.mul", "llvm.nvvm.prmt",
            "llvm.nvvm.sad", "llvm.nvvm.saturate", "llvm.nvvm.bitcast", "llvm.nvvm.lohi",
            "llvm.nvvm.isspacep", "llvm.nvvm.brev", "llvm.nvvm.clz", "llvm.nvvm.popc",
            "llvm.nvvm.round", "llvm.nvvm.floor", "llvm.nvvm.ceil", "llvm.nvvm.trunc",
            "llvm.nvvm.abs", "llvm.nvvm.neg", "llvm.nvvm.lop3", "llvm.nvvm.bmsk",
            "llvm.nvvm.szext", "llvm.nvvm.idp",
        ),
    ),
)  # fmt: skip


@lru_cache(maxsize=4096)
def meaning(callee: str) -> Meaning:
    """Meaning of a symbol: ``meaning("llvm.umin.i32")`` is PURE. Earlier entries go first."""
    for found, beginnings in _TABLE:
        if callee.startswith(beginnings):
            return found
    return Meaning.UNKNOWN


def short_name(callee: str) -> str:
    """The name a programmer knows: ``__nv_fabsf`` is ``fabsf``, ``llvm.umin.i32`` is ``umin``."""
    bare = callee.removeprefix("__nv_").removeprefix("llvm.").removeprefix("nvvm.")
    return bare.split(".")[0]
