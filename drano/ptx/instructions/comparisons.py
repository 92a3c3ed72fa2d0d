"""``setp`` and ``set``: comparisons, combined with a predicate. Source: PTX ISA, "Comparison and
Selection Instructions".
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles, last_type
from drano.ptx.model import Instruction, Name, Operand, Pair
from drano.ptx.types import is_float, is_signed, is_type, llvm_type
from drano.ptx.writer import SINK, UnknownError, Writer

_UNSIGNED: Final = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
_FLOATING: Final = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "equ": "ueq",
    "neu": "une", "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord",
    "nan": "uno",
}  # fmt: skip
_RESULTS: Final = frozenset({"u16", "s16", "u32", "s32", "f16", "bf16", "f32", "f16x2", "bf16x2"})
_COMBINED: Final = frozenset({"and", "or", "xor"})


_PACKED: Final = {"f16x2": "<2 x half>", "bf16x2": "<2 x bfloat>"}


def _halves(w: Writer, i: Instruction, type_: str) -> str:
    """The results of a comparison of two pairs."""
    if i.modifiers[0] not in _FLOATING or len(i.operands) != 3:
        raise UnknownError
    kind = _PACKED[type_]
    a, b = (w.value(o, kind) for o in i.operands[1:])
    return w.let(f"fcmp {_FLOATING[i.modifiers[0]]} {kind} {a}, {b}")


@handles("setp")
def _setp(w: Writer, i: Instruction) -> None:
    if last_type(i) in _PACKED:
        result = _halves(w, i, last_type(i))
        to = i.operands[0]
        for k, part in enumerate((to.first, to.second) if isinstance(to, Pair) else ()):
            w.set(part, w.let(f"extractelement <2 x i1> {result}, i32 {k}"), "i1")
        if not isinstance(to, Pair):
            raise UnknownError
        return
    result = _compared(w, i, last_type(i), i.modifiers[0], i.operands)
    to = i.operands[0]
    first, second = (to.first, to.second) if isinstance(to, Pair) else (to, Name(SINK))
    with_, operation = _combination(w, i)
    opposite = ""
    if second != Name(SINK):
        opposite = w.let(f"xor i1 {result}, true")
        if operation:
            opposite = w.let(f"{operation} i1 {opposite}, {with_}")
    if operation:
        result = w.let(f"{operation} i1 {result}, {with_}")
    w.set(first, result, "i1")
    if opposite:
        w.set(second, opposite, "i1")


@handles("set")
def _set(w: Writer, i: Instruction) -> None:
    """All bits, or 1.0, where it holds."""
    types = [m for m in i.modifiers if is_type(m)]
    if len(types) != 2 or types[0] not in _RESULTS or ("x2" in types[0] and types[0] != types[1]):
        raise UnknownError
    target = llvm_type(types[0])
    if types[1] in _PACKED:
        result = _halves(w, i, types[1])
        how = "uitofp" if types[0] in _PACKED else "sext"
        kind = target if types[0] in _PACKED else "<2 x i16>"
        w.set(i.operands[0], w.let(f"{how} <2 x i1> {result} to {kind}"), kind)
        return
    result = _compared(w, i, types[1], i.modifiers[0], i.operands)
    with_, operation = _combination(w, i)
    if operation:
        result = w.let(f"{operation} i1 {result}, {with_}")
    how = "uitofp" if is_float(types[0]) else "sext"
    w.set(i.operands[0], w.let(f"{how} i1 {result} to {target}"), target)


def _combination(w: Writer, i: Instruction) -> tuple[str, str]:
    """The predicate that the result is combined with, and how."""
    if len(i.operands) != 4:
        return "", ""
    operation = next((m for m in i.modifiers[1:] if m in _COMBINED), None)
    if operation is None:
        raise UnknownError
    return w.value(i.operands[3], "i1"), operation


def _compared(
    w: Writer, i: Instruction, type_: str, how: str, operands: tuple[Operand, ...]
) -> str:
    if len(operands) not in (3, 4) or (type_.endswith("x2")):
        raise UnknownError
    kind = llvm_type(type_)
    a, b = operands[1:3]
    if is_float(type_):
        if how not in _FLOATING:
            raise UnknownError
        return w.let(f"fcmp {_FLOATING[how]} {kind} {w.value(a, kind)}, {w.value(b, kind)}")
    if how in ("eq", "ne"):
        predicate = how
    elif how in ("lt", "le", "gt", "ge"):
        predicate = ("s" if is_signed(type_) else "u") + how
    elif how in _UNSIGNED:
        predicate = _UNSIGNED[how]
    else:
        raise UnknownError
    return w.let(f"icmp {predicate} {kind} {w.value(a, kind)}, {w.value(b, kind)}")
