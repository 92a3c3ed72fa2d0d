"""Inline PTX as LLVM's instructions, before all passes, by the table that PTX is translated with.

Means: ``asm("ld.global.cs.f32 %0, [%1];" …)`` becomes a load, ``shfl.sync``, ``bar.sync``, special
registers, ``red`` and ``atom`` the intrinsics and atomics that CUDA's own functions give. So the
analyses see the access, the lane or the barrier, and a run executes it as any other. Where the
``asm`` jumps, or accesses memory under a predicate (``@$2 ld.global.b32 …``, as Triton and CUTLASS
write their accesses), it becomes a call of a function, which is expanded like any other. An access
of an ``asm`` that is ``volatile`` is one request, whatever is beside it.
Assumptions: the module as LLVM prints it.
Limits: what the table does not know stays, and so does what ptxas would not take. An instruction
that is not known, and does more than compute, is taken out of its ``asm`` only if an access is
known beside it, or for a run.
"""

from __future__ import annotations

import hashlib
import re
import time
from typing import Final

from drano.ir.llvm_text import unescape
from drano.ir.prepare.asm_calls import ASM_CALL, AsmCall, asm_call, literal
from drano.ir.prepare.inline_ptx_ends import call_of, may_end, with_definitions
from drano.ir.target import AddressSpace
from drano.ptx.fragments import (
    BranchesError,
    Fragment,
    InPlace,
    as_function,
    fragment,
    signature,
)
from drano.ptx.model import Instruction, PtxError
from drano.ptx.pointers import NUMBER
from drano.ptx.types import llvm_bits
from drano.ptx.writer import Shared, UnknownError

_VALUE: Final = "drano.ptx."
_MADE: Final = re.compile(r"%drano\.ptx\.(\d+)\.")
_FUNCTION: Final = "drano_code_"
_OPERAND: Final = re.compile(r"\$(?:(\$)|(\d+)|\{(\d+):\w+\})")
_POINTER: Final = re.compile(r"ptr(?: addrspace\((\d+)\))?")
_TYPES: Final = {"r": "b32", "l": "b64", "h": "b16", "f": "f32", "d": "f64", "b": "pred",
                 "q": "b128"}  # fmt: skip
_BITS: Final = {"b32": 32, "b64": 64, "b16": 16, "f32": 32, "f64": 64, "pred": 1, "b128": 128}
_FOREIGN_CARRY: Final = re.compile(r"\b(?:addc|subc|madc)\.")
_DEFINED: Final = re.compile(r"^(?:declare|define) [^@\n]*@([-\w.$]+)\(", re.MULTILINE)
_SECONDS: Final = 10.0
_SPACES = {
    "shared": AddressSpace.SHARED, "global": AddressSpace.GLOBAL,
    "constant": AddressSpace.CONSTANT, "local": AddressSpace.LOCAL,
}  # fmt: skip
_CONVERSION = re.compile(
    r"^  (%[-\w.$]+) = (?:tail )?call [^@\n]*@__nv_cvta_(generic|shared|global|constant|local)_to_"
    r"(generic|shared|global|constant|local)_impl\((?:ptr|i64)(?: [a-z]+)* (%[-\w.$]+)\)"
    r"(?: #\d+)?((?:, ![\w.]+ !\d+)*)$",
    re.MULTILINE,
)


class _StaysError(Exception):
    """The asm is to stay as it is."""


def without_inline_ptx(text: str, *, executed: bool = False) -> str:
    """The module with such ``asm`` replaced; the same string where there is none. ``executed``: an
    instruction that is not known is taken out, too, so that each one can be run.
    """
    if "@__nv_cvta_" in text:
        text = _CONVERSION.sub(_converted, text)
    if " asm " not in text:
        return text
    module = _Module(text, executed=executed)
    changed = ASM_CALL.sub(module.replaced, text)
    return module.whole(changed) if module.count > module.first else text


def _converted(match: re.Match[str]) -> str:
    """A pointer as a number of one space, or such a number as a generic pointer: what nvcc knows
    by the name of a function.
    """
    result, source, target, value, behind = match.groups()
    space = _SPACES[source if target == "generic" else target]
    if target == "generic":
        lines = (
            f"{result}.of = inttoptr i64 {value} to ptr addrspace({space})",
            f"{result} = addrspacecast ptr addrspace({space}) {result}.of to ptr",
        )
    else:
        lines = (
            f"{result}.in = addrspacecast ptr {value} to ptr addrspace({space})",
            f"{result} = ptrtoint ptr addrspace({space}) {result}.in to i64",
        )
    return "\n".join(f"  {line}{behind}" for line in lines)


class _Module:
    """What is common to the asm of a module. ``count``: of replacements."""

    def __init__(self, text: str, *, executed: bool) -> None:
        self.text = text
        self.executed = executed
        self.count = max(map(int, _MADE.findall(text)), default=-1) + 1
        self.first = self.count
        self.declared: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.deadline = time.monotonic() + _SECONDS
        self.known: dict[object, Fragment | None] = {}
        self.written: dict[object, str | None] = {}
        self._carries: bool | None = None

    def replaced(self, match: re.Match[str]) -> str:
        """What stands for the asm of a match."""
        call = asm_call(match)
        try:
            if call is None or time.monotonic() > self.deadline:
                raise _StaysError
            lines = self._lines(call)
        except (_StaysError, PtxError, UnknownError):
            ending = f"\n  {call_of('may')}"
            if not may_end(unescape(match[3])) or self.text.startswith(ending, match.end()):
                return match[0]
            lines = [match[0], f"{ending.strip()}{call.place if call else ''}"]
            lines[1] = f"  {lines[1]}"
        self.count += 1
        return "\n".join(lines)

    def whole(self, changed: str) -> str:
        """The module with what the replacements need."""
        there = {match[1] for match in _DEFINED.finditer(self.text)}
        lines = [line for name, line in sorted(self.declared.items()) if name not in there]
        lines += [code for name, code in self.functions.items() if name not in there]
        return with_definitions("\n".join([changed, *lines, ""]) if lines else changed)

    def _lines(self, call: AsmCall) -> list[str]:
        asm = _Asm(call)
        key = asm.key
        if key not in self.known:
            self.known[key] = None
            self.known[key] = asm.fragment()
        found = self.known[key]
        if found is None or len(found.body) == len(asm.ties):
            raise _StaysError
        if found.carries and self._carries_between():
            raise _StaysError
        shared = Shared({}, {}, foreign=True, volatile=call.effect)
        site = InPlace(shared, found, f"{_VALUE}{self.count}.", call.place)
        try:
            asm.enter(site)
            site.write(found.body)
            if len(found.function.body or ()) != len(found.body):
                raise BranchesError  # labels
            self._check(found, site.left, site.lines)
            asm.leave(site)
        except BranchesError:
            site = InPlace(shared, found, f"{_VALUE}{self.count}.", call.place)
            self._call(asm, found, site)
        self.declared.update(shared.declared)
        return site.lines

    def _check(self, found: Fragment, left: list[Instruction], lines: list[str]) -> None:
        """Raises _StaysError where nothing is gained."""
        if not found.is_gain(left, executed=self.executed) or any("drano_" in s for s in lines):
            raise _StaysError

    def _call(self, asm: _Asm, found: Fragment, site: InPlace) -> None:
        """A call of a function of its own."""
        key = (asm.key, asm.call.effect)
        if key not in self.written:
            self.written[key] = None
            digest = hashlib.sha256(repr(key).encode()).hexdigest()[:12]
            lines, text = as_function(found, site.shared, f"{_FUNCTION}{digest}")
            self._check(found, text.w.left, [])
            self.written[key] = f"{_FUNCTION}{digest}"
            self.functions[f"{_FUNCTION}{digest}"] = "\n".join(lines)
        name = self.written[key]
        if name is None:
            raise _StaysError
        asm.call_of(site, name, found)

    def _carries_between(self) -> bool:
        """Whether an asm of the module reads a carry that another one may have set."""
        if self._carries is None:
            self._carries = False
            for match in ASM_CALL.finditer(self.text):
                if not _FOREIGN_CARRY.search(match[3]):
                    continue
                call = asm_call(match)
                try:
                    piece = _Asm(call).fragment() if call else None
                except (PtxError, _StaysError):
                    piece = None
                self._carries |= piece is None or piece.takes_carry
        return self._carries


class _Asm:
    """One asm: its operands are registers ``drano_o0`` … and ``drano_i0`` …, or numbers."""

    def __init__(self, call: AsmCall) -> None:
        self.call = call
        self.results = [(f"drano_o{k}", _register(c)) for k, c in enumerate(call.outputs)]
        self.operands: list[tuple[str, str]] = []
        self.values: list[tuple[str, str]] = []  # type and value of each of them
        names = [name for name, _ in self.results]
        self.ties: list[tuple[int, str]] = []
        for constraint, type_, value in call.inputs:
            number = literal(value)
            tied = int(constraint) if constraint.isdecimal() else -1
            if tied >= len(self.results):
                raise _StaysError
            register = self.results[tied][1] if tied >= 0 else _TYPES.get(constraint, "")
            if number is not None and (constraint in ("n", "i") or register in _BITS):
                names.append(str(number))
                if tied >= 0:
                    self.ties.append((tied, str(number)))
                continue
            if register not in _BITS or not _fits(type_, register):
                raise _StaysError
            name = f"drano_i{len(self.operands)}"
            names.append(name)
            self.operands.append((name, register))
            self.values.append((type_, value))
            if tied >= 0:
                self.ties.append((tied, name))
        for type_, (_, register) in zip(call.types, self.results, strict=True):
            if not _fits(type_, register):
                raise _StaysError
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
            raise _StaysError

        def named(found: re.Match[str]) -> str:
            if found[1]:
                return "$"
            number = int(found[2] or found[3])
            if number >= len(self.names):
                raise _StaysError
            return self.names[number]

        moves = [f"mov.{self.results[k][1]} drano_o{k}, {value};" for k, value in self.ties]
        body = "\n".join([*moves, _OPERAND.sub(named, template)])
        return fragment(body, self.results, self.operands, self.spaces, _SECONDS)

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
        raise _StaysError
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
