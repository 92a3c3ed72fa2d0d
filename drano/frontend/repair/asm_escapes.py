"""Inline PTX as nvcc reads it: ``%laneid`` is a register, where clang wants ``%%laneid``.

Every ``%`` of an ``asm`` template that starts neither an operand (``%0``) nor ``%%`` gets a second
one. A blank behind a comma or semicolon of the same literal goes in its place, so that columns
stay; where there is none, the rest of the line moves by one.
An operand that an ``asm`` does not have becomes its first one: nvcc looks for it only where code is
made of that ``asm``, which it then refuses, so that it stands in branches that no instance takes.
Limits: literals that stand in the ``asm`` itself, or at a place that clang names.
"""

from __future__ import annotations

import re

from drano.frontend.repair.text_edits import Edit
from drano.frontend.text.cpp_lexer import Kind, tokens

REFUSED = "invalid % escape in inline assembly string"
NO_OPERAND = "invalid operand number in inline asm string"
_OPERAND = re.compile(rb"%[a-z]?(\d+)")
_ASM = re.compile(rb"\b(?:asm|__asm__|__asm)\b(?:\s|\\\n|\b(?:volatile|__volatile__|goto)\b)*\(")
_PARTS = frozenset({Kind.STRING, Kind.NAME, Kind.MARK, Kind.NUMBER})
_LONE = re.compile(rb"%(?:[%\d\[={}|]|(?=[A-Za-z_]))")
_SPARE = re.compile(rb"(?<=[,;]) (?=\S)")


def escaped(source: bytes, place: int) -> list[Edit]:
    """The edits for every ``asm`` of the source, or for the one ``%`` at the offset ``place``.

    clang names the sign itself, or the character behind it.
    """
    edits = _in_all_asm(source)
    signs = [p for p in (place, place - 1) if source[p : p + 1] == b"%"]
    if not signs or any(edit.start in signs for edit in edits):
        return edits
    return [*edits, Edit(signs[-1], signs[-1], b"%")]


def first_operand(source: bytes, place: int) -> Edit | None:
    """The edit for an operand that does not exist, of which ``place`` is the sign or a digit."""
    start = source.rfind(b"%", 0, place + 1)
    number = _OPERAND.match(source, start) if start >= 0 else None
    if number is None or place >= number.end() or not number[1].strip(b"0"):
        return None
    return Edit(number.start(1), number.end(1), b"0" * len(number[1]))


def _in_all_asm(source: bytes) -> list[Edit]:
    edits: list[Edit] = []
    for found in _ASM.finditer(source):
        for token in tokens(source, _PARTS, found.end()):
            if token.kind is Kind.STRING:
                edits += _literal(source, token.start, token.end)
            elif token.kind is not Kind.NAME and token.text != b"\\":
                break
    return edits


def _literal(source: bytes, start: int, end: int) -> list[Edit]:
    lone = [m.start() for m in _LONE.finditer(source, start, end) if m[0] == b"%"]
    spare = [match.start() for match in _SPARE.finditer(source, start, end)]
    edits: list[Edit] = []
    for place in lone:
        edits.append(Edit(place, place, b"%"))
        if spare:
            nearest = min(spare, key=lambda blank: abs(blank - place))
            spare.remove(nearest)
            edits.append(Edit(nearest, nearest + 1, b""))
    return edits
