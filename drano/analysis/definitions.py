"""Where the values of a function come from, and what the source calls them: for messages only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from drano.ir.model import ArrayType as _ArrayType
from drano.ir.model import (
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    Function,
    Gep,
    GlobalAddress,
    Instruction,
    IntConst,
    Load,
    Local,
    Module,
    Negate,
    Operand,
    Phi,
    Select,
    StructType,
    Type,
)
from drano.ir.target import SPECIAL_REGISTER
from drano.ir.uses import operands_of

_MAX_STEPS = 1000
_MAX_WALK = 200
_COMPUTED = (Binary, Cast, Compare, Freeze, Negate, Select)
_REGISTERS = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}
_DECORATION = re.compile(r"^(?:struct|class|union)\.|(?:\.\d+)+$")


class Record(Struct, frozen=True):
    """The array of structures that an address walks through.

    ``field``: path of the member that is accessed, "" for the whole; ``members``: names of the
    outer struct's members, "" where not known; ``size``: bytes of one element.
    """

    name: str
    field: str
    members: tuple[str, ...]
    type: StructType


class Definitions:
    """The defining instruction and block of each value of one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self._found: dict[int, tuple[Instruction, int]] = {
            i.index: (i, block.index) for block in function.blocks for i in block.instructions
        }
        self._arguments = {argument.index: argument.name for argument in function.args}

    def of(self, operand: Operand) -> Instruction | None:
        """The instruction that makes a value; None for arguments and constants."""
        if not isinstance(operand, Local):
            return None
        found = self._found.get(operand.index)
        return found[0] if found else None

    def block(self, instruction: Instruction) -> int:
        """The block an instruction is in."""
        return self._found[instruction.index][1]

    def source(self, operand: Operand) -> Operand:
        """The operand without the casts that the compiler made around it."""
        for _ in range(_MAX_STEPS):
            i = self.of(operand)
            if not isinstance(i, Cast | Freeze):
                break
            operand = i.value
        return operand

    def name(self, operand: Operand) -> str:
        """What the source calls a value: a variable, a parameter, a register; "" for none."""
        for _ in range(_MAX_STEPS):
            if isinstance(operand, GlobalAddress):
                variable = self.module.globals.get(operand.name)
                return variable.display if variable is not None else ""
            if not isinstance(operand, Local):
                return ""
            known = self.function.local_names.get(operand.index)
            known = known or self._arguments.get(operand.index)
            if known:
                return known
            i = self.of(operand)
            if isinstance(i, Call):
                return register_name(i.callee or "")
            if not isinstance(i, Cast | Freeze):
                return ""
            operand = i.value
        return ""

    def address_parts(self, pointer: Operand) -> Iterator[Gep]:
        """The GEPs that make up an address, the last one first."""
        for _ in range(_MAX_STEPS):
            i = self.of(self.source(pointer))
            if not isinstance(i, Gep):
                return
            yield i
            pointer = i.base

    def record(self, pointer: Operand) -> Record | None:
        """The array of structures an address lies in; the innermost that is subscripted."""
        path: list[str] = []
        for part in self.address_parts(pointer):
            names = [self._field(struct, number) for struct, number in part.fields]
            path[:0] = names
            struct = _struct(part.source_type)
            if part.steps and struct is not None and struct.name:
                return self._record(struct, path)
            if part.steps:
                return None
        return None

    def _record(self, struct: StructType, path: list[str]) -> Record:
        info = self.module.structs.get(struct.name)
        members = info.fields if info is not None else ()
        field = ".".join(path) if path and all(path) else ""
        return Record(struct_name(struct.name), field, members, struct)

    def _field(self, struct: str, number: int) -> str:
        info = self.module.structs.get(struct)
        return info.fields[number] if info is not None and number < len(info.fields) else ""

    def depends_on(self, operand: Operand, target: int) -> bool:
        """Whether a value is computed from value ``target``, through arithmetic alone."""
        return any(isinstance(o, Local) and o.index == target for o in self._walk(operand))

    def loads_of(self, operand: Operand) -> list[Load]:
        """The loads that a value is computed from, through arithmetic alone."""
        found = (self.of(o) for o in self._walk(operand))
        return [i for i in found if isinstance(i, Load)]

    def of_arguments(self, operand: Operand) -> bool:
        """Whether a value is computed from arguments and constants alone: all threads have it."""
        found = list(self._walk(operand))
        made = filter(None, map(self.of, found))
        return len(found) < _MAX_WALK and all(isinstance(i, _COMPUTED) for i in made)

    def _walk(self, operand: Operand) -> Iterator[Operand]:
        pending, seen = [operand], set[int]()
        while pending and len(seen) < _MAX_WALK:
            current = pending.pop()
            if not isinstance(current, Local) or current.index in seen:
                continue
            seen.add(current.index)
            yield current
            i = self.of(current)
            if i is not None and not isinstance(i, Load | Call | Phi):
                pending += operands_of(i)

    def indices(self, pointer: Operand) -> Iterator[Operand]:
        """The indices that make up an address, the last one first."""
        for part in self.address_parts(pointer):
            for step in reversed(part.steps):
                yield self.source(step.index)

    def reads(self, operand: Operand, register: str) -> bool:
        """Whether a value is computed from a special register such as ``threadIdx.x``."""
        found = (self.of(o) for o in self._walk(operand))
        return any(isinstance(i, Call) and register_name(i.callee or "") == register for i in found)

    def counter(self, phi: Operand, most: int = 1) -> str:
        """The name of a loop counter that steps by at most ``most``; "" for anything else."""
        i = self.of(self.source(phi))
        if not isinstance(i, Phi):
            return ""
        for operand, _ in i.incoming:
            step = self.of(self.source(operand))
            if isinstance(step, Binary) and step.op in {"add", "sub"}:
                small = isinstance(step.rhs, IntConst) and 0 < abs(step.rhs.value) <= most
                if small and self.source(step.lhs) == Local(i.index):
                    return self.name(Local(i.index))
        return ""


def register_name(callee: str) -> str:
    """``threadIdx.x`` for the intrinsic that reads it; "" for other functions."""
    if not callee.startswith(SPECIAL_REGISTER):
        return ""
    register = callee.removeprefix(SPECIAL_REGISTER)
    name, dot, axis = register.partition(".")
    return f"{_REGISTERS[name]}{dot}{axis}" if name in _REGISTERS else register


def struct_name(name: str) -> str:
    """``class.ns::Box.12`` is ``Box``."""
    return _DECORATION.sub("", _DECORATION.sub("", name)).rpartition("::")[2]


def _struct(type_: Type) -> StructType | None:
    for _ in range(8):
        if isinstance(type_, _ArrayType):
            type_ = type_.element
    return type_ if isinstance(type_, StructType) else None
