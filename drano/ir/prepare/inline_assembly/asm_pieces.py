"""One ``asm`` as a piece of PTX: its operands are registers, or numbers.

Means: what an ``asm`` takes and gives are the registers ``drano_i0`` … and ``drano_o0`` … of its
code; an operand that is a number stands in it. What is read and written (``+r``) is copied first.
Limits: operands in memory, and values that do not fit their registers.
"""

from __future__ import annotations

import re
from typing import Final

from drano.ir.prepare.inline_assembly.asm_calls import AsmCall, literal
from drano.ptx.fragments import Fragment, InPlace, fragment, signature
from drano.ptx.model import Instruction
from drano.ptx.operands import read
from drano.ptx.pointers import NUMBER
from drano.ptx.types import llvm_bits, type_bits

_OPERAND: Final = re.compile(r"\$(?:(\$)|(\d+)|\{(\d+):\w+\})")
_POINTER: Final = re.compile(r"ptr(?: addrspace\((\d+)\))?")
_TYPES: Final = {"r": "b32", "l": "b64", "h": "b16", "f": "f32", "d": "f64", "b": "pred",
                 "q": "b128"}  # fmt: skip
_BITS: Final = {"b32": 32, "b64": 64, "b16": 16, "f32": 32, "f64": 64, "pred": 1, "b128": 128}
_NARROW: Final = {"i8": 8, "i16": 16}
SECONDS: Final = 30.0
"""How long it may take to read all that are different."""


class StaysError(Exception):
    """The asm is to stay as it is."""


class AsmPiece:
    """One asm: its operands are registers ``drano_o0`` … and ``drano_i0`` …, or numbers."""

    def __init__(self, call: AsmCall) -> None:
        self.call = call
        self.results = [(f"drano_o{k}", _register(c)) for k, c in enumerate(call.outputs)]
        self.operands: list[tuple[str, str]] = []
        self.values: list[tuple[str, str]] = []  # type and value of each of them
        names = [name for name, _ in self.results]
        self.ties: list[tuple[int, str]] = []
        self.narrow: dict[str, int] = {}  # bits of values that fill a part of their register
        for constraint, type_, value in call.inputs:
            number = literal(value)
            tied = int(constraint) if constraint.isdecimal() else -1
            if tied >= len(self.results):
                raise StaysError
            register = self.results[tied][1] if tied >= 0 else _TYPES.get(constraint, "")
            if number is not None and (constraint in ("n", "i") or register in _BITS):
                names.append(str(number))
                if tied >= 0:
                    self.ties.append((tied, str(number)))
                continue
            name = f"drano_i{len(self.operands)}"
            if tied < 0 and type_ in _NARROW and _BITS.get(register, 0) > _NARROW[type_]:
                self.narrow[name] = _NARROW[type_]
                register = f"b{_NARROW[type_]}"
            elif register not in _BITS or not _fits(type_, register):
                raise StaysError
            names.append(name)
            self.operands.append((name, register))
            self.values.append((type_, value))
            if tied >= 0:
                self.ties.append((tied, name))
        for type_, (_, register) in zip(call.types, self.results, strict=True):
            if not _fits(type_, register):
                raise StaysError
        self.names = names
        self.spaces = {
            name: int(pointer[1] or 0)
            for (name, _), (type_, _) in zip(self.operands, self.values, strict=True)
            if (pointer := _POINTER.fullmatch(type_))
        }
        for (name, _), type_ in zip(self.results, call.types, strict=True):
            if not type_.startswith("ptr"):
                self.spaces[name] = NUMBER

    @property
    def key(self) -> object:
        """What its code depends on."""
        return (
            self.call.template, tuple(self.names), tuple(self.results), tuple(self.operands),
            tuple(self.ties), tuple(sorted(self.spaces.items())),
        )  # fmt: skip

    def fragment(self) -> Fragment:
        """Its code. PtxError if it is no PTX."""
        template = self.call.template.replace("${:uid}", "0")
        if "$(" in template or '"' in template:
            raise StaysError

        def named(found: re.Match[str]) -> str:
            if found[1]:
                return "$"
            number = int(found[2] or found[3])
            if number >= len(self.names):
                raise StaysError
            return self.names[number]

        moves = [f"mov.{self.results[k][1]} drano_o{k}, {value};" for k, value in self.ties]
        body = "\n".join([*moves, _OPERAND.sub(named, template)])
        found = fragment(body, self.results, self.operands, self.spaces, SECONDS)
        if any(self._widens(i) for i in found.body):
            raise StaysError
        return found

    def _widens(self, i: Instruction) -> bool:
        """Whether an instruction reads more of a register than was put into it."""
        narrow = [self.narrow[name] for name in read(i) if name in self.narrow]
        stored = type_bits(i.modifiers[-1]) if i.opcode == "st" and i.modifiers else 64
        return any(stored > bits for bits in narrow)

    def enter(self, site: InPlace) -> None:
        """What its registers hold at first."""
        for (name, _), (type_, value) in zip(self.operands, self.values, strict=True):
            site.given(name, value, type_)

    def leave(self, site: InPlace) -> None:
        """What it gives."""
        self._give(site, [site.register(name) for name, _ in self.results])

    def call_of(self, site: InPlace, name: str, found: Fragment) -> None:
        """The call of a function that does the same."""
        whole, kinds, taken = signature(found)
        given = [
            f"{kind} {site.as_type(value, type_, kind)}"
            for (type_, value), kind in zip(self.values, taken, strict=True)
        ]
        text = f"call {whole} @{name}({', '.join(given)})"
        if not kinds:
            site.do(text)
            return
        made = site.let(text)
        parts = [(made, whole)]
        if len(kinds) > 1:
            parts = [(site.let(f"extractvalue {whole} {made}, {k}"), kind)
                     for k, kind in enumerate(kinds)]  # fmt: skip
        self._give(site, parts)

    def _give(self, site: InPlace, parts: list[tuple[str, str]]) -> None:
        """Values of its results, as the call has them."""
        call = self.call
        if not call.result:
            return
        values = [
            site.as_type(value, have, type_)
            for (value, have), type_ in zip(parts, call.types, strict=True)
        ]
        total = values[0]
        if call.type.startswith("{"):
            total = "poison"
            for k, (type_, value) in enumerate(zip(call.types, values, strict=True)):
                total = site.let(f"insertvalue {call.type} {total}, {type_} {value}, {k}")
        head = f"  {total} = "
        if site.lines and site.lines[-1].startswith(head):
            site.lines[-1] = f"  {call.result} = {site.lines[-1].removeprefix(head)}"
        else:
            site.lines.append(f"  {call.result} = freeze {call.type} {total}{call.place}")


def _register(constraint: str) -> str:
    type_ = _TYPES.get(constraint.lstrip("=&"))
    if type_ is None:
        raise StaysError
    return type_


def _fits(type_: str, register: str) -> bool:
    """Whether a value of one of LLVM's types is passed in a register; an address of shared memory
    is also a number of 32 bits.
    """
    if _POINTER.fullmatch(type_):
        return register == "b64" or (register == "b32" and "(3)" in type_)
    try:
        return llvm_bits(type_) == _BITS[register]
    except (KeyError, ValueError):
        return False
