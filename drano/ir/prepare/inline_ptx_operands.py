"""Operands, numbers and modifiers of one instruction of inline PTX, read strictly.

Means: text that is not exactly what PTX has here gives None, and so an ``asm`` that is left alone.
Limits: numbers are integers; constant expressions (``4+4``) are none.
"""

from __future__ import annotations

import re

_OPERAND = re.compile(r"\s*(\{[^{}\[\]]*\}|\[[^{}\[\],]*\]|[^,\s{}\[\]|]+)\s*(,|$)")
_NUMBER = re.compile(r"(-?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9]\d*))U?")
_BASES = (16, 2, 8, 10)
# How an access is ordered and cached: nothing of it decides where it goes, or what it is.
_HINTS = frozenset({
    "global", "weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio", "cta",
    "cluster", "gpu", "sys", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc",
})  # fmt: skip
_CACHES = ("L1::", "L2::")


def operands(text: str) -> list[str] | None:
    """The operands, braces and brackets kept together."""
    found = []
    place = 0
    while place < len(text):
        match = _OPERAND.match(text, place)
        if match is None or (match[2] == "," and match.end() == len(text)):
            return None
        found.append(match[1])
        place = match.end()
    return found


def number(token: str) -> int | None:
    """A literal: decimal, ``0x``, ``0b`` and octal ``0…`` ones."""
    match = _NUMBER.fullmatch(token)
    if match is None:
        return None
    digits = next(
        (base, text) for base, text in zip(_BASES, match.groups()[1:], strict=True) if text
    )
    value = int(digits[1], digits[0])
    return -value if match[1] else value


def plain_access(modifiers: list[str], operations: frozenset[str] = frozenset()) -> bool:
    """Whether an access with these modifiers, but for its type, is one of generic or global
    memory; ``operations``: of atomics.
    """
    return all(mod in _HINTS or mod in operations or mod.startswith(_CACHES) for mod in modifiers)
