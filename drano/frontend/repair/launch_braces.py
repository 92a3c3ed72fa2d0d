"""Launch shapes in braces: nvcc takes ``k<<<{8, 8}, {32, 4}>>>``, clang wants a type's name.

``named_shapes`` writes ``dim3`` before the braces of a launch's grid and block, and ``own_column``
leads from the columns of the longer lines back to the source's.
Limits: braces in macros, and behind template arguments with a comma, stay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from drano.frontend.repair.text_edits import Edit, edited
from drano.frontend.text.cpp_lexer import NOT_CODE, blanked, closing

Columns: TypeAlias = Mapping[int, Sequence[int]]
"""For a line, both from 1, where in it a type's name was written, in ascending order."""

_TYPE: Final = b"dim3"


def named_shapes(source: bytes) -> tuple[bytes, Columns]:
    """``source`` with ``k<<<dim3{8, 8}, 32>>>``, and where ``dim3`` is new; the same object where
    there is nothing to write.
    """
    if b"<<<" not in source or b"{" not in source:
        return source, {}
    places = sorted(set(_braces(blanked(source, NOT_CODE))))
    changed = edited(source, [Edit(place, place, _TYPE) for place in places])
    columns: dict[int, list[int]] = {}
    for written, place in enumerate(places):
        at = place + written * len(_TYPE)
        line = changed.count(b"\n", 0, at) + 1
        columns.setdefault(line, []).append(at - changed.rfind(b"\n", 0, at))
    return changed, columns


def own_column(columns: Columns, line: int, column: int) -> int:
    """The source's column of a place in the changed text."""
    return column - len(_TYPE) * bisect_left(columns.get(line, ()), column)


def _braces(code: bytes) -> Iterator[int]:
    """Offsets of the braces that stand for a grid or a block."""
    start = code.find(b"<<<")
    while start >= 0:
        yield from _of_launch(code, start + len(b"<<<"))
        start = code.find(b"<<<", start + len(b"<<<"))


def _of_launch(code: bytes, place: int) -> list[int]:
    found = []
    first, shape = True, 0
    while shape < 2:
        char = code[place : place + 1]
        if char == b"{" and first:
            found.append(place)
        first = first and char.isspace()
        if char in {b"(", b"[", b"{"}:
            behind = closing(code, place)
            if behind is None:
                return []
            place = behind
            continue
        if char == b",":
            first, shape = True, shape + 1
        elif code.startswith(b">>>", place):
            return found
        elif char in {b"", b";", b"}", b")"}:
            return []
        place += 1
    return found
