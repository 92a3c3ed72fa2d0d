"""Which arrays a kernel may write to, as far as its parameters tell.

Means: where the addresses come from of all that a kernel stores. Who keeps what was read from an
array has to know when it changes (``repeatable``).
Limits: None (any) where an address comes from anything but a parameter, and for kernels that call
functions which are not known.
"""

from __future__ import annotations

import re

from drano.dynamic.gpu.replay.address_roots import KernelRoots, Root
from drano.ir import model as m

NUMBERS = (
    "llvm.abs.", "llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.", "llvm.ctpop.",
    "llvm.ctlz.", "llvm.cttz.", "llvm.bswap.", "llvm.bitreverse.", "llvm.fshl.", "llvm.fshr.",
    "llvm.sadd.", "llvm.uadd.", "llvm.ssub.", "llvm.usub.", "llvm.smul.", "llvm.umul.",
    "llvm.fabs.", "llvm.sqrt.", "llvm.fma.", "llvm.fmuladd.", "llvm.floor.", "llvm.ceil.",
    "llvm.trunc.", "llvm.rint.", "llvm.round.", "llvm.minnum.", "llvm.maxnum.", "llvm.copysign.",
    "llvm.nvvm.shfl.sync.", "llvm.nvvm.vote.", "llvm.nvvm.match.", "llvm.nvvm.mulhi.",
    "llvm.nvvm.mul24.", "llvm.nvvm.sad.", "llvm.nvvm.prmt", "llvm.nvvm.fma.", "llvm.nvvm.sqrt.",
    "llvm.nvvm.f2i.", "llvm.nvvm.d2i.", "llvm.nvvm.i2f.", "llvm.nvvm.i2d.", "llvm.nvvm.floor.",
    "llvm.nvvm.ceil.", "__nv_",
)  # fmt: skip
"""Calls whose results depend on their arguments only (some of them on other lanes', too)."""
# Of LLVM's own calls, those that change no memory of the program's; and what asm may not say.
_PURE = (
    *NUMBERS, "llvm.nvvm.ex2", "llvm.nvvm.read.ptx.sreg.", "llvm.nvvm.barrier", "llvm.nvvm.bar.",
    "llvm.nvvm.membar", "llvm.nvvm.fence", "llvm.lifetime.", "llvm.assume", "llvm.dbg.",
    "llvm.expect.",
    "llvm.nvvm.lg2", "llvm.nvvm.rcp", "llvm.nvvm.rsqrt", "llvm.nvvm.sin", "llvm.nvvm.cos",
    "llvm.nvvm.fmin", "llvm.nvvm.fmax", "llvm.nvvm.add.", "llvm.nvvm.mul.", "llvm.nvvm.div.",
    "llvm.nvvm.ldg.", "llvm.nvvm.ldu.", "llvm.nvvm.tex.", "llvm.nvvm.activemask", "llvm.exp2.",
    "llvm.log2.", "llvm.sin.", "llvm.cos.", "llvm.pow.", "llvm.exp.", "llvm.log.", "llvm.powi.",
    "llvm.experimental.noalias.", "llvm.stacksave", "llvm.stackrestore", "llvm.maximum.",
    "llvm.minimum.", "llvm.fptosi.", "llvm.fptoui.", "llvm.bitcast.", "llvm.is.fpclass.",
)  # fmt: skip
_WRITES = re.compile(r"\b(?:st|red|atom|sust|cp|multimem|mbarrier|call|stmatrix|fence\.proxy)\b")


def written_arrays(module: m.Module, kernel: m.Function) -> frozenset[Root] | None:
    """The parameters that pointers to what is written come from; None: anything may be."""
    known = KernelRoots(module, kernel)
    found: set[Root] = set()
    for block in kernel.blocks:
        for i in block.instructions:
            match i:
                case m.Store() | m.Atomic() | m.MemoryCopy() | m.MemoryFill():
                    if known.is_private(i.pointer):
                        continue
                    roots = known.of(i.pointer)
                    if not roots or any(root.variable for root in roots):
                        return None
                    found.update(roots)
                case m.Call() if not is_pure(i):
                    return None
                case m.Opaque():
                    return None
    return frozenset(found)


def is_pure(call: m.Call) -> bool:
    """Whether a call surely writes to no memory."""
    if call.callee == "asm":
        return _WRITES.search(call.text) is None
    if call.callee is None or not call.callee.startswith(_PURE):
        return False
    is_number = call.callee.startswith("__nv_")
    return not (is_number and any(isinstance(t, m.PointerType) for t in call.arg_types))
