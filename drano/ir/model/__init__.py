"""The frozen picture of a device module that every analysis reads.

Assumptions: the module is the *prepared* one (device functions inlined, SSA formed, see
``prepare/passes.py``), for ``nvptx64``: pointers are 8 bytes in every address space, little-endian.
Values of a function are numbered densely: ``Local(k)`` is argument or instruction ``k``.
Sizes, strides and offsets are in bytes.

The instruction set is a closed union (``Instruction``): what the reader does not know becomes
``Opaque``, never a guess; a ``match`` over the union ends in ``assert_never``.
"""

from __future__ import annotations

from drano.ir.model.control_instructions import (
    Branch,
    Call,
    Jump,
    Phi,
    Return,
    Switch,
    Terminator,
    Unreachable,
)
from drano.ir.model.instructions import Instruction, Opaque
from drano.ir.model.memory_instructions import Alloca, Atomic, Load, MemoryCopy, MemoryFill, Store
from drano.ir.model.modules import Argument, Block, Function, GlobalVariable, Module, StructInfo
from drano.ir.model.operands import (
    FloatConst,
    FunctionAddress,
    GlobalAddress,
    IntConst,
    Local,
    NullConst,
    Operand,
    OtherConst,
    UndefConst,
    VectorConst,
)
from drano.ir.model.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from drano.ir.model.value_instructions import (
    Binary,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    Gep,
    GepStep,
    InsertElement,
    InsertValue,
    Negate,
    Select,
    ShuffleVector,
)

__all__ = [
    "Alloca",
    "Argument",
    "ArrayType",
    "Atomic",
    "Binary",
    "Block",
    "Branch",
    "Call",
    "Cast",
    "Compare",
    "ExtractElement",
    "ExtractValue",
    "FloatConst",
    "FloatType",
    "Freeze",
    "Function",
    "FunctionAddress",
    "Gep",
    "GepStep",
    "GlobalAddress",
    "GlobalVariable",
    "InsertElement",
    "InsertValue",
    "Instruction",
    "IntConst",
    "IntType",
    "Jump",
    "Load",
    "Local",
    "MemoryCopy",
    "MemoryFill",
    "Module",
    "Negate",
    "NullConst",
    "Opaque",
    "Operand",
    "OtherConst",
    "Phi",
    "PointerType",
    "Return",
    "Select",
    "ShuffleVector",
    "Store",
    "StructInfo",
    "StructType",
    "Switch",
    "Terminator",
    "Type",
    "UndefConst",
    "Unreachable",
    "VectorConst",
    "VectorType",
    "VoidType",
]
