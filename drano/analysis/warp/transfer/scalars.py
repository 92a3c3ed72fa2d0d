"""Transfer functions of the instructions that touch no memory: one small function per opcode.

Those of ``Binary`` and ``Cast`` have tables of their own, by ``op``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer.borders import around_borders, back_at_borders
from drano.analysis.warp.transfer.control import leave_unknown
from drano.analysis.warp.transfer.joined import (
    all_together,
    more_than_kept,
    opened_at_a_bit,
    with_bits_below,
)
from drano.analysis.warp.transfer.registry import transfer
from drano.ir.model import (
    Binary,
    Block,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    FloatType,
    Freeze,
    Gep,
    InsertElement,
    InsertValue,
    Instruction,
    IntType,
    Negate,
    Opaque,
    PointerType,
    Select,
    ShuffleVector,
    Type,
    VectorType,
    VoidType,
)
from drano.ir.target import POINTER_BITS
from drano.lattice import Aggregate, Cause, Form, Predicate, Value, Warp
from drano.lattice.warp import operations as ops


def function_of(state: WarpState, instruction: Instruction, block: Block, reason: str) -> Value:
    """A pure function of its operands of which nothing else is known."""
    values = [state.value(operand, block.index) for operand in state.operands[instruction.index]]
    warp = state.warp
    varying = not all(warp.is_uniform(value) for value in values)
    data = varying and any(warp.is_data(value) for value in values)
    if data:
        reasons = [a.name for v in values for a in warp.varying_atoms(v) if a.data]
        reason = reasons[0] if reasons else reason
    return state.unknown_of(
        instruction.type, ("value", instruction.index), reason, Cause.NONLINEAR,
        varying=varying, data=data, loops=ops.loops_of(warp, tuple(values)),
    )  # fmt: skip


# --- arithmetic ------------------------------------------------------------------------------


def _key(i: Instruction) -> tuple[str, int]:
    return ("value", i.index)


FLOATING: Final = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
INTEGER: Final[dict[str, Callable[[Warp, Binary, Form, Form], Form]]] = {
    "add": lambda warp, i, a, b: warp.add(a, b, nsw=i.nsw, nuw=i.nuw),
    "sub": lambda warp, i, a, b: warp.sub(a, b, nsw=i.nsw, nuw=i.nuw),
    "mul": lambda warp, i, a, b: warp.mul(a, b, nsw=i.nsw, nuw=i.nuw),
    "shl": lambda warp, i, a, b: ops.shift_left(warp, a, b, nsw=i.nsw, nuw=i.nuw, key=_key(i)),
    "lshr": lambda warp, i, a, b: ops.shift_right(warp, a, b, signed=False, key=_key(i)),
    "ashr": lambda warp, i, a, b: ops.shift_right(warp, a, b, signed=True, key=_key(i)),
    "sdiv": lambda warp, i, a, b: ops.divide(warp, a, b, signed=True),
    "udiv": lambda warp, i, a, b: ops.divide(warp, a, b, signed=False),
    "srem": lambda warp, i, a, b: ops.remainder(warp, a, b, signed=True),
    "urem": lambda warp, i, a, b: ops.remainder(warp, a, b, signed=False),
} | dict.fromkeys(
    ("and", "or", "xor"),
    lambda warp, i, a, b: ops.bitwise(warp, i.op, a, b, key=_key(i)),
)
JOINED: Final = {"shl": opened_at_a_bit, "or": with_bits_below}
_LOGIC: Final = {
    "and": ops.conjunction, "mul": ops.conjunction, "or": ops.disjunction,
    "xor": ops.exclusive, "add": ops.exclusive, "sub": ops.exclusive,
}  # fmt: skip


@transfer(Binary)
def _binary(state: WarpState, i: Binary, block: Block) -> Value:
    if i.op in FLOATING:
        return function_of(state, i, block, "floating-point value")
    if isinstance(i.type, VectorType):
        return function_of(state, i, block, "vector arithmetic")
    if not isinstance(i.type, IntType):
        return function_of(state, i, block, f"{i.op} of unusual type")
    bits = i.type.bits
    if bits == 1:
        return _boolean(state, i, block)
    operation = INTEGER.get(i.op)
    if operation is None:
        return function_of(state, i, block, f"operation {i.op}")
    a, b = state.form(i.lhs, block.index, bits), state.form(i.rhs, block.index, bits)
    joined = JOINED.get(i.op)
    if joined is not None and (value := joined(state, i, block, bits)) is not None:
        return value
    around = around_borders(state, i, block, a, b)
    return operation(state.warp, i, a, b) if around is None else around


def _boolean(state: WarpState, i: Binary, block: Block) -> Value:
    a = state.predicate(i.lhs, block.index, i.index)
    b = state.predicate(i.rhs, block.index, i.index)
    operation = _LOGIC.get(i.op)
    if operation is None:
        return ops.unknown_predicate(state.warp, (a, b), _key(i))
    return operation(state.warp, a, b, _key(i))


@transfer(Negate)
def _negate(state: WarpState, i: Negate, block: Block) -> Value:
    return function_of(state, i, block, "floating-point value")


@transfer(Compare)
def _compare(state: WarpState, i: Compare, block: Block) -> Value:
    if i.floating or isinstance(i.operand_type, VectorType | FloatType):
        return function_of(state, i, block, "comparison of floating-point values")
    bits = i.operand_type.bits if isinstance(i.operand_type, IntType) else POINTER_BITS
    if bits == 1:
        a = state.predicate(i.lhs, block.index, i.index)
        b = state.predicate(i.rhs, block.index, i.index)
        if i.predicate in {"eq", "ne"}:
            different = ops.exclusive(state.warp, a, b, _key(i))
            return different if i.predicate == "ne" else ops.negated(state.warp, different)
        return ops.unknown_predicate(state.warp, (a, b), _key(i))
    if together := all_together(state, i, block, bits):
        return together
    if apart := more_than_kept(state, i, block, bits):
        return apart
    left = state.form(i.lhs, block.index, bits)
    right = state.form(i.rhs, block.index, bits)
    return ops.compare(state.warp, i.predicate, left, right, _key(i))


# --- conversions -----------------------------------------------------------------------------


@transfer(Cast)
def _cast(state: WarpState, i: Cast, block: Block) -> Value:
    value = state.value(i.value, block.index)
    if isinstance(i.type, VectorType) or isinstance(value, Aggregate):
        return function_of(state, i, block, "vector conversion")
    conversion = CONVERSIONS.get(i.op)
    if conversion is None:
        return function_of(state, i, block, "converted from a floating-point value")
    return conversion(state, i, block, value)


def _bits(type_: Type) -> int:
    return type_.bits if isinstance(type_, IntType) else POINTER_BITS


def _extended(state: WarpState, i: Cast, block: Block, value: Value) -> Value:
    source, target = _bits(i.source_type), _bits(i.type)
    if isinstance(value, Predicate):
        number = ops.choice(state.warp, value, target)
        return state.warp.neg(number) if i.op == "sext" else number
    form = state.form(i.value, block.index, source)
    half = 1 << (source - 1)
    if i.op == "zext" and i.nneg and form.lo >= -half and form.hi < half:
        form = state.warp.build(source, dict(form.terms), form.const, (0, half - 1))
    return ops.extend(state.warp, form, target, signed=i.op == "sext")


def _truncated(state: WarpState, i: Cast, block: Block, value: Value) -> Value:
    warp, target = state.warp, _bits(i.type)
    form = state.form(i.value, block.index, _bits(i.source_type))
    if target != 1:
        return ops.truncate(warp, form, target)
    bit = ops.low_bits(warp, form, 2)
    return ops.compare(warp, "ne", bit, warp.constant(0, form.bits), _key(i))


def _pointer_cast(state: WarpState, i: Cast, block: Block, value: Value) -> Value:
    source, target = _bits(i.source_type), _bits(i.type)
    form = state.form(i.value, block.index, source)
    if i.op == "addrspacecast" or target == source:
        return Form(target, form.terms, form.const, form.lo, form.hi)
    if target < source:
        return ops.truncate(state.warp, form, target)
    return ops.extend(state.warp, form, target, signed=False)


def _bitcast(state: WarpState, i: Cast, block: Block, value: Value) -> Value:
    plain = IntType | PointerType
    if isinstance(i.type, plain) and isinstance(i.source_type, plain) and isinstance(value, Form):
        return value
    return function_of(state, i, block, "reinterpreted bits")


CONVERSIONS: Final[dict[str, Callable[[WarpState, Cast, Block, Value], Value]]] = {
    "sext": _extended, "zext": _extended, "trunc": _truncated, "ptrtoint": _pointer_cast,
    "ptrtoaddr": _pointer_cast, "inttoptr": _pointer_cast, "addrspacecast": _pointer_cast,
    "bitcast": _bitcast,
}  # fmt: skip


@transfer(Freeze)
def _freeze(state: WarpState, i: Freeze, block: Block) -> Value:
    return state.value(i.value, block.index)


@transfer(Opaque)
def _opaque(state: WarpState, i: Opaque, block: Block) -> Value | None:
    if i is block.terminator:
        leave_unknown(state, block)
    if isinstance(i.type, VoidType):
        return None
    return state.unknown_of(
        i.type, _key(i), f"unsupported instruction {i.opcode}", Cause.NONLINEAR, varying=True,
        loops=state.loops_at(block.index),
    )  # fmt: skip


@transfer(Gep)
def _gep(state: WarpState, i: Gep, block: Block) -> Value:
    warp = state.warp
    if isinstance(i.type, VectorType):
        return function_of(state, i, block, "vector of pointers")
    total = state.form(i.base, block.index, POINTER_BITS)
    if i.offset:
        total = warp.add(total, warp.constant(i.offset, POINTER_BITS))
    for step in i.steps:
        index = state.form(step.index, block.index, step.index_bits)
        if step.index_bits < POINTER_BITS:
            index = ops.extend(warp, index, POINTER_BITS, signed=True)
        total = warp.add(total, warp.scale(index, step.stride))
    return total


@transfer(Select)
def _select(state: WarpState, i: Select, block: Block) -> Value:
    warp = state.warp
    yes = state.value(i.if_true, block.index)
    no = state.value(i.if_false, block.index)
    vector = isinstance(state.value(i.condition, block.index), Aggregate)
    if vector or isinstance(yes, Aggregate) or isinstance(no, Aggregate):
        return function_of(state, i, block, "vector select")
    chosen = state.predicate(i.condition, block.index, i.index)
    if isinstance(yes, Predicate) or isinstance(no, Predicate):
        a = state.predicate(i.if_true, block.index, i.index)
        b = state.predicate(i.if_false, block.index, i.index)
        key = ("value", i.index)
        if a.lanes == 1:  # `a || b`, as compilers write it
            return ops.disjunction(warp, chosen, b, key)
        if b.lanes == 1:
            return ops.disjunction(warp, ops.negated(warp, chosen), a, key)
        one = ops.conjunction(warp, chosen, a, (*key, 1))
        other = ops.conjunction(warp, ops.negated(warp, chosen), b, (*key, 2))
        return ops.disjunction(warp, one, other, key)
    assert isinstance(no, Form)
    no = Form(yes.bits, no.terms, no.const, no.lo, no.hi)
    back = back_at_borders(state, i, block, chosen, yes, no)
    return ops.select(warp, chosen, yes, no) if back is None else back


# --- parts of aggregates and vectors ---------------------------------------------------------


@transfer(ExtractValue)
def _extract_value(state: WarpState, i: ExtractValue, block: Block) -> Value:
    part = state.value(i.aggregate, block.index)
    for index in i.indices:
        if not isinstance(part, Aggregate) or index >= len(part.elements):
            return function_of(state, i, block, "field of an unknown aggregate")
        part = part.elements[index]
    return part


@transfer(InsertValue)
def _insert_value(state: WarpState, i: InsertValue, block: Block) -> Value:
    part = state.value(i.value, block.index)
    whole = state.value(i.aggregate, block.index)
    if not isinstance(whole, Aggregate):
        whole = _blank(state, i, "unset field")
        if not isinstance(whole, Aggregate):
            return function_of(state, i, block, "aggregate")
    path: list[Aggregate] = []
    inner: Value = whole
    for index in i.indices:
        if not isinstance(inner, Aggregate) or index >= len(inner.elements):
            return function_of(state, i, block, "field of an unknown aggregate")
        path.append(inner)
        inner = inner.elements[index]
    for outer, index in zip(reversed(path), reversed(i.indices), strict=True):
        part = _with(outer, index, part)
    return part


@transfer(ExtractElement)
def _extract_element(state: WarpState, i: ExtractElement, block: Block) -> Value:
    vector, at = state.value(i.vector, block.index), _position(state, i, block)
    if isinstance(vector, Aggregate) and at is not None and at < len(vector.elements):
        return vector.elements[at]
    return function_of(state, i, block, "vector element")


@transfer(InsertElement)
def _insert_element(state: WarpState, i: InsertElement, block: Block) -> Value:
    vector, at = state.value(i.vector, block.index), _position(state, i, block)
    part = state.value(i.value, block.index)
    if not isinstance(vector, Aggregate):
        vector = _blank(state, i, "unset element")
        assert isinstance(vector, Aggregate)
    if at is None or not 0 <= at < len(vector.elements):
        return function_of(state, i, block, "vector element")
    return _with(vector, at, part)


@transfer(ShuffleVector)
def _shuffle_vector(state: WarpState, i: ShuffleVector, block: Block) -> Value:
    left, right = state.value(i.lhs, block.index), state.value(i.rhs, block.index)
    if not isinstance(left, Aggregate):
        return function_of(state, i, block, "vector shuffle")
    pool = [*left.elements]
    if isinstance(right, Aggregate):
        pool += right.elements
    picked = [pool[k] for k in i.mask if 0 <= k < len(pool)]
    if len(picked) != len(i.mask):
        return function_of(state, i, block, "vector shuffle")
    return Aggregate(tuple(picked))


def _blank(state: WarpState, i: Instruction, reason: str) -> Value:
    """Parts that were never set, which no program may depend on."""
    return state.unknown_of(i.type, _key(i), reason, Cause.NONLINEAR, varying=False)


def _with(whole: Aggregate, index: int, part: Value) -> Aggregate:
    elements = list(whole.elements)
    elements[index] = part
    return Aggregate(tuple(elements))


def _position(state: WarpState, i: ExtractElement | InsertElement, block: Block) -> int | None:
    """The element's number where it is known."""
    position = state.value(i.element, block.index)
    at = position.const if isinstance(position, Form) and not position.terms else None
    return at if isinstance(at, int) else None
