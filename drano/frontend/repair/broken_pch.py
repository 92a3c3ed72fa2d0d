"""A precompiled header of a unit with errors, to be compiled all the same.

clang writes one with ``-fallow-pch-with-compiler-errors``, but whoever reads it inherits its one
bit "there were errors", and then makes no code of what is sound in it either. ``clear_error_mark``
clears that bit. It is the last flag of the record METADATA (ASTWriter.cpp, LLVM 22): four numbers
of 16 bits (the format's version, clang's version), flags of one bit each, and clang's repository
version as text, preceded by its length (vbr6) and aligned to 32 bits.

Assumptions: the caller has seen to it that no device function with errors is left. Limits: where
the record does not look just so (another clang), nothing is changed.
"""

from __future__ import annotations

import re
from pathlib import Path

_NUMBERS = 4
_FLAGS = 4  # relocatable, timestamps, made from a C++20 module unit, errors
_TEXT = re.compile(rb"\((?:https?|git)[^()\x00-\x1f]{8,200} [0-9a-f]{40}\)")


def clear_error_mark(path: Path, clang: tuple[int, int]) -> bool:
    """Clear the mark of errors in the file; False when the record is not found, or not just once.

    ``clang``: its (major, minor) version, which the record holds. Changes the file.
    """
    data = bytearray(path.read_bytes())
    marks = [
        mark
        for text in _TEXT.finditer(data)
        if text.start() % 4 == 0
        and (mark := _mark_before(data, text.start(), len(text[0]), clang)) is not None
    ]
    if len(marks) != 1:
        return False
    data[marks[0] // 8] &= ~(1 << marks[0] % 8) & 0xFF
    path.write_bytes(data)
    return True


def _mark_before(data: bytearray, start: int, length: int, clang: tuple[int, int]) -> int | None:
    """Bit of the last flag of the record whose text starts at byte ``start``."""
    first = max(0, start - 64)
    bits = int.from_bytes(data[first:start], "little")
    end = (start - first) * 8
    size = _vbr6(length)
    for gap in range(32):
        place = end - gap - len(size)
        flag = place - 1
        begin = place - _FLAGS - 16 * _NUMBERS
        if begin < 0:
            return None
        numbers = [(bits >> (begin + 16 * index)) & 0xFFFF for index in range(_NUMBERS)]
        padding = bits >> (end - gap)
        written = [(bits >> (place + index)) & 1 for index in range(len(size))]
        if numbers[2:] == list(clang) and written == size and padding == 0:
            return first * 8 + flag
    return None


def _vbr6(number: int) -> list[int]:
    """The bits of a number in chunks of six, the lowest first.

    >>> _vbr6(3)
    [1, 1, 0, 0, 0, 0]
    """
    bits: list[int] = []
    while True:
        rest = number >> 5
        chunk = number & 31 | (32 if rest else 0)
        bits += [(chunk >> index) & 1 for index in range(6)]
        number = rest
        if not rest:
            return bits
