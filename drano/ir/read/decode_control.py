"""Decoders of terminators, and where control goes after them.

Means: one function per opcode.
Assumptions: as in ``instructions.py``: LLVM's own printing, cut before its metadata.
Limits: exception handling and indirect branches, which device code lacks, are opaque.
"""

from __future__ import annotations

from drano.ir import model as m
from drano.ir.llvm_text import TextError
from drano.ir.read.decoding import VOID, Header, block, decodes
from drano.ir.read.operands import OperandTokens


@decodes("br")
def branch(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``br i1 %c, label %a, label %b`` or ``br label %a``."""
    if t.accept("label"):
        return m.Jump(
            index=h.index, name=h.name, type=VOID, location=h.location, target=block(t, h)
        )
    condition = t.value(t.type())
    t.expect("label")
    if_true = block(t, h)
    t.expect("label")
    return m.Branch(
        index=h.index,
        name=h.name,
        type=VOID,
        location=h.location,
        condition=condition,
        if_true=if_true,
        if_false=block(t, h),
    )


@decodes("switch")
def switch(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``switch i32 %x, label %d [ i32 1, label %a ]``."""
    type_ = t.type()
    value = t.value(type_)
    t.expect("label")
    default = block(t, h)
    t.expect("[")
    cases = []
    while not t.accept("]"):
        case = t.value(t.type())
        t.expect("label")
        if not isinstance(case, m.IntConst):
            raise TextError("switch case is no number")
        cases.append((case.value, block(t, h)))
    return m.Switch(
        index=h.index,
        name=h.name,
        type=VOID,
        location=h.location,
        value=value,
        bits=type_.bits if isinstance(type_, m.IntType) else 64,
        default=default,
        cases=tuple(cases),
    )


@decodes("ret")
def return_(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``ret void`` or ``ret i32 %x``."""
    type_ = t.type()
    value = None if isinstance(type_, m.VoidType) else t.value(type_)
    return m.Return(index=h.index, name=h.name, type=VOID, location=h.location, value=value)


@decodes("unreachable")
def unreachable(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``unreachable``."""
    return m.Unreachable(index=h.index, name=h.name, type=VOID, location=h.location)


def successors(instruction: m.Instruction, opaque_targets: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The blocks that control may go to after ``instruction``, without repetition."""
    match instruction:
        case m.Jump(target=target):
            return (target,)
        case m.Branch(if_true=if_true, if_false=if_false):
            return (if_true,) if if_true == if_false else (if_true, if_false)
        case m.Switch(default=default, cases=cases):
            return tuple(dict.fromkeys((default, *(block for _, block in cases))))
        case m.Opaque():
            return opaque_targets
        case _:
            return ()
