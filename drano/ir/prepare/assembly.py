"""Inline PTX of several instructions with accesses among them, as functions that do the same.

Means: ``asm("{ .reg .u64 a; add.u64 a, %0, 4; ld.global.u32 %1, [a]; }")`` is the body of a PTX
function of its operands, translated like any other; the call of that function has the place of the
``asm``, and so have its accesses, once it is expanded.
Assumptions: the module as LLVM prints it.
Limits: an ``asm`` stays as it is where it is no PTX that is read, has an operand that is no number
or pointer, or adds with carry; so does a single access of global or generic memory, which others
know.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable
from typing import Final

from drano.ir.llvm_text import unescape
from drano.ir.prepare.inline_ptx import ASM_CALL, ATTRIBUTES
from drano.ptx.model import PtxError
from drano.ptx.module_text import translate

_PREFIX: Final = "drano.code."
_ACCESS = re.compile(r"\b(?:ld|ldu|st|atom|red)\.")
_OTHER_SPACE = re.compile(r"\b(?:ld|st|atom|red)\.[\w.:]*\b(?:shared|local|const)\b")
_CARRY = re.compile(r"\.cc\b|\b(?:addc|subc|madc)\.")
_OPERAND = re.compile(r"\$(?:(\$)|(\d+)|\{(\d+):\w+\})")
_PARTS: Final = {
    "r": "b32", "l": "b64", "h": "b16", "f": "f32", "d": "f64", "=r": "b32", "=l": "b64",
    "=h": "b16", "=f": "f32", "=d": "f64", "=&r": "b32", "=&l": "b64", "=&h": "b16",
    "=&f": "f32", "=&d": "f64",
}  # fmt: skip
_BITS: Final = {"i16": 16, "half": 16, "bfloat": 16, "i32": 32, "float": 32, "i64": 64,
                "double": 64, "ptr": 64}  # fmt: skip
_HEAD = re.compile(r"^define internal (.*?) @\"?[\w.]+\"?\((.*)\)[^{]*\{$", re.MULTILINE)
_FUNCTION = re.compile(r"^define internal .*?^\}$", re.MULTILINE | re.DOTALL)
_ATTACHED = re.compile(r"(?:,? !(?:dbg|llvm\.loop|invariant\.load) !\d+)| #\d+(?=[\s,]|$)")
_DECLARED = re.compile(r"^declare [^@\n]*@([\w.]+)\([^\n]*$", re.MULTILINE)
_SECONDS: Final = 10.0


class _StaysError(Exception):
    """The asm is to stay as it is."""


def with_assembly_as_code(text: str) -> str:
    """The module with such ``asm`` as calls; the same string where there is none."""
    if " asm " not in text:
        return text
    made: dict[tuple[str, str], tuple[str, str, list[str]] | None] = {}
    functions: list[str] = []
    declared: dict[str, str] = {}
    deadline = time.monotonic() + _SECONDS
    calls = itertools.count()

    def replaced(match: re.Match[str]) -> str:
        template, constraints = unescape(match[3]), match[4]
        if not _is_taken(template) or time.monotonic() > deadline:
            return match[0]
        try:
            asm = _Asm(match)
            key = (asm.body, constraints)
            if key not in made:
                made[key] = None
                name = f"{_PREFIX}{len(made)}"
                code = asm.code(name)
                functions.append(code)
                declared.update((m[1], m[0]) for m in _DECLARED.finditer(asm.module))
                head = _HEAD.search(code)
                assert head is not None
                made[key] = (name, head[1], [_kind(p) for p in _split(head[2])])
            known = made[key]
            if known is None:
                return match[0]
            return asm.call(next(calls), *known)
        except (_StaysError, PtxError):
            return match[0]

    changed = ASM_CALL.sub(replaced, text)
    if not functions:
        return text
    missing = [line for name, line in sorted(declared.items()) if f"@{name}(" not in changed]
    return "\n".join([changed, *missing, *functions, ""])


def _is_taken(template: str) -> bool:
    several = template.strip(" \t\n{};").count(";") > 0 or _OTHER_SPACE.search(template)
    return bool(several) and _ACCESS.search(template) is not None and not _CARRY.search(template)


class _Asm:
    """One asm. ``body``: its instructions, with the names of its operands."""

    def __init__(self, match: re.Match[str]) -> None:
        self.result, self.type, self.behind = match[1], match[2], match[6]
        parts = [part for part in match[4].split(",") if part and part[0] != "~"]
        self.outputs = [part for part in parts if part[0] == "="]
        given = [ATTRIBUTES.sub("", a.strip()) for a in match[5].split(",") if a.strip()]
        inputs = parts[len(self.outputs) :]
        if len(inputs) != len(given):
            raise _StaysError
        self.inputs: list[tuple[str, str, str]] = []  # constraint, type, value
        names = [f"drano_o{k}" for k in range(len(self.outputs))]
        self.ties: list[tuple[int, int]] = []
        for given_as, argument in zip(inputs, given, strict=True):
            constraint = given_as
            type_, _, value = argument.partition(" ")
            if constraint in ("n", "i") and re.fullmatch(r"-?\d+", value):
                names.append(value)
                continue
            if constraint.isdigit():
                self.ties.append((int(constraint), len(self.inputs)))
                constraint = self.outputs[int(constraint)].lstrip("=&")
            if type_ not in _BITS or constraint not in _PARTS:
                raise _StaysError
            names.append(f"drano_i{len(self.inputs)}")
            self.inputs.append((constraint, type_, value))
        if any(output not in _PARTS for output in self.outputs):
            raise _StaysError

        def named(found: re.Match[str]) -> str:
            if found[1]:
                return "$"
            number = int(found[2] or found[3])
            if number >= len(names):
                raise _StaysError
            return names[number]

        template = unescape(match[3]).replace("${:uid}", "0")
        if "$(" in template or '"' in template:
            raise _StaysError
        moves = [f"mov.{_PARTS[self.inputs[i][0]]} drano_o{o}, drano_i{i};" for o, i in self.ties]
        self.body = "\n".join([*moves, _OPERAND.sub(named, template)])
        self.module = ""

    def code(self, name: str) -> str:
        """The function as LLVM IR. PtxError if the body is no PTX."""
        results = ", ".join(f".reg .{_PARTS[o]} drano_o{k}" for k, o in enumerate(self.outputs))
        parameters = ", ".join(
            f".reg .{_PARTS[c]} drano_i{k}" for k, (c, _, _) in enumerate(self.inputs)
        )
        head = f".func {f'({results}) ' if results else ''}drano_code({parameters})"
        closing = "" if self.body.rstrip().endswith((";", "}")) else ";"
        self.module = translate(
            f".version 9.0\n.target sm_90\n.address_size 64\n{head}\n{{\n{self.body}{closing}\n"
            "ret;\n}\n",
            "inline PTX", _SECONDS,
        )  # fmt: skip
        found = _FUNCTION.search(self.module)
        if found is None:
            raise _StaysError
        plain = re.sub(
            r"(?:,? !(?:dbg|llvm\.loop|invariant\.load) !\d+)| #\d+(?=[\s,]|$)", "", found[0]
        )
        return plain.replace("@drano_code(", f"@{name}(", 1)

    def call(self, number: int, name: str, whole: str, kinds: list[str]) -> str:
        """What stands for the asm, the one of this ``number``."""
        lines: list[str] = []

        def let(expression: str) -> str:
            made = f"%drano.code.{number}.{len(lines)}"
            lines.append(f"  {made} = {expression}{self.behind}")
            return made

        values = [
            f"{kind} {_as(value, type_, kind, let)}"
            for (_, type_, value), kind in zip(self.inputs, kinds, strict=True)
        ]
        call = f"call {whole} @{name}({', '.join(values)})"
        if whole == "void" or self.result is None:
            lines.append(f"  {call}{self.behind}")
            return "\n".join(lines)
        found = let(call)
        made = _split(whole.strip("{} ")) if whole.startswith("{") else [whole]
        wanted = _split(self.type.strip("{} ")) if self.type.startswith("{") else [self.type]
        if len(made) != len(wanted):
            raise _StaysError
        total = "poison"
        for k, (have, want) in enumerate(zip(made, wanted, strict=True)):
            part = let(f"extractvalue {whole} {found}, {k}") if len(made) > 1 else found
            value = _as(part, have, want, let)
            if len(wanted) == 1:
                lines.append(f"  {self.result} = freeze {want} {value}{self.behind}")
                return "\n".join(lines)
            if k + 1 < len(wanted):
                total = let(f"insertvalue {self.type} {total}, {want} {value}, {k}")
            else:
                lines.append(
                    f"  {self.result} = insertvalue {self.type} {total}, {want} {value}, {k}"
                    f"{self.behind}"
                )
        return "\n".join(lines)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _kind(parameter: str) -> str:
    """The type of a parameter: ``ptr addrspace(1)`` of ``ptr addrspace(1) %drano_i0``."""
    return parameter.rpartition(" ")[0]


def _as(value: str, have: str, want: str, let: Callable[[str], str]) -> str:
    """A value in another type of its size."""
    if have == want:
        return value
    if have.startswith("ptr") and want.startswith("ptr"):
        return let(f"addrspacecast {have} {value} to {want}")
    if have.startswith("ptr"):
        return let(f"ptrtoint {have} {value} to {want}") if want == "i64" else _none()
    if want.startswith("ptr"):
        return let(f"inttoptr {have} {value} to {want}") if have == "i64" else _none()
    if _BITS.get(have) != _BITS.get(want):
        return _none()
    return let(f"bitcast {have} {value} to {want}")


def _none() -> str:
    raise _StaysError
