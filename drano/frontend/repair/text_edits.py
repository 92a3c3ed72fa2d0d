"""Changes of a source's text at places that clang names.

Lines stay where they are: a replacement has as many line breaks as what it replaces.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Edit(Struct, frozen=True):
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


def offset_of(source: bytes, line: int, column: int) -> int | None:
    """Offset of a place that clang names (both from 1); None where the text has no such place."""
    start = 0
    for _ in range(line - 1):
        start = source.find(b"\n", start) + 1
        if not start:
            return None
    offset = start + column - 1
    return offset if column > 0 and offset < len(source) else None
