"""Exchanges between the lanes of a warp, and barriers. Source: PTX ISA, "Parallel Synchronization
and Communication Instructions".
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles
from drano.ptx.model import Instruction, Int, Name, Pair
from drano.ptx.writer import SINK, UnknownError, Writer

_REDUX: Final = {"add.u32": "add", "add.s32": "add", "min.s32": "min", "min.u32": "umin",
                 "max.s32": "max", "max.u32": "umax", "and.b32": "and", "or.b32": "or",
                 "xor.b32": "xor"}  # fmt: skip
_ALL: Final = Int(0xFFFFFFFF)


@handles("shfl")
def _shuffle(w: Writer, i: Instruction) -> None:
    mods = [m for m in i.modifiers if m != "sync"]
    if len(mods) != 2 or mods[1] != "b32" or mods[0] not in ("idx", "up", "down", "bfly"):
        raise UnknownError
    to, a, lane, clamp, *mask = i.operands
    given = [f"i32 {w.value(o, 'i32')}" for o in (*(mask or [_ALL]), a, lane, clamp)]
    pair = w.call(f"llvm.nvvm.shfl.sync.{mods[0]}.i32p", "{ i32, i1 }", *given)
    first, second = (to.first, to.second) if isinstance(to, Pair) else (to, Name(SINK))
    w.set(first, w.let(f"extractvalue {{ i32, i1 }} {pair}, 0"), "i32")
    if second != Name(SINK):
        w.set(second, w.let(f"extractvalue {{ i32, i1 }} {pair}, 1"), "i1")


@handles("vote")
def _vote(w: Writer, i: Instruction) -> None:
    mods = [m for m in i.modifiers if m != "sync"]
    to, predicate, *mask = i.operands
    given = f"i32 {w.value((mask or [_ALL])[0], 'i32')}", f"i1 {w.value(predicate, 'i1')}"
    if mods == ["ballot", "b32"]:
        w.set(to, w.call("llvm.nvvm.vote.ballot.sync", "i32", *given), "i32")
    elif mods in (["all", "pred"], ["any", "pred"], ["uni", "pred"]):
        w.set(to, w.call(f"llvm.nvvm.vote.{mods[0]}.sync", "i1", *given), "i1")
    else:
        raise UnknownError


@handles("activemask")
def _active(w: Writer, i: Instruction) -> None:
    w.set(i.operands[0], w.call("llvm.nvvm.activemask", "i32"), "i32")


@handles("match")
def _match(w: Writer, i: Instruction) -> None:
    if len(i.modifiers) != 3 or i.modifiers[2] not in ("b32", "b64"):
        raise UnknownError
    how, kind = i.modifiers[0], f"i{i.modifiers[2][1:]}"
    to, a, mask = i.operands
    given = f"i32 {w.value(mask, 'i32')}", f"{kind} {w.value(a, kind)}"
    if how == "any":
        w.set(to, w.call(f"llvm.nvvm.match.any.sync.{kind}", "i32", *given), "i32")
        return
    pair = w.call(f"llvm.nvvm.match.all.sync.{kind}p", "{ i32, i1 }", *given)
    first, second = (to.first, to.second) if isinstance(to, Pair) else (to, Name(SINK))
    w.set(first, w.let(f"extractvalue {{ i32, i1 }} {pair}, 0"), "i32")
    w.set(second, w.let(f"extractvalue {{ i32, i1 }} {pair}, 1"), "i1")


@handles("redux")
def _reduce(w: Writer, i: Instruction) -> None:
    name = _REDUX.get(".".join(i.modifiers[1:]))
    if name is None or len(i.operands) != 3:
        raise UnknownError
    to, a, mask = i.operands
    given = f"i32 {w.value(a, 'i32')}", f"i32 {w.value(mask, 'i32')}"
    w.set(to, w.call(f"llvm.nvvm.redux.sync.{name}", "i32", *given), "i32")


@handles("bar", "barrier")
def _barrier(w: Writer, i: Instruction) -> None:
    mods = [m for m in i.modifiers if m != "cta"]
    if mods == ["warp", "sync"] and i.opcode == "bar":
        w.call("llvm.nvvm.bar.warp.sync", "void", f"i32 {w.value(i.operands[0], 'i32')}")
        return
    aligned = ".aligned" if i.opcode == "bar" or "aligned" in mods else ""
    if [m for m in mods if m != "aligned"] != ["sync"] or not 1 <= len(i.operands) <= 2:
        raise UnknownError
    given = [f"i32 {w.value(o, 'i32')}" for o in i.operands]
    how = "all" if len(given) == 1 else "count"
    w.call(f"llvm.nvvm.barrier.cta.sync{aligned}.{how}", "void", *given)


@handles("membar")
def _fence(w: Writer, i: Instruction) -> None:
    scope = i.modifiers[0] if i.modifiers else ""
    if scope not in ("cta", "gl", "sys"):
        raise UnknownError
    w.call(f"llvm.nvvm.membar.{scope}", "void")


@handles("elect")
def _elect(w: Writer, i: Instruction) -> None:
    """One lane of the mask: which, hardware says."""
    if i.modifiers != ("sync",) or not isinstance(i.operands[0], Pair):
        raise UnknownError
    pair = w.call("llvm.nvvm.elect.sync", "{ i32, i1 }", f"i32 {w.value(i.operands[1], 'i32')}")
    first, second = i.operands[0].first, i.operands[0].second
    if first != Name(SINK):
        w.set(first, w.let(f"extractvalue {{ i32, i1 }} {pair}, 0"), "i32")
    w.set(second, w.let(f"extractvalue {{ i32, i1 }} {pair}, 1"), "i1")


@handles("nanosleep", "pmevent", "griddepcontrol", "setmaxnreg")
def _nothing(w: Writer, i: Instruction) -> None:
    """Neither results nor accesses, and nobody waits for another thread of the block."""
    del w, i
