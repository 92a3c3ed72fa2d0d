"""One pure function per kind of computing instruction, in the paper's domain.

Each takes the instruction and the values of its operands, in the order of ``operands_of``. What
is not listed in ``TRANSFER`` is the interpreter's (control, memory, calls) or unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from drano.analysis.paper import values
from drano.analysis.paper.values import Reference, Value
from drano.analysis.spaces import pointed_space
from drano.ir.model import (
    Binary,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    Gep,
    InsertElement,
    InsertValue,
    IntConst,
    IntType,
    Negate,
    Operand,
    PointerType,
    Select,
    ShuffleVector,
    Type,
    UndefConst,
    VectorType,
)
from drano.lattice import memory_space
from drano.lattice.paper import multiplier
from drano.lattice.paper import values as paper
from drano.lattice.paper.multiplier import ZERO
from drano.lattice.paper.predicate import Predicate, conj, disj, xor

# The dispatch is by the exact class of the instruction, hence ``Any``: each function names its own.
Transfer: TypeAlias = Callable[[Any, Sequence[Value]], Value]

_LOGIC: Final = {
    "and": conj, "mul": conj, "or": disj, "xor": xor, "add": xor, "sub": xor,
}  # fmt: skip


def _binary(i: Binary, operands: Sequence[Value]) -> Value:
    a, b = operands
    if isinstance(a, Predicate) and isinstance(b, Predicate):
        logic = _LOGIC.get(i.op)
        if logic is not None:
            return logic(a, b)
    if isinstance(a, multiplier.Multiplier) and isinstance(b, multiplier.Multiplier):
        if isinstance(i.type, VectorType):
            return values.blend(a, b)
        return multiplier.binary(i.op, a, b, _literal(i.lhs), _literal(i.rhs))
    return values.of_multiplier(i.type, values.blend(a, b))


def _literal(operand: Operand) -> int | None:
    return operand.value if isinstance(operand, IntConst) else None


def _compare(i: Compare, operands: Sequence[Value]) -> Value:
    a, b = operands
    if isinstance(i.operand_type, VectorType):
        return values.blend(a, b)
    if isinstance(a, Predicate) and isinstance(b, Predicate):
        different = xor(a, b)
        if i.predicate == "ne":
            return different
        if i.predicate == "eq":
            return xor(different, Predicate.T)
        return Predicate.TF if values.uniform(a) and values.uniform(b) else Predicate.TOP
    if isinstance(a, Reference) and isinstance(b, Reference):
        return paper.compare(i.predicate, a.address, b.address)
    return paper.compare(i.predicate, values.to_multiplier(a), values.to_multiplier(b))


def _cast(i: Cast, operands: Sequence[Value]) -> Value:
    (a,) = operands
    if isinstance(a, Reference):
        if isinstance(i.type, PointerType):
            return Reference(a.stride, memory_space.cast(a.space, pointed_space(i.type.space)))
        return _integer_from(i.type, values.to_multiplier(a))
    if isinstance(a, Predicate):
        return _integer_from(i.type, paper.integer(a))
    if isinstance(i.type, IntType) and i.type.bits == 1:
        # ``fptosi`` and the like to one bit: whatever it is, equal inputs give equal outputs.
        return paper.boolean(a)
    if isinstance(i.type, PointerType):
        space = pointed_space(i.type.space)
        return values.of_multiplier(i.type, a, space)
    if isinstance(i.type, VectorType) or isinstance(i.source_type, VectorType):
        return values.blend(a)
    if i.op == "bitcast" and type(i.type) is not type(i.source_type):
        return values.blend(a)
    return multiplier.cast(i.op, a)


def _integer_from(type_: Type, a: multiplier.Multiplier) -> Value:
    return a if isinstance(type_, IntType) else values.blend(a)


def _gep(i: Gep, operands: Sequence[Value]) -> Value:
    base, *indices = operands
    if not isinstance(base, Reference) or isinstance(i.type, VectorType):
        return values.of_multiplier(i.type, values.blend(*operands))
    offsets = [
        values.scaled(values.to_multiplier(index), step.stride)
        for index, step in zip(indices, i.steps, strict=True)
    ]
    return values.advance(base, offsets)


def _select(i: Select, operands: Sequence[Value]) -> Value:
    condition, if_true, if_false = operands
    if i.if_true == i.if_false:
        return if_true
    if isinstance(i.if_true, UndefConst):
        return if_false
    if isinstance(i.if_false, UndefConst):
        return if_true
    if isinstance(condition, Predicate):
        sides = (values.coerce(i.type, side) for side in (if_true, if_false))
        return values.select(condition, *sides)
    return values.of_multiplier(i.type, values.blend(*operands))


def _same(i: Freeze, operands: Sequence[Value]) -> Value:
    del i
    return operands[0]


def _negate(i: Negate, operands: Sequence[Value]) -> Value:
    del i
    return values.blend(*operands)


def _extract(i: ExtractValue | ExtractElement, operands: Sequence[Value]) -> Value:
    return values.of_multiplier(i.type, values.blend(*operands))


def _insert(i: InsertValue | InsertElement, operands: Sequence[Value]) -> Value:
    """Parts that are undefined may be anything: the same in all threads, for instance."""
    aggregate = i.aggregate if isinstance(i, InsertValue) else i.vector
    return values.blend(*(operands[1:] if isinstance(aggregate, UndefConst) else operands))


def _shuffle(i: ShuffleVector, operands: Sequence[Value]) -> Value:
    defined = [
        value
        for operand, value in zip((i.lhs, i.rhs), operands, strict=True)
        if not isinstance(operand, UndefConst)
    ]
    return values.blend(*defined) if defined else ZERO


TRANSFER: Final[dict[type, Transfer]] = {
    Binary: _binary,
    Compare: _compare,
    Cast: _cast,
    Gep: _gep,
    Select: _select,
    Freeze: _same,
    Negate: _negate,
    ExtractValue: _extract,
    ExtractElement: _extract,
    InsertValue: _insert,
    InsertElement: _insert,
    ShuffleVector: _shuffle,
}
