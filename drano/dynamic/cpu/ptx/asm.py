"""Inline PTX, as headers and programs use it, as LLVM IR: one function for each ``asm``.

Means: straight-line PTX is translated statement by statement; a register is an integer of its
width, which floating-point arithmetic casts. Known are the usual scalar instructions in their
integer, ``f16``, ``f16x2``, ``bf16``, ``f32`` and ``f64`` forms, the carry flag, loads and stores
with cache hints, and special registers.
Limits: labels, branches and unlisted instructions raise ``PtxError``: nothing is guessed. Rounding
is to nearest unless ``helpers.rounding`` has the instruction.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.helpers.definition import CONTEXT
from drano.dynamic.cpu.ptx.floats import PtxFloats
from drano.dynamic.cpu.ptx.images import PtxImages
from drano.dynamic.cpu.ptx.integers import PtxIntegers
from drano.dynamic.cpu.ptx.registers import FLOATS, PtxError, type_bits

_STATEMENT = re.compile(r"(?:@(!?)([\w$%]+)\s+)?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)", re.DOTALL)
_MEMORY = re.compile(r"\b(ld|st|atom|red|tex|suld|sust)\.")
_NOTHING = frozenset({"membar", "fence", "nanosleep", "prefetch", "prefetchu", "griddepcontrol"})


def is_effect(template: str, *, sideeffect: bool) -> bool:
    """Whether the asm does more than compute: memory, fences, what the program calls volatile."""
    return sideeffect or _MEMORY.search(template) is not None


def translate(name: str, template: str, constraints: str, result: str, arguments: list[str]) -> str:
    """The definition of ``@name`` for an ``asm`` with operands of these LLVM types."""
    return _Translator(constraints, result, arguments).function(name, template)


class _Translator(PtxFloats, PtxIntegers, PtxImages):
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
            or self._memory(opcode, mods, type_, ops)
        )
        if not handled:
            raise PtxError(text)

    def _data(self, opcode: str, mods: list[str], types: list[str], ops: list[str]) -> bool:
        type_ = types[-1]
        bits = type_bits(type_)
        match opcode:
            case "mov":
                self._write(ops[0], self._read(ops[1], type_), bits)
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

    # --- memory ------------------------------------------------------------------------------

    def _memory(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        if opcode not in ("ld", "st") or self.guard:
            return False
        count = next((int(mod[1:]) for mod in mods if mod in ("v2", "v4")), 1)
        bits = type_bits(type_)
        address = self._address(ops[0] if opcode == "st" else ops[1])
        values = ops[1] if opcode == "st" else ops[0]
        names = [v.strip() for v in values.strip("{} ").split(",")] if count > 1 else [values]
        for k, name in enumerate(names):
            at = self._set(f"getelementptr i8, ptr {address}, i64 {k * bits // 8}")
            if opcode == "ld":
                loaded = self._set(f"load i{bits}, ptr {at}, align 1")
                self._write(name, loaded, bits, signed=type_.startswith("s"))
            else:
                self.lines.append(f"store i{bits} {self._read(name, type_)}, ptr {at}, align 1")
        return True

    def _address(self, text: str) -> str:
        match = re.fullmatch(r"\[\s*([$\w%]+)\s*(?:\+\s*(-?\d+))?\s*\]", text.strip())
        if match is None:
            raise PtxError(f"address {text}")
        if self.widths.get(match[1], 64) != 64:
            raise PtxError("32-bit address")
        pointer = self._set(f"inttoptr i64 {self._read(match[1], 'b64')} to ptr")
        return self._set(f"getelementptr i8, ptr {pointer}, i64 {match[2] or 0}")


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
