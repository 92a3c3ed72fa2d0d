"""Instructions that compute a value of others: arithmetic, addresses, parts of aggregates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.ir.model.instruction_base import InstructionBase
from drano.ir.model.operands import Operand
from drano.ir.model.types import Type
from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(InstructionBase):
    """``op``: add sub mul shl lshr ashr and or xor sdiv udiv srem urem fadd fsub fmul fdiv frem."""

    op: str
    lhs: Operand
    rhs: Operand
    nsw: bool = False
    nuw: bool = False
    exact: bool = False


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Negate(InstructionBase):
    """``fneg``."""

    value: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(InstructionBase):
    """icmp (``floating`` False; predicate eq ne slt sle sgt sge ult ule ugt uge) or fcmp.

    ``operand_type`` is the type compared (an IntType, PointerType, FloatType or a vector).
    """

    predicate: str
    lhs: Operand
    rhs: Operand
    operand_type: Type
    floating: bool


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(InstructionBase):
    """``op``: trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr
    bitcast addrspacecast. ``nneg``: zext of a value known not negative.
    """

    op: str
    value: Operand
    source_type: Type
    nneg: bool = False
    nsw: bool = False
    nuw: bool = False


@fast_init
@dataclass(frozen=True, slots=True)
class GepStep:
    """``index * stride`` bytes; ``index`` is sign-extended from ``index_bits`` to 64."""

    index: Operand
    index_bits: int
    stride: int


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Gep(InstructionBase):
    """getelementptr: base + ``offset`` + sum of the steps (constant steps are in ``offset``).

    ``source_type`` is the GEP's source element type, ``fields`` the struct fields walked
    through: (struct name, field number) pairs, outermost first, for messages.
    """

    base: Operand
    offset: int
    steps: tuple[GepStep, ...]
    source_type: Type
    fields: tuple[tuple[str, int], ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Select(InstructionBase):
    """``condition ? if_true : if_false``."""

    condition: Operand
    if_true: Operand
    if_false: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractValue(InstructionBase):
    """Field of a struct or array value."""

    aggregate: Operand
    indices: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class InsertValue(InstructionBase):
    """Aggregate with one field replaced."""

    aggregate: Operand
    value: Operand
    indices: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractElement(InstructionBase):
    """Element of a vector."""

    vector: Operand
    element: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class InsertElement(InstructionBase):
    """Vector with one element replaced."""

    vector: Operand
    value: Operand
    element: Operand


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleVector(InstructionBase):
    """``mask`` picks from lhs ++ rhs; -1 is undefined."""

    lhs: Operand
    rhs: Operand
    mask: tuple[int, ...]


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze(InstructionBase):
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
