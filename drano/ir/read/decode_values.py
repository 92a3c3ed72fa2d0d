"""Decoders of computations: arithmetic, comparisons, casts, choices, aggregates, vectors.

Means: one function per opcode family, named after it.
Assumptions: as in ``instructions.py``: LLVM's own printing, cut before its metadata.
Limits: shuffles of more than ``MAX_MASK`` elements are opaque.
"""

from __future__ import annotations

from drano.ir import model as m
from drano.ir.llvm_text import TextError
from drano.ir.read.decoding import FLAGS, Header, block, decodes, opaque
from drano.ir.read.operands import OperandTokens, step_into

_BOOL = m.IntType(1)
MAX_MASK = 1 << 12
ARITHMETIC = (
    "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
)  # fmt: skip
_CONVERSIONS = (
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
    "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast",
)  # fmt: skip


@decodes(*ARITHMETIC)
def binary(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``add nsw i32 %a, %b``. Of numbers without a bit in common, ``or`` is a sum that cannot wrap
    around (LLVM language reference, "or").
    """
    flags = t.flags(FLAGS)
    type_ = t.type()
    if "disjoint" in flags and type_ != _BOOL:
        op, flags = "add", {"nsw", "nuw"}
    return m.Binary(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        op=op,
        lhs=t.value(type_),
        rhs=t.value(type_),
        nsw="nsw" in flags,
        nuw="nuw" in flags,
        exact="exact" in flags,
    )


@decodes("fneg")
def negate(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``fneg float %x``."""
    t.flags(FLAGS)
    type_ = t.type()
    return m.Negate(
        index=h.index, name=h.name, type=type_, location=h.location, value=t.value(type_)
    )


@decodes("icmp", "fcmp")
def compare(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``icmp slt i32 %a, %b`` or ``fcmp olt float %a, %b``."""
    t.flags(FLAGS)
    predicate = t.take()
    type_ = t.type()
    result: m.Type = _BOOL
    if isinstance(type_, m.VectorType):
        result = m.VectorType(type_.count, _BOOL)
    return m.Compare(
        index=h.index,
        name=h.name,
        type=result,
        location=h.location,
        predicate=predicate,
        lhs=t.value(type_),
        rhs=t.value(type_),
        operand_type=type_,
        floating=op == "fcmp",
    )


@decodes(*_CONVERSIONS)
def cast(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``zext nneg i32 %x to i64``."""
    flags = t.flags(FLAGS)
    source = t.type()
    value = t.value(source)
    t.expect("to")
    return m.Cast(
        index=h.index,
        name=h.name,
        type=t.type(),
        location=h.location,
        op=op,
        value=value,
        source_type=source,
        nneg="nneg" in flags,
        nsw="nsw" in flags,
        nuw="nuw" in flags,
    )


@decodes("phi")
def phi(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``phi i32 [ 0, %entry ], [ %next, %body ]``."""
    t.flags(FLAGS)
    type_ = t.type()
    incoming = []
    while t.accept("["):
        value = t.value(type_)
        incoming.append((value, block(t, h)))
        t.expect("]")
    return m.Phi(
        index=h.index, name=h.name, type=type_, location=h.location, incoming=tuple(incoming)
    )


@decodes("select")
def select(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``select i1 %c, i32 %a, i32 %b``."""
    t.flags(FLAGS)
    condition = t.value(t.type())
    type_ = t.type()
    if_true = t.value(type_)
    return m.Select(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        condition=condition,
        if_true=if_true,
        if_false=t.value(t.type()),
    )


# --- aggregates and vectors ------------------------------------------------------------------


def _indices(t: OperandTokens) -> tuple[int, ...]:
    indices = []
    while t.at < len(t.items):
        indices.append(t.integer())
    return tuple(indices)


@decodes("extractvalue")
def extract_value(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``extractvalue { i32, i1 } %s, 0``."""
    type_ = t.type()
    aggregate = t.value(type_)
    indices = _indices(t)
    for index in indices:
        type_, _, _ = step_into(type_, m.IntConst(index, 32))
    return m.ExtractValue(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        aggregate=aggregate,
        indices=indices,
    )


@decodes("insertvalue")
def insert_value(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``insertvalue { i32, i1 } %s, i32 %x, 0``."""
    type_ = t.type()
    aggregate = t.value(type_)
    return m.InsertValue(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        aggregate=aggregate,
        value=t.value(t.type()),
        indices=_indices(t),
    )


@decodes("extractelement")
def extract_element(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``extractelement <4 x float> %v, i32 1``."""
    type_ = t.type()
    return m.ExtractElement(
        index=h.index,
        name=h.name,
        type=type_.element if isinstance(type_, m.VectorType) else type_,
        location=h.location,
        vector=t.value(type_),
        element=t.value(t.type()),
    )


@decodes("insertelement")
def insert_element(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``insertelement <4 x float> %v, float %x, i32 1``."""
    type_ = t.type()
    return m.InsertElement(
        index=h.index,
        name=h.name,
        type=type_,
        location=h.location,
        vector=t.value(type_),
        value=t.value(t.type()),
        element=t.value(t.type()),
    )


@decodes("shufflevector")
def shuffle_vector(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``shufflevector <2 x i32> %a, <2 x i32> %b, <2 x i32> <i32 0, i32 poison>``."""
    type_ = t.type()
    lhs = t.value(type_)
    rhs = t.value(t.type())
    mask_type = t.type()
    mask = t.value(mask_type)
    if not isinstance(mask_type, m.VectorType) or not isinstance(type_, m.VectorType):
        raise TextError("shufflevector of no vectors")
    if mask_type.count > MAX_MASK:
        return opaque(t, op, h)
    picks = (-1,) * mask_type.count
    if isinstance(mask, m.NullConst):
        picks = (0,) * mask_type.count
    elif isinstance(mask, m.VectorConst):
        picks = tuple(e.value if isinstance(e, m.IntConst) else -1 for e in mask.elements)
    return m.ShuffleVector(
        index=h.index,
        name=h.name,
        type=m.VectorType(mask_type.count, type_.element),
        location=h.location,
        lhs=lhs,
        rhs=rhs,
        mask=picks,
    )


@decodes("freeze")
def freeze(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """``freeze i32 %x``."""
    type_ = t.type()
    return m.Freeze(
        index=h.index, name=h.name, type=type_, location=h.location, value=t.value(type_)
    )
