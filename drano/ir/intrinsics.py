"""What is known of the functions that device code calls without defining them: one table.

Sources: LLVM's NVPTXUsage and IntrinsicsNVVM.td, the LLVM language reference, NVIDIA's libdevice
guide. Names are matched by their beginnings, as overloads append types (``llvm.umin.i32``); the
longest that is listed decides, and one that is listed with a ``$`` is a whole name. A name that is
not listed is UNKNOWN: its result, and what its pointers reach, may be anything.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drano.ir.model import Call, PointerType
from drano.ir.target import SPECIAL_REGISTER

ASSUME: Final = "llvm.assume"
ASKS_SPACE: Final = "llvm.nvvm.isspacep."
LIBRARY_PREFIX: Final = "__nv_"
_RUNTIME: Final = ("malloc", "free", "cuda", "__cudaCDP", "__drano")


class Meaning(Enum):
    """What a call returns, seen by the threads of one warp."""

    THREAD_INDEX = auto()  # threadIdx.x, .y or .z
    LANE = auto()  # the thread's number within its warp
    UNIFORM = auto()  # one value for the whole warp, whatever the arguments
    PURE = auto()  # a function of its arguments alone
    SAME_POINTER = auto()  # its first argument, as a pointer in another guise
    LOAD = auto()  # what its first argument points to, in global memory
    TEXTURE = auto()  # a fetch: equal coordinates, equal values
    SHUFFLE = auto()  # another lane's value
    VARYING = auto()  # differs from lane to lane
    NOTHING = auto()  # no result, and no effect on memory that a program reads
    UNKNOWN = auto()


class Barrier(Enum):
    """Who waits for whom."""

    BLOCK = auto()  # all threads of the block, each warp as a whole
    PART = auto()  # as many threads as the call says, of a block or a cluster
    WARP = auto()  # the lanes that the call names
    OBJECT = auto()  # whoever waits at an object in shared memory
    FENCE = auto()  # nobody: accesses of memory keep their order


class IntegerFunction(Enum):
    """Functions of integers that are followed exactly."""

    SMIN = auto()
    SMAX = auto()
    UMIN = auto()
    UMAX = auto()
    ABS = auto()
    SMUL24 = auto()
    UMUL24 = auto()
    SMULHI = auto()
    UMULHI = auto()
    USUB_SAT = auto()
    SCMP = auto()
    UCMP = auto()


class Intrinsic(Struct, frozen=True):
    """``unit``: that a processor is asked for (``analysis.instruction_classes``), "float" and
    "integer" for arithmetic, "" for what is no machine instruction; ``flops``: of an element.
    ``register``: the special register that is read, ``tid.x``. ``idle``: it waits for nobody, and
    accesses no memory but by pointers it is given; ``writes``: it may write to any memory.
    ``apart``: addresses that it is given are not in its result, nor anywhere when it has ended.
    ``ends``: the thread ends with it. ``members``: the argument that names the lanes which share
    the result.
    """

    meaning: Meaning
    unit: str
    flops: int = 0
    barrier: Barrier | None = None
    integer: IntegerFunction | None = None
    register: str = ""
    idle: bool = False
    writes: bool = False
    apart: bool = False
    ends: bool = False
    members: int | None = None


_PURE: Final = Intrinsic(Meaning.PURE, "integer", idle=True)
_FLOAT: Final = replace(_PURE, unit="float", flops=1)
_SPECIAL: Final = replace(_PURE, unit="special", flops=1)
_CONVERSION: Final = replace(_PURE, unit="convert")
_NOTE: Final = Intrinsic(Meaning.NOTHING, "", idle=True)
_BARRIER: Final = Intrinsic(Meaning.UNIFORM, "barrier", barrier=Barrier.PART)
_VOTE: Final = Intrinsic(Meaning.UNIFORM, "exchange")
_REGISTER: Final = Intrinsic(Meaning.UNIFORM, "other", idle=True)
_SYSTEM: Final = Intrinsic(Meaning.UNKNOWN, "other", writes=True)

_ROWS: Final[tuple[tuple[Intrinsic, str], ...]] = (
    # special registers
    (_REGISTER, SPECIAL_REGISTER),
    (replace(_REGISTER, meaning=Meaning.THREAD_INDEX), SPECIAL_REGISTER + "tid."),
    (replace(_REGISTER, meaning=Meaning.LANE), SPECIAL_REGISTER + "laneid"),
    (replace(_REGISTER, meaning=Meaning.VARYING), SPECIAL_REGISTER + "lanemask"),
    # what speaks to the compiler, or ends the thread
    (
        _NOTE,
        """llvm.lifetime. llvm.dbg. llvm.assume llvm.experimental.noalias llvm.stackrestore
        llvm.debugtrap llvm.prefetch llvm.invariant. llvm.donothing""",
    ),
    (replace(_NOTE, ends=True), "llvm.trap llvm.ubsantrap llvm.nvvm.exit __assertfail"),
    (replace(_PURE, unit=""), "llvm.expect llvm.is.constant"),
    (replace(_REGISTER, idle=False), "llvm.nvvm.is_explicit_cluster"),
    (_REGISTER, "llvm.stacksave"),
    (replace(_REGISTER, apart=True), "vprintf"),
    (
        Intrinsic(Meaning.SAME_POINTER, "", idle=True),
        """llvm.nvvm.ptr. llvm.ptr.annotation llvm.launder. llvm.strip.invariant
        llvm.nvvm.internal.addrspace.wrap llvm.threadlocal.address""",
    ),
    # barriers
    (_BARRIER, "llvm.nvvm.bar. llvm.nvvm.bar0 llvm.nvvm.barrier"),
    (
        replace(_BARRIER, barrier=Barrier.BLOCK),
        "llvm.nvvm.barrier0 llvm.nvvm.bar.sync llvm.nvvm.barrier.cta.red.",
    ),
    (  # of as many threads as it says
        _BARRIER,
        """llvm.nvvm.barrier.cta.red.and.count llvm.nvvm.barrier.cta.red.and.aligned.count
        llvm.nvvm.barrier.cta.red.or.count llvm.nvvm.barrier.cta.red.or.aligned.count
        llvm.nvvm.barrier.cta.red.popc.count llvm.nvvm.barrier.cta.red.popc.aligned.count""",
    ),
    (
        Intrinsic(Meaning.NOTHING, "barrier", barrier=Barrier.BLOCK),
        "llvm.nvvm.barrier.cta.sync.aligned.all",
    ),
    (
        Intrinsic(Meaning.NOTHING, "barrier", barrier=Barrier.PART),
        "llvm.nvvm.barrier.cta.sync llvm.nvvm.barrier.sync",
    ),
    (Intrinsic(Meaning.NOTHING, "barrier", barrier=Barrier.WARP), "llvm.nvvm.bar.warp"),
    (
        Intrinsic(Meaning.NOTHING, "barrier", barrier=Barrier.FENCE),
        "llvm.nvvm.membar llvm.nvvm.fence",
    ),
    (
        Intrinsic(Meaning.NOTHING, "barrier", barrier=Barrier.OBJECT, writes=True),
        "llvm.nvvm.mbarrier.",
    ),
    (Intrinsic(Meaning.NOTHING, "", writes=True), "llvm.nvvm.cp.async."),
    # products of tiles that shared and tensor memory hold: global memory has no part in them
    (Intrinsic(Meaning.NOTHING, "", writes=True), "llvm.nvvm.wgmma. llvm.nvvm.tcgen05."),
    (Intrinsic(Meaning.NOTHING, ""), "llvm.nvvm.nanosleep"),
    # other lanes
    (_VOTE, "llvm.nvvm.vote. llvm.nvvm.activemask llvm.nvvm.match.all."),
    (
        replace(_VOTE, members=0),
        """llvm.nvvm.vote.sync llvm.nvvm.vote.all.sync llvm.nvvm.vote.any.sync
        llvm.nvvm.vote.uni.sync llvm.nvvm.vote.ballot.sync llvm.nvvm.match.all.sync""",
    ),
    (replace(_VOTE, members=1), "llvm.nvvm.redux.sync"),
    (replace(_VOTE, meaning=Meaning.VARYING), "llvm.nvvm.match.any. llvm.nvvm.elect.sync"),
    (replace(_VOTE, meaning=Meaning.SHUFFLE), "llvm.nvvm.shfl."),
    # memory
    (Intrinsic(Meaning.LOAD, "memory"), "llvm.nvvm.ldg.global llvm.nvvm.ldu.global"),
    (
        Intrinsic(Meaning.TEXTURE, "memory"),
        "llvm.nvvm.tex. llvm.nvvm.tld4. llvm.nvvm.suld. llvm.nvvm.texsurf.handle",
    ),
    (_SYSTEM, "malloc$"),
    (replace(_SYSTEM, writes=False), "free$"),
    # functions of integers
    (replace(_PURE, integer=IntegerFunction.SMIN), "llvm.smin"),
    (replace(_PURE, integer=IntegerFunction.SMAX), "llvm.smax"),
    (replace(_PURE, integer=IntegerFunction.UMIN), "llvm.umin"),
    (replace(_PURE, integer=IntegerFunction.UMAX), "llvm.umax"),
    (replace(_PURE, integer=IntegerFunction.ABS), "llvm.abs. __nv_abs$ __nv_llabs$"),
    (replace(_PURE, integer=IntegerFunction.SMIN), "__nv_min$ __nv_llmin$"),
    (replace(_PURE, integer=IntegerFunction.SMAX), "__nv_max$ __nv_llmax$"),
    (replace(_PURE, integer=IntegerFunction.UMIN), "__nv_umin$ __nv_ullmin$"),
    (replace(_PURE, integer=IntegerFunction.UMAX), "__nv_umax$ __nv_ullmax$"),
    (replace(_PURE, integer=IntegerFunction.SMUL24), "__nv_mul24$ llvm.nvvm.mul24.i$"),
    (replace(_PURE, integer=IntegerFunction.UMUL24), "__nv_umul24$ llvm.nvvm.mul24.ui$"),
    (
        replace(_PURE, integer=IntegerFunction.SMULHI),
        "__nv_mulhi$ __nv_mul64hi$ llvm.nvvm.mulhi.i$ llvm.nvvm.mulhi.ll$",
    ),
    (
        replace(_PURE, integer=IntegerFunction.UMULHI),
        "__nv_umulhi$ __nv_umul64hi$ llvm.nvvm.mulhi.ui$ llvm.nvvm.mulhi.ull$",
    ),
    (replace(_PURE, integer=IntegerFunction.USUB_SAT), "llvm.usub.sat."),
    (replace(_PURE, integer=IntegerFunction.SCMP), "llvm.scmp."),
    (replace(_PURE, integer=IntegerFunction.UCMP), "llvm.ucmp."),
    (
        _PURE,
        """llvm.ctpop llvm.ctlz llvm.cttz llvm.bitreverse llvm.bswap llvm.fshl llvm.fshr llvm.sadd.
        llvm.uadd. llvm.ssub. llvm.usub. llvm.smul. llvm.umul. llvm.vector.reduce llvm.nvvm.mul
        llvm.nvvm.prmt llvm.nvvm.sad llvm.nvvm.bitcast llvm.nvvm.lohi llvm.nvvm.isspacep
        llvm.nvvm.brev llvm.nvvm.clz llvm.nvvm.popc llvm.nvvm.lop3 llvm.nvvm.bmsk llvm.nvvm.szext
        llvm.nvvm.idp""",
    ),
    # functions of floating-point numbers
    (_PURE, "llvm.is.fpclass llvm.ldexp llvm.frexp llvm.modf llvm.canonicalize"),
    (
        replace(_FLOAT, flops=0),
        """llvm.fabs llvm.copysign llvm.nvvm.fabs llvm.nvvm.abs llvm.nvvm.neg __nv_fabs""",
    ),
    (
        _FLOAT,
        """llvm.minnum llvm.maxnum llvm.minimum llvm.maximum llvm.nvvm.f llvm.nvvm.add
        llvm.nvvm.mul. llvm.nvvm.saturate __nv_fadd __nv_fsub __nv_fmul __nv_dadd __nv_dsub
        __nv_dmul __nv_fmin __nv_fmax""",
    ),
    (
        replace(_FLOAT, flops=2),
        "llvm.fma. llvm.fmuladd. llvm.nvvm.fma. __nv_fmaf __nv_fma_ __nv_fma$",
    ),
    (
        _CONVERSION,
        """llvm.rint llvm.round llvm.floor llvm.ceil llvm.trunc llvm.nearbyint llvm.convert
        llvm.fptosi llvm.fptoui llvm.nvvm.d2 llvm.nvvm.f2 llvm.nvvm.i2 llvm.nvvm.ui2 llvm.nvvm.ll2
        llvm.nvvm.ull2 llvm.nvvm.h2 llvm.nvvm.round llvm.nvvm.floor llvm.nvvm.ceil llvm.nvvm.trunc
        __nv_float2 __nv_double2 __nv_int2 __nv_uint2 __nv_ll2 __nv_ull2 __nv_half2 __nv_floor
        __nv_ceil __nv_trunc __nv_rint __nv_round __nv_nearbyint""",
    ),
    (
        _SPECIAL,
        """__nv_ llvm.sqrt llvm.pow llvm.exp llvm.log llvm.sin llvm.cos llvm.tan llvm.nvvm.sqrt
        llvm.nvvm.rcp llvm.nvvm.div llvm.nvvm.rsqrt llvm.nvvm.ex2 llvm.nvvm.lg2 llvm.nvvm.sin
        llvm.nvvm.cos llvm.nvvm.tanh""",
    ),
)
_TABLE: Final = {name: row for row, names in _ROWS for name in names.split()}


@lru_cache(maxsize=4096)
def intrinsic(callee: str) -> Intrinsic:
    """What is known of a symbol: ``intrinsic("llvm.umin.i32").meaning`` is PURE."""
    ways = (callee + "$", *(callee[:end] for end in range(len(callee), 0, -1)))
    found = next((_TABLE[name] for name in ways if name in _TABLE), None)
    if found is None:
        unit = "other" if callee.startswith("llvm.") else "control"
        return Intrinsic(Meaning.UNKNOWN, unit, writes=True)
    if callee.startswith(SPECIAL_REGISTER):
        return replace(found, register=callee.removeprefix(SPECIAL_REGISTER))
    return found


def meaning(callee: str) -> Meaning:
    """What a call of the symbol returns."""
    return intrinsic(callee).meaning


def is_idle(call: Call) -> bool:
    """Whether a call waits for nobody and accesses no memory."""
    return intrinsic(call.callee or "").idle and not _writes_result(call)


def may_write(call: Call) -> bool:
    """Whether a call, not of assembly, may write to memory."""
    return intrinsic(call.callee or "").writes or _writes_result(call)


def _writes_result(call: Call) -> bool:
    """By a pointer that it is given, as libdevice's sincos and its like do."""
    pure = intrinsic(call.callee or "").meaning is Meaning.PURE
    return pure and any(isinstance(type_, PointerType) for type_ in call.arg_types)


def is_library(callee: str) -> bool:
    """Whether a function is libdevice's, known by name and never read: ``__nv_sinf``."""
    return callee.startswith(LIBRARY_PREFIX)


def is_provided(callee: str) -> bool:
    """Whether the code of a function that a module only declares is none of the program's: it is
    known here, or comes with the device's run-time library.
    """
    if is_library(callee) or callee.startswith(_RUNTIME):
        return True
    known = intrinsic(callee)
    return known.meaning is not Meaning.UNKNOWN or known.ends


def short_name(callee: str) -> str:
    """The name a programmer knows: ``__nv_fabsf`` is ``fabsf``, ``llvm.umin.i32`` is ``umin``."""
    bare = callee.removeprefix(LIBRARY_PREFIX).removeprefix("llvm.").removeprefix("nvvm.")
    return bare.split(".")[0]
