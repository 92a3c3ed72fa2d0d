"""Changes of a source's text at places that clang names, and the search around such places.

Lines stay where they are: a replacement has as many line breaks as what it replaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NOT_CODE = re.compile(
    rb"""
    //[^\n]* | /\*.*?\*/
  | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_PRINTABLE = re.compile(rb"[^\n]")


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes from ``start`` up to ``end`` become ``text``."""

    start: int
    end: int
    text: bytes


def edited(source: bytes, edits: Iterable[Edit]) -> bytes:
    """``source`` with all edits made; of two that overlap the first in the text is made."""
    pieces: list[bytes] = []
    done = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start >= done:
            pieces += (source[done : edit.start], edit.text)
            done = edit.end
    return b"".join((*pieces, source[done:])) if pieces else source


def code_only(source: bytes) -> bytes:
    """``source`` with blanks for comments, literals and directives: all else keeps its place."""
    return _NOT_CODE.sub(lambda match: _PRINTABLE.sub(b" ", match[0]), source)


def offset_of(source: bytes, line: int, column: int) -> int | None:
    """Offset of a place that clang names (both from 1); None where the text has no such place."""
    start = 0
    for _ in range(line - 1):
        start = source.find(b"\n", start) + 1
        if not start:
            return None
    offset = start + column - 1
    return offset if column > 0 and offset < len(source) else None


def closing(code: bytes, start: int) -> int | None:
    """Offset behind the bracket that closes the one at ``start``: in ``x[a[1]]`` from 1, 7."""
    pairs = {b"(": b")", b"[": b"]", b"{": b"}"}
    opened, closed = code[start : start + 1], pairs[code[start : start + 1]]
    depth = 0
    for place in range(start, len(code)):
        char = code[place : place + 1]
        depth += (char == opened) - (char == closed)
        if not depth:
            return place + 1
    return None
