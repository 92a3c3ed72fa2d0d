"""A PTX module as it is written: what the parser makes, and the translation reads.

Names are resolved: a register or label of an inner block that hides an outer one has a suffix that
no PTX name can have. Lines are those of the PTX text, counted from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


class PtxError(Exception):
    """The text is no PTX that is read here: ``line`` and ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Place:
    """A ``.loc``: file number, line, column, and the call that the code was inlined at.

    ``function``: label and offset of the inlined function's name in ``.debug_str``.
    """

    file: int
    line: int
    column: int
    function: tuple[str, int] = ("", 0)
    inlined_at: Place | None = None


# --- operands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A register, a variable, a label, a special register (``%tid.x``); ``_`` for no result."""

    text: str


@dataclass(frozen=True, slots=True)
class Int:
    """A literal: of unsigned 64 bits, or negative."""

    value: int


@dataclass(frozen=True, slots=True)
class Float:
    """A literal of ``bits`` 32 or 64: its bit pattern."""

    pattern: int
    bits: int


@dataclass(frozen=True, slots=True)
class Not:
    """``!%p1``."""

    operand: Name


@dataclass(frozen=True, slots=True)
class Sum:
    """The address of a variable and a number: ``table+16``."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True)
class Vector:
    """``{%f1, %f2}``."""

    parts: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results: ``%r1|%p1``."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Address:
    """``[base+offset]``, with coordinates or a barrier behind it: ``[map, {x, y}]``."""

    base: Operand
    offset: int = 0
    more: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Operands of a call: ``(%r1, %r2)``."""

    parts: tuple[Operand, ...]


Operand: TypeAlias = Name | Int | Float | Not | Sum | Vector | Pair | Address | Group

# --- declarations ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reference:
    """An initial value that is an address: ``generic(table)+8``."""

    name: str
    offset: int = 0
    generic: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, parameter or register. ``type``: ``b32``; ``space``: ``global``, ``param``,
    ``reg``; ``count``: elements (0: an array whose size another module says, None: no array).
    """

    name: str
    space: str
    type: str
    line: int
    vector: int = 1
    count: int | None = None
    align: int = 0
    pointer: bool = False
    external: bool = False
    initial: tuple[int | Reference, ...] | None = None


# --- code ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Label:
    """Where a branch may go to."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """``opcode`` ``ld``, ``modifiers`` ``("global", "f32")``. ``guard``: the predicate under which
    it is executed, or under whose opposite.
    """

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    line: int
    place: Place | None = None
    guard: Name | Not | None = None

    @property
    def name(self) -> str:
        """``ld.global.f32``."""
        return ".".join((self.opcode, *self.modifiers))


Statement: TypeAlias = Label | Instruction


@dataclass(frozen=True, slots=True)
class Function:
    """An ``.entry`` or a ``.func``; ``body`` is None for a mere declaration.

    ``variables``: all that it declares, by their resolved names, registers included; ``families``:
    of registers, ``%r`` for ``.reg .b32 %r<10>``; ``tables``: labels of ``.branchtargets``.
    """

    name: str
    kernel: bool
    line: int
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    body: tuple[Statement, ...] | None
    variables: dict[str, Variable] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    external: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """``files``: names by their numbers; ``strings``: contents of debug sections by their labels;
    ``columns``: whether those in ``.loc`` are the accesses' own.
    """

    version: str
    target: str
    functions: tuple[Function, ...]
    variables: tuple[Variable, ...]
    files: dict[int, str]
    strings: dict[str, bytes]
    aliases: dict[str, str] = field(default_factory=dict)
    columns: bool = False
