"""A PTX module as it is written: what the parser makes, and the translation reads.

Names are resolved: a register or label of an inner block that hides an outer one has a suffix that
no PTX name can have. Lines are those of the PTX text, counted from 1.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field


class PtxError(Exception):
    """The text is no PTX that is read here: ``line`` and ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


class Place(Struct, frozen=True):
    """A ``.loc``: file number, line, column, and the call that the code was inlined at.

    ``function``: label and offset of the inlined function's name in ``.debug_str``.
    """

    file: int
    line: int
    column: int
    function: tuple[str, int] = ("", 0)
    inlined_at: Place | None = None


# --- operands --------------------------------------------------------------------------------


class Name(Struct, frozen=True):
    """A register, a variable, a label, a special register (``%tid.x``); ``_`` for no result."""

    text: str


class Int(Struct, frozen=True):
    """A literal: of unsigned 64 bits, or negative."""

    value: int


class Float(Struct, frozen=True):
    """A literal of ``bits`` 32 or 64: its bit pattern."""

    pattern: int
    bits: int


class Not(Struct, frozen=True):
    """``!%p1``."""

    operand: Name


class Sum(Struct, frozen=True):
    """The address of a variable and a number: ``table+16``."""

    name: str
    offset: int


class Vector(Struct, frozen=True):
    """``{%f1, %f2}``."""

    parts: tuple[Operand, ...]


class Pair(Struct, frozen=True):
    """Two results: ``%r1|%p1``."""

    first: Operand
    second: Operand


class Address(Struct, frozen=True):
    """``[base+offset]``, with coordinates or a barrier behind it: ``[map, {x, y}]``."""

    base: Operand
    offset: int = 0
    more: tuple[Operand, ...] = ()


class Group(Struct, frozen=True):
    """Operands of a call: ``(%r1, %r2)``."""

    parts: tuple[Operand, ...]


Operand: TypeAlias = Name | Int | Float | Not | Sum | Vector | Pair | Address | Group

# --- declarations ----------------------------------------------------------------------------


class Reference(Struct, frozen=True):
    """An initial value that is an address: ``generic(table)+8``."""

    name: str
    offset: int = 0
    generic: bool = False


class Variable(Struct, frozen=True):
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


class Label(Struct, frozen=True):
    """Where a branch may go to."""

    name: str
    line: int


class Instruction(Struct, frozen=True):
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


class Function(Struct, frozen=True):
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


class Module(Struct, frozen=True):
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
