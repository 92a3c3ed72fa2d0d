"""Which operands an instruction reads, in the order of its fields.

Means: the types of the fields say which of them hold operands, so a new instruction needs nothing
here. Limits: a field whose type speaks of operands in a new way is an error when it is first read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias

from drano.ir.model import Instruction, Operand

_Reader: TypeAlias = Callable[[Any], tuple[Operand, ...]]

_ONE: Final = "Operand"
_SEVERAL: Final[Mapping[str, _Reader]] = {
    _ONE: lambda value: (value,),
    "Operand | None": lambda value: () if value is None else (value,),
    "tuple[Operand, ...]": lambda values: values,
    "tuple[GepStep, ...]": lambda steps: tuple(step.index for step in steps),
    "tuple[tuple[Operand, int], ...]": lambda pairs: tuple(operand for operand, _ in pairs),
}

_READERS: Final[dict[type, _Reader]] = {}


def operands_of(i: Instruction) -> tuple[Operand, ...]:
    """Every operand of ``i``, block targets and constants of switches apart."""
    read = _READERS.get(type(i))
    if read is None:
        read = _READERS[type(i)] = reader_of(type(i))
    return read(i)


def reader_of(kind: type[Any]) -> _Reader:
    """What finds the operands of one class of instructions."""
    types: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        types |= inspect.get_annotations(base)
    names: tuple[str, ...] = kind.__struct_fields__
    read = {n: types[n] for n in names if "Operand" in types[n] or "GepStep" in types[n]}
    parts = [(attrgetter(name), _SEVERAL[type_]) for name, type_ in read.items()]
    if not parts:
        return lambda i: ()
    if len(parts) == 1:
        get, several = parts[0]
        return lambda i: several(get(i))
    if set(read.values()) == {_ONE}:
        return attrgetter(*read)
    return lambda i: tuple(o for get, several in parts for o in several(get(i)))
