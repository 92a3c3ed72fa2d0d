"""Which arrays a kernel may write to, as far as its parameters tell.

Means: the roots of the addresses that a kernel stores to. Whoever keeps what was read from an array
has to know when it changes (``repeatable``).
Limits: None (any array) if an address comes from anything but a parameter, and for kernels that
call unknown functions.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from drano.dynamic.gpu.replay.address_roots import KernelRoots, Root
from drano.ir import model as m
from drano.ir.intrinsics import may_write

_Harmless: TypeAlias = m.ValueInstruction | m.ControlInstruction | m.Load | m.Alloca
# What asm may not say.
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
                case _ if not isinstance(i, _Harmless):
                    return None
    return frozenset(found)


def is_pure(call: m.Call) -> bool:
    """Whether a call surely writes to no memory."""
    if call.callee == "asm":
        return _WRITES.search(call.text) is None
    return not may_write(call)
