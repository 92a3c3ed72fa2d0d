"""Which registers an instruction reads and writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drano.ptx.model import (
    Address,
    Group,
    Instruction,
    Name,
    Not,
    Operand,
    Pair,
    Sum,
    Vector,
)

_NO_RESULT: Final = frozenset({
    "st", "red", "bra", "brx", "bar", "barrier", "membar", "fence", "prefetch", "prefetchu", "cp",
    "ret", "exit", "trap", "brkpt", "nanosleep", "pmevent", "stmatrix", "sust", "sured", "discard",
    "applypriority", "griddepcontrol", "setmaxnreg", "stackrestore", "wgmma", "multimem_red",
    "tcgen05", "clusterlaunchcontrol",
})  # fmt: skip
# Results that are read, too.
_UPDATED: Final = frozenset({"wgmma"})


def has_result(i: Instruction) -> bool:
    """Whether the first operand is written."""
    if i.opcode == "mbarrier":
        return bool(i.operands) and not isinstance(i.operands[0], Address)
    if i.opcode in {"barrier", "bar"}:
        return "red" in i.modifiers
    if i.opcode == "wgmma":
        return "mma_async" in i.modifiers
    if i.opcode == "tcgen05":
        return "ld" in i.modifiers
    if i.opcode == "clusterlaunchcontrol":
        return "query_cancel" in i.modifiers
    if i.opcode == "multimem":
        return "ld_reduce" in i.modifiers
    return i.opcode not in _NO_RESULT


def names(o: Operand) -> Iterator[str]:
    """All names in an operand."""
    match o:
        case Name(text):
            yield text
        case Not(Name(text)):
            yield text
        case Sum(text):
            yield text
        case Vector(parts) | Group(parts):
            for part in parts:
                yield from names(part)
        case Pair(first, second):
            yield from names(first)
            yield from names(second)
        case Address(base, _, more):
            yield from names(base)
            for part in more:
                yield from names(part)
        case _:
            return


def written(i: Instruction) -> tuple[str, ...]:
    """Names that are written, registers or not."""
    if i.opcode == "call":
        first = i.operands[0] if len(i.operands) > 1 else None
        return tuple(names(first)) if isinstance(first, Group) else ()
    if not i.operands or not has_result(i) or isinstance(i.operands[0], Address):
        return ()
    return tuple(names(i.operands[0]))


def read(i: Instruction) -> Iterator[str]:
    """Names that are read."""
    if i.guard is not None:
        yield from names(i.guard)
    results = bool(i.operands) and has_result(i) and not isinstance(i.operands[0], Address)
    if i.opcode == "call":
        results = len(i.operands) > 1 and isinstance(i.operands[0], Group)
    for operand in i.operands[1:] if results else i.operands:
        yield from names(operand)
    if results and i.opcode in _UPDATED:
        yield from names(i.operands[0])


def carries(i: Instruction) -> bool:
    """Whether an instruction sets or reads the carry."""
    return "cc" in i.modifiers or reads_carry(i)


def reads_carry(i: Instruction) -> bool:
    """Whether it adds or subtracts what one before has carried."""
    return i.opcode in ("addc", "subc", "madc")
