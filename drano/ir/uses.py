"""Which operands an instruction reads, in the order of its fields."""

from __future__ import annotations

from typing import assert_never

from drano.ir.model import (
    Alloca,
    Atomic,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    Gep,
    InsertElement,
    InsertValue,
    Instruction,
    Jump,
    Load,
    MemoryCopy,
    MemoryFill,
    Negate,
    Opaque,
    Operand,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
)


def operands_of(i: Instruction) -> tuple[Operand, ...]:
    """Every operand of ``i``, block targets and constants of switches apart."""
    match i:
        case Binary() | Compare() | ShuffleVector():
            return (i.lhs, i.rhs)
        case Negate() | Cast() | Freeze() | Switch():
            return (i.value,)
        case Gep():
            return (i.base, *(step.index for step in i.steps))
        case Load():
            return (i.pointer,)
        case Store():
            return (i.pointer, i.value)
        case Atomic():
            return (i.pointer, *i.operands)
        case MemoryCopy():
            return (i.pointer, i.source, i.length)
        case MemoryFill():
            return (i.pointer, i.value, i.length)
        case Phi():
            return tuple(operand for operand, _ in i.incoming)
        case Select():
            return (i.condition, i.if_true, i.if_false)
        case Call():
            return i.args if i.target is None else (i.target, *i.args)
        case ExtractValue():
            return (i.aggregate,)
        case InsertValue():
            return (i.aggregate, i.value)
        case ExtractElement():
            return (i.vector, i.element)
        case InsertElement():
            return (i.vector, i.value, i.element)
        case Opaque():
            return i.operands
        case Branch():
            return (i.condition,)
        case Return():
            return () if i.value is None else (i.value,)
        case Alloca() | Jump() | Unreachable():
            return ()
        case _:
            assert_never(i)
