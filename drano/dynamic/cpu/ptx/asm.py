"""Inline PTX, as headers and programs use it, as LLVM IR: one function for each ``asm``.

Means: straight-line PTX is translated statement by statement; a register is an integer of its
width, which floating-point arithmetic casts. Known are the usual scalar instructions in their
integer, ``f16``, ``f16x2``, ``bf16``, ``f32`` and ``f64`` forms, the carry flag, barriers in shared
memory, and special registers.
Limits: labels, branches, accesses (which ``drano.ptx`` translates, so that they are counted) and
unlisted instructions raise ``PtxError``: nothing is guessed. Rounding is to nearest unless
``helpers.rounding`` has the instruction.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.definition import CONTEXT
from drano.dynamic.cpu.ptx.barriers import PtxBarriers
from drano.dynamic.cpu.ptx.floats import PtxFloats
from drano.dynamic.cpu.ptx.images import PtxImages
from drano.dynamic.cpu.ptx.integers import PtxIntegers
from drano.dynamic.cpu.ptx.registers import FLOATS, PtxError, type_bits

_STATEMENT = re.compile(r"(?:@(!?)([\w$%]+)\s+)?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)", re.DOTALL)
_MEMORY = re.compile(r"\b(ld|st|atom|red|tex|suld|sust|mbarrier|cp)\.")
_NOTHING = frozenset({"membar", "fence", "nanosleep", "prefetch", "prefetchu", "griddepcontrol"})


def is_effect(template: str, *, sideeffect: bool) -> bool:
    """Whether the asm does more than compute: memory, fences, what the program calls volatile."""
    return sideeffect or _MEMORY.search(template) is not None


def translate(name: str, template: str, constraints: str, result: str, arguments: list[str]) -> str:
    """The definition of ``@name`` for an ``asm`` with operands of these LLVM types."""
    return _Translator(constraints, result, arguments).function(name, template)


class _Translator(PtxFloats, PtxIntegers, PtxImages, PtxBarriers):
    """Translates one asm; used once."""

    def function(self, name: str, template: str) -> str:
        """The whole definition."""
        text = re.sub(r"//[^\n]*", "", template).replace("$$", "%%")
        for statement in text.split(";"):
            self._statement(statement.strip())
        parameters = ", ".join([CONTEXT, *(f"{t} %a{k}" for k, t in enumerate(self.arguments))])
        self._return()
        body = "\n".join(f"  {line}" for line in self.lines)
        return (
            f"define internal {self.result} @{name}({parameters}) alwaysinline nounwind {{\n"
            f"{body}\n}}\n"
        )

    def _statement(self, text: str) -> None:
        while text.startswith("{"):
            text = text[1:].strip()
        if text in ("", "}", "}}"):
            return
        self.guard = ""
        if text.startswith(".reg"):
            words = text.removeprefix(".reg").strip().split(None, 1)
            for register in words[1].split(","):
                self.widths[register.strip()] = type_bits(words[0].lstrip("."))
            return
        match = _STATEMENT.fullmatch(text)
        if match is None:
            raise PtxError(text)
        negated, predicate, opcode, modifiers, rest = match.groups()
        if predicate:
            self.guard = self._read(predicate, "pred")
            if negated:
                self.guard = self._set(f"xor i1 {self.guard}, true")
        mods = modifiers.lstrip(".").split(".") if modifiers else []
        operands = _split(rest.rstrip("} ") if rest.count("}") > rest.count("{") else rest)
        self._execute(opcode, mods, operands, text)

    def _execute(self, opcode: str, mods: list[str], ops: list[str], text: str) -> None:
        if opcode in _NOTHING:
            self.lines.append("fence seq_cst")
            return
        if opcode == "mbarrier":
            self._barrier(mods, ops)
            return
        if opcode == "cp":
            self._arrive_behind_copies(mods, ops)
            return
        types = [
            mod for mod in mods if re.fullmatch(r"(?:[subf]\d+|b?f16x2|bf16|bf16x2|pred)", mod)
        ]
        if not types:
            raise PtxError(text)
        type_ = types[-1]
        if opcode in ("tex", "suld", "sust") and not self.guard:
            self._image(opcode, mods, ops)
            return
        handled = (
            self._data(opcode, mods, types, ops)
            or (type_ in FLOATS and self._arithmetic_float(opcode, mods, type_, ops))
            or (type_ not in FLOATS and self._arithmetic_int(opcode, mods, type_, ops))
        )
        if not handled:
            raise PtxError(text)

    def _data(self, opcode: str, mods: list[str], types: list[str], ops: list[str]) -> bool:
        type_ = types[-1]
        bits = type_bits(type_)
        match opcode:
            case "mov":
                self._write(ops[0], self._read(ops[1], type_), bits)
            case "cvt" if "tf32" in mods and mods[-1] == "f32" and len(ops) == 2:
                self._round_to_tf32(mods, ops)
            case "cvt" if len(types) < 2:
                return False
            case "cvt":
                self._convert(mods, types[0], types[1], ops)
            case "selp":
                condition = self._read(ops[3], "pred")
                a, b = self._read(ops[1], type_), self._read(ops[2], type_)
                self._write(
                    ops[0], self._set(f"select i1 {condition}, i{bits} {a}, i{bits} {b}"), bits
                )
            case "setp" | "set":
                self._compare(opcode, mods, types, ops)
            case _:
                return False
        return True


def _split(text: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]
