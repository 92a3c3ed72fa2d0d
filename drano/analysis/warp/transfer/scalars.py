"""Transfer functions of the instructions that touch no memory: one small function per opcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    PointerType,
    Select,
    ShuffleVector,
    VectorType,
)
from drano.lattice import Aggregate, Cause, Form, Predicate, Value
from drano.lattice.warp import operations as ops
from drano.model.hardware import POINTER_BITS
from drano.support.fast_copy import substitute

if TYPE_CHECKING:
    from drano.analysis.warp.state.interpreter import WarpInterpreter

_FLOAT_OPS = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})


def evaluate(run: WarpInterpreter, instruction: Instruction, block: Block) -> Value | None:
    """Value of a computing instruction; None for what has no value."""
    match instruction:
        case Binary():
            return _binary(run, instruction, block)
        case Compare():
            return _compare(run, instruction, block)
        case Cast():
            return _cast(run, instruction, block)
        case Gep():
            return _gep(run, instruction, block)
        case Select():
            return _select(run, instruction, block)
        case Freeze():
            return run.value(instruction.value, block.index)
        case Negate():
            return function_of(run, instruction, block, "floating-point value")
        case ExtractValue() | InsertValue():
            return _aggregate(run, instruction, block)
        case ExtractElement() | InsertElement() | ShuffleVector():
            return _vector(run, instruction, block)
        case _:
            return None


def function_of(
    run: WarpInterpreter, instruction: Instruction, block: Block, reason: str
) -> Value | None:
    """A pure function of its operands of which nothing else is known."""
    values = [run.value(operand, block.index) for operand in run.operands[instruction.index]]
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return None
    warp = run.warp
    varying = not all(warp.is_uniform(value) for value in known)
    data = varying and any(warp.is_data(value) for value in known)
    if data:
        reasons = [a.name for v in known for a in warp.varying_atoms(v) if a.data]
        reason = reasons[0] if reasons else reason
    return run.unknown_of(
        instruction.type, ("value", instruction.index), reason, Cause.NONLINEAR,
        varying=varying, data=data, loops=ops.loops_of(warp, tuple(known)),
    )  # fmt: skip


def _binary(run: WarpInterpreter, i: Binary, block: Block) -> Value | None:
    if i.op in _FLOAT_OPS:
        return function_of(run, i, block, "floating-point value")
    if isinstance(i.type, VectorType):
        return function_of(run, i, block, "vector arithmetic")
    if not isinstance(i.type, IntType):
        return function_of(run, i, block, f"{i.op} of unusual type")
    key = ("value", i.index)
    warp = run.warp
    if i.type.bits == 1:
        return _boolean(run, i, block)
    a = run.form(i.lhs, block.index, i.type.bits)
    b = run.form(i.rhs, block.index, i.type.bits)
    match i.op:
        case "add":
            return warp.add(a, b, nsw=i.nsw, nuw=i.nuw)
        case "sub":
            return warp.sub(a, b, nsw=i.nsw, nuw=i.nuw)
        case "mul":
            return warp.mul(a, b, nsw=i.nsw, nuw=i.nuw)
        case "shl":
            return ops.shift_left(warp, a, b, nsw=i.nsw, nuw=i.nuw, key=key)
        case "lshr" | "ashr":
            return ops.shift_right(warp, a, b, signed=i.op == "ashr", key=key)
        case "sdiv" | "udiv":
            return ops.divide(warp, a, b, signed=i.op == "sdiv")
        case "srem" | "urem":
            return ops.remainder(warp, a, b, signed=i.op == "srem")
        case "and" | "or" | "xor":
            return ops.bitwise(warp, i.op, a, b, disjoint=i.disjoint, key=key)
        case _:
            return function_of(run, i, block, f"operation {i.op}")


def _boolean(run: WarpInterpreter, i: Binary, block: Block) -> Value | None:
    a = run.predicate(i.lhs, block.index, i.index)
    b = run.predicate(i.rhs, block.index, i.index)
    key = ("value", i.index)
    match i.op:
        case "and" | "mul":
            return ops.conjunction(run.warp, a, b, key)
        case "or":
            return ops.disjunction(run.warp, a, b, key)
        case "xor" | "add" | "sub":
            return ops.exclusive(run.warp, a, b, key)
        case _:
            return ops.unknown_predicate(run.warp, (a, b), key)


def _compare(run: WarpInterpreter, i: Compare, block: Block) -> Value | None:
    key = ("value", i.index)
    if i.floating or isinstance(i.operand_type, VectorType | FloatType):
        return function_of(run, i, block, "comparison of floating-point values")
    bits = i.operand_type.bits if isinstance(i.operand_type, IntType) else POINTER_BITS
    if bits == 1:
        a = run.predicate(i.lhs, block.index, i.index)
        b = run.predicate(i.rhs, block.index, i.index)
        if i.predicate in {"eq", "ne"}:
            different = ops.exclusive(run.warp, a, b, key)
            return different if i.predicate == "ne" else ops.negated(run.warp, different)
        return ops.unknown_predicate(run.warp, (a, b), key)
    left = run.form(i.lhs, block.index, bits)
    right = run.form(i.rhs, block.index, bits)
    found = ops.compare(run.warp, i.predicate, left, right, key)
    return substitute(found, {"loops": found.loops | ops.loops_of(run.warp, (left, right))})


def _cast(run: WarpInterpreter, i: Cast, block: Block) -> Value | None:
    warp = run.warp
    value = run.value(i.value, block.index)
    if value is None:
        return None
    if isinstance(i.type, VectorType) or isinstance(value, Aggregate):
        return function_of(run, i, block, "vector conversion")
    source = i.source_type.bits if isinstance(i.source_type, IntType) else POINTER_BITS
    target = i.type.bits if isinstance(i.type, IntType) else POINTER_BITS
    match i.op:
        case "sext" | "zext":
            if isinstance(value, Predicate):
                number = ops.choice(warp, value, target)
                return warp.neg(number) if i.op == "sext" else number
            form = run.form(i.value, block.index, source)
            if i.op == "zext" and i.nneg:
                half = (0, (1 << (source - 1)) - 1)
                if form.lo >= -(1 << (source - 1)) and form.hi <= half[1]:
                    form = warp.build(source, dict(form.terms), form.const, half)
            return ops.extend(warp, form, target, signed=i.op == "sext")
        case "trunc":
            form = run.form(i.value, block.index, source)
            if target == 1:
                bit = ops.low_bits(warp, form, 2)
                zero = warp.constant(0, form.bits)
                found = ops.compare(warp, "ne", bit, zero, ("value", i.index))
                return substitute(found, {"loops": ops.loops_of(warp, (form,))})
            return ops.truncate(warp, form, target)
        case "ptrtoint" | "inttoptr" | "addrspacecast":
            form = run.form(i.value, block.index, source)
            if i.op == "addrspacecast" or target == source:
                return Form(target, form.terms, form.const, form.lo, form.hi)
            if target < source:
                return ops.truncate(warp, form, target)
            return ops.extend(warp, form, target, signed=False)
        case "bitcast":
            both = isinstance(i.type, IntType | PointerType) and isinstance(
                i.source_type, IntType | PointerType
            )
            if both and isinstance(value, Form):
                return value
            return function_of(run, i, block, "reinterpreted bits")
        case _:
            return function_of(run, i, block, "converted from a floating-point value")


def _gep(run: WarpInterpreter, i: Gep, block: Block) -> Value | None:
    warp = run.warp
    if isinstance(i.type, VectorType):
        return function_of(run, i, block, "vector of pointers")
    total = run.form(i.base, block.index, POINTER_BITS)
    if i.offset:
        total = warp.add(total, warp.constant(i.offset, POINTER_BITS))
    for step in i.steps:
        index = run.form(step.index, block.index, step.index_bits)
        if step.index_bits < POINTER_BITS:
            index = ops.extend(warp, index, POINTER_BITS, signed=True)
        total = warp.add(total, warp.scale(index, step.stride))
    return total


def _select(run: WarpInterpreter, i: Select, block: Block) -> Value | None:
    warp = run.warp
    yes = run.value(i.if_true, block.index)
    no = run.value(i.if_false, block.index)
    condition = run.value(i.condition, block.index)
    if yes is None or no is None or condition is None:
        return None
    if isinstance(condition, Aggregate) or isinstance(yes, Aggregate):
        return function_of(run, i, block, "vector select")
    chosen = run.predicate(i.condition, block.index, i.index)
    if isinstance(yes, Predicate) or isinstance(no, Predicate):
        a = run.predicate(i.if_true, block.index, i.index)
        b = run.predicate(i.if_false, block.index, i.index)
        one = ops.conjunction(warp, chosen, a, ("value", i.index, 1))
        other = ops.conjunction(warp, ops.negated(warp, chosen), b, ("value", i.index, 2))
        return ops.disjunction(warp, one, other, ("value", i.index))
    bits = yes.bits
    assert isinstance(no, Form)
    return ops.select(warp, chosen, yes, Form(bits, no.terms, no.const, no.lo, no.hi))


def _aggregate(run: WarpInterpreter, i: ExtractValue | InsertValue, block: Block) -> Value | None:
    whole = run.value(i.aggregate, block.index)
    if isinstance(i, ExtractValue):
        found: Value | None = whole
        for index in i.indices:
            if not isinstance(found, Aggregate) or index >= len(found.elements):
                return function_of(run, i, block, "field of an unknown aggregate")
            found = found.elements[index]
        return found
    part = run.value(i.value, block.index)
    if part is None or whole is None:
        return None
    if not isinstance(whole, Aggregate):
        blank = run.unknown_of(
            i.type, ("value", i.index), "unset field", Cause.NONLINEAR, varying=False
        )
        if not isinstance(blank, Aggregate):
            return function_of(run, i, block, "aggregate")
        whole = blank
    path: list[Aggregate] = []
    inner: Value = whole
    for index in i.indices:
        if not isinstance(inner, Aggregate) or index >= len(inner.elements):
            return function_of(run, i, block, "field of an unknown aggregate")
        path.append(inner)
        inner = inner.elements[index]
    for outer, index in zip(reversed(path), reversed(i.indices), strict=True):
        elements = list(outer.elements)
        elements[index] = part
        part = Aggregate(tuple(elements))
    return part


def _vector(
    run: WarpInterpreter, i: ExtractElement | InsertElement | ShuffleVector, block: Block
) -> Value | None:
    if isinstance(i, ShuffleVector):
        left, right = run.value(i.lhs, block.index), run.value(i.rhs, block.index)
        if not isinstance(left, Aggregate):
            return function_of(run, i, block, "vector shuffle")
        pool = [*left.elements]
        if isinstance(right, Aggregate):
            pool += right.elements
        picked = [pool[k] for k in i.mask if 0 <= k < len(pool)]
        if len(picked) != len(i.mask):
            return function_of(run, i, block, "vector shuffle")
        return Aggregate(tuple(picked))
    vector = run.value(i.vector, block.index)
    position = run.value(i.element, block.index)
    at = position.const if isinstance(position, Form) and not position.terms else None
    if isinstance(i, ExtractElement):
        if isinstance(vector, Aggregate) and isinstance(at, int) and at < len(vector.elements):
            return vector.elements[at]
        return function_of(run, i, block, "vector element")
    part = run.value(i.value, block.index)
    if part is None:
        return None
    if not isinstance(vector, Aggregate):
        blank = run.unknown_of(
            i.type, ("value", i.index), "unset element", Cause.NONLINEAR, varying=False
        )
        assert isinstance(blank, Aggregate)
        vector = blank
    if not isinstance(at, int) or not 0 <= at < len(vector.elements):
        return function_of(run, i, block, "vector element")
    elements = list(vector.elements)
    elements[at] = part
    return Aggregate(tuple(elements))
