"""Exchanges between the lanes of a warp, and barriers. Source: PTX ISA, "Parallel Synchronization
and Communication Instructions".
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles
from drano.ptx.model import Instruction, Int, Name, Operand, Pair
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
    first, second = (to.first, to.second) if isinstance(to, Pair) else (to, Name(SINK))
    alone = second == Name(SINK)
    floats = alone and all(_holds_float(w, o) for o in (a, first))
    kind = "float" if floats else "i32"
    members, lane_, clamp_ = (f"i32 {w.value(o, 'i32')}" for o in (*(mask or [_ALL]), lane, clamp))
    given = members, f"{kind} {w.value(a, kind)}", lane_, clamp_
    name = f"llvm.nvvm.shfl.sync.{mods[0]}.{'f32' if floats else 'i32'}"
    if alone:
        w.set(first, w.call(name, kind, *given), kind)
        return
    pair = w.call(f"{name}p", "{ i32, i1 }", *given)
    w.set(first, w.let(f"extractvalue {{ i32, i1 }} {pair}, 0"), "i32")
    w.set(second, w.let(f"extractvalue {{ i32, i1 }} {pair}, 1"), "i1")


def _holds_float(w: Writer, o: Operand) -> bool:
    return isinstance(o, Name) and w.is_register(o.text) and w.slot(o.text)[1] == "float"


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
    mods = [m for m in mods if m != "aligned"]
    if mods[:1] == ["red"]:
        _reducing_barrier(w, i, mods[1:], aligned)
        return
    how = "all" if len(i.operands) == 1 else "count"
    allowed = {"sync": (1, 2), "arrive": (2,)}.get(mods[0] if len(mods) == 1 else "", ())
    if len(i.operands) not in allowed:
        raise UnknownError
    given = [f"i32 {w.value(o, 'i32')}" for o in i.operands]
    w.call(f"llvm.nvvm.barrier.cta.{mods[0]}{aligned}.{how}", "void", *given)


def _reducing_barrier(w: Writer, i: Instruction, mods: list[str], aligned: str) -> None:
    """``bar.red.popc.u32 d, barrier{, threads}, p``: all see for how many ``p`` holds."""
    kind = {"popc.u32": "i32", "and.pred": "i1", "or.pred": "i1"}.get(".".join(mods))
    if kind is None or len(i.operands) not in (3, 4):
        raise UnknownError
    to, *numbers, predicate = i.operands
    given = *(f"i32 {w.value(o, 'i32')}" for o in numbers), f"i1 {w.value(predicate, 'i1')}"
    how = "all" if len(numbers) == 1 else "count"
    w.set(to, w.call(f"llvm.nvvm.barrier.cta.red.{mods[0]}{aligned}.{how}", kind, *given), kind)


@handles("membar")
def _fence(w: Writer, i: Instruction) -> None:
    scope = i.modifiers[0] if i.modifiers else ""
    if scope not in ("cta", "gl", "sys"):
        raise UnknownError
    w.call(f"llvm.nvvm.membar.{scope}", "void")


@handles("fence")
def _ordering(w: Writer, i: Instruction) -> None:
    """``fence.sc`` is what ``membar`` is, and ``fence.acq_rel`` no more than that."""
    scopes = {"cta": "membar.cta", "gpu": "membar.gl", "sys": "membar.sys",
              "cluster": "fence.sc.cluster"}  # fmt: skip
    order, scope = i.modifiers[:2]
    if len(i.modifiers) != 2 or order not in ("sc", "acq_rel") or scope not in scopes:
        raise UnknownError
    w.call(f"llvm.nvvm.{scopes[scope]}", "void")


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
