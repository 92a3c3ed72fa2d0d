"""Calls of inline PTX (``asm``) in a module, as LLVM prints them, and their operands.

Limits: operands are registers and numbers; those in memory (``*m``) are not read.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from drano.ir.llvm_text import unescape

ASM_CALL: Final = re.compile(
    r"^  (?:(%\S+) = )?(?:tail |musttail |notail )?call (?:[a-z]+ )*?"
    r"(void|i\d+|half|bfloat|float|double|ptr|<\d+ x \w+>|\{[^{}]*\}) asm (?:sideeffect )?"
    r'"([^"]*)", "([^"]*)"\(([^\n]*?)\)(?: #\d+| convergent nounwind)?((?:, ![\w.]+ !\d+)*)$',
    re.MULTILINE,
)
"""Groups: the result's name, its type, template, constraints, arguments, metadata."""
_ATTRIBUTES: Final = re.compile(
    r" (?:noundef|nonnull|signext|zeroext|align \d+|nofpclass\([^()]*\))(?= )"
)
_DEBUG: Final = re.compile(r", !dbg !\d+")
_NUMBER: Final = re.compile(r"-?\d+")


class AsmCall(Struct, frozen=True):
    """``result``: its name, "" where there is none, of type ``type``; ``outputs``: constraints;
    ``inputs``: constraint, type and value of each.
    """

    result: str
    type: str
    template: str
    outputs: tuple[str, ...]
    inputs: tuple[tuple[str, str, str], ...]
    effect: bool
    place: str

    @property
    def types(self) -> list[str]:
        """Those of the outputs."""
        if self.type == "void":
            return []
        return split(self.type[1:-1]) if self.type.startswith("{") else [self.type]


def asm_call(found: re.Match[str]) -> AsmCall | None:
    """The call that ``ASM_CALL`` has found; None where its operands are not understood."""
    parts = [part for part in found[4].split(",") if part and part[0] != "~"]
    outputs = tuple(part for part in parts if part[0] == "=")
    given = [_ATTRIBUTES.sub("", argument) for argument in split(found[5])]
    if len(parts) - len(outputs) != len(given) or any("*" in part for part in parts):
        return None
    inputs = tuple(
        (constraint, *typed(argument))
        for constraint, argument in zip(parts[len(outputs) :], given, strict=True)
    )
    place = _DEBUG.search(found[6])
    call = AsmCall(
        found[1] or "", found[2], unescape(found[3]), outputs, inputs,
        " asm sideeffect " in found[0].partition('"')[0], place[0] if place else "",
    )  # fmt: skip
    return call if len(call.types) == len(outputs) else None


def typed(argument: str) -> tuple[str, str]:
    """Type and value; an address space is part of the type.

    >>> typed("ptr addrspace(1) %p"), typed("<2 x half> %h")
    (('ptr addrspace(1)', '%p'), ('<2 x half>', '%h'))
    """
    end = argument.find(">") if argument.startswith("<") else argument.find(" ") - 1
    if argument.startswith("ptr addrspace("):
        end = argument.find(")")
    return argument[: end + 1], argument[end + 1 :].strip()


def literal(value: str) -> int | None:
    """The integer that a value is, if it is one."""
    return int(value) if _NUMBER.fullmatch(value) else None


def split(text: str) -> list[str]:
    """``text`` at its commas that are in no bracket."""
    found, start, depth = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == "," and not depth:
            found.append(text[start:place].strip())
            start = place + 1
    rest = text[start:].strip()
    return [*found, rest] if rest or found else []
