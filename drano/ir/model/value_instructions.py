"""Instructions that compute a value of others: arithmetic, addresses, parts of aggregates."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type


class Binary(InstructionBase, frozen=True, kw_only=True):
    """``op``: add sub mul shl lshr ashr and or xor sdiv udiv srem urem fadd fsub fmul fdiv frem."""

    op: str
    lhs: Operand
    rhs: Operand
    nsw: bool = False
    nuw: bool = False
    exact: bool = False


class Negate(InstructionBase, frozen=True, kw_only=True):
    """``fneg``."""

    value: Operand


class Compare(InstructionBase, frozen=True, kw_only=True):
    """icmp (``floating`` False; predicate eq ne slt sle sgt sge ult ule ugt uge) or fcmp.

    ``operand_type`` is the type compared (an IntType, PointerType, FloatType or a vector).
    """

    predicate: str
    lhs: Operand
    rhs: Operand
    operand_type: Type
    floating: bool


class Cast(InstructionBase, frozen=True, kw_only=True):
    """``op``: trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr
    bitcast addrspacecast. ``nneg``: zext of a value known not negative.
    """

    op: str
    value: Operand
    source_type: Type
    nneg: bool = False
    nsw: bool = False
    nuw: bool = False


class GepStep(Struct, frozen=True):
    """``index * stride`` bytes; ``index`` is sign-extended from ``index_bits`` to 64."""

    index: Operand
    index_bits: int
    stride: int


class Gep(InstructionBase, frozen=True, kw_only=True):
    """getelementptr: base + ``offset`` + sum of the steps (constant steps are in ``offset``).

    ``source_type`` is the GEP's source element type, ``fields`` the struct fields walked
    through: (struct name, field number) pairs, outermost first, for messages.
    """

    base: Operand
    offset: int
    steps: tuple[GepStep, ...]
    source_type: Type
    fields: tuple[tuple[str, int], ...]


class Select(InstructionBase, frozen=True, kw_only=True):
    """``condition ? if_true : if_false``."""

    condition: Operand
    if_true: Operand
    if_false: Operand


class ExtractValue(InstructionBase, frozen=True, kw_only=True):
    """Field of a struct or array value."""

    aggregate: Operand
    indices: tuple[int, ...]


class InsertValue(InstructionBase, frozen=True, kw_only=True):
    """Aggregate with one field replaced."""

    aggregate: Operand
    value: Operand
    indices: tuple[int, ...]


class ExtractElement(InstructionBase, frozen=True, kw_only=True):
    """Element of a vector."""

    vector: Operand
    element: Operand


class InsertElement(InstructionBase, frozen=True, kw_only=True):
    """Vector with one element replaced."""

    vector: Operand
    value: Operand
    element: Operand


class ShuffleVector(InstructionBase, frozen=True, kw_only=True):
    """``mask`` picks from lhs ++ rhs; -1 is undefined."""

    lhs: Operand
    rhs: Operand
    mask: tuple[int, ...]


class Freeze(InstructionBase, frozen=True, kw_only=True):
    """``freeze``: the same value, made definite."""

    value: Operand


ValueInstruction: TypeAlias = (
    Binary
    | Negate
    | Compare
    | Cast
    | Gep
    | Select
    | ExtractValue
    | InsertValue
    | ExtractElement
    | InsertElement
    | ShuffleVector
    | Freeze
)
