"""Lists in a precompiled header that clang would go through for each unit, to say nothing.

Means: at the end of a unit clang reads from the header each function that a warning may be about
(it is not used) and each device function whose errors wait until it is known to be called, with all
that they mention: more than half of the time that a small unit takes. The warnings are off, and of
the errors no header keeps more than the functions' names. Such a list is a record of LLVM's
bitstream; with a number that stands for nothing in its place, clang skips it.
Assumptions: the header holds no function that calls one which a unit defines. The numbers are those
of ``clang/Serialization/ASTBitCodes.h``, the same in all releases from LLVM 12 on.
Limits: a file of another form stays as it is.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"CPCH"
_AST_BLOCK = 8
_UNUSED_FUNCTIONS, _DEFERRED_ERRORS = 17, 64
_OTHERS = {_UNUSED_FUNCTIONS: 31, _DEFERRED_ERRORS: 992}
"""Numbers that no record has, and that take as many bits."""
_END, _BLOCK, _ABBREVIATION, _PLAIN = range(4)
_FIXED, _VARIABLE, _ARRAY, _CHARACTER, _BLOB = range(1, 6)
_WORD = 32
_PART, _MORE = 6, 32  # bits of a part of a number, and the one that says that others follow

_Operand = tuple[int, int]
"""Kind, 0 for a number that is not written, and width."""


def without_unread_lists(path: Path) -> None:
    """Have clang skip these lists of a precompiled header. Raises OSError."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        try:
            places = list(_lists(_Bits(data)))
        except (ValueError, IndexError):
            return
        for place, number in places:
            _write(data, place, number)


class _Bits:
    """A place in the file, in bits."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._end = data, len(data) * 8
        self.place = 0

    def fixed(self, width: int) -> int:
        """Raises ValueError behind the end."""
        if self.place + width > self._end:
            raise ValueError
        first = self.place >> 3
        word = int.from_bytes(self._data[first : first + 9], "little")
        value = word >> (self.place & 7) & ((1 << width) - 1)
        self.place += width
        return value

    def variable(self, width: int) -> int:
        value = shift = 0
        more = 1 << (width - 1)
        while (part := self.fixed(width)) & more:
            value |= (part & (more - 1)) << shift
            shift += width - 1
        return value | part << shift

    def align(self) -> None:
        self.place += -self.place % _WORD

    def skip(self, words: int) -> None:
        self.place += words * _WORD

    @property
    def at_end(self) -> bool:
        return self.place >= self._end


def _lists(bits: _Bits) -> Iterator[tuple[int, int]]:
    """Where the numbers of these lists are, and what else to write there."""
    if bits.fixed(_WORD) != int.from_bytes(_MAGIC, "little"):
        raise ValueError
    while not bits.at_end:
        if bits.fixed(2) != _BLOCK:
            raise ValueError
        block, width, words = _entered(bits)
        if block == _AST_BLOCK:
            yield from _lists_of_block(bits, width)
            return
        bits.skip(words)


def _entered(bits: _Bits) -> tuple[int, int, int]:
    """A block's number, the width of its abbreviations, and how many words it is long."""
    block, width = bits.variable(8), bits.variable(4)
    bits.align()
    return block, width, bits.fixed(_WORD)


def _lists_of_block(bits: _Bits, width: int) -> Iterator[tuple[int, int]]:
    forms: list[list[_Operand]] = []
    while (what := bits.fixed(width)) != _END:
        if what == _BLOCK:
            bits.skip(_entered(bits)[2])
        elif what == _ABBREVIATION:
            forms.append(list(_abbreviation(bits)))
        elif what == _PLAIN:
            place = bits.place
            number = bits.variable(_PART)
            for _ in range(bits.variable(_PART)):
                bits.variable(_PART)
            if number in _OTHERS:
                yield place, _OTHERS[number]
        else:
            _skip(bits, forms[what - _PLAIN - 1])


def _abbreviation(bits: _Bits) -> Iterator[_Operand]:
    for _ in range(bits.variable(5)):
        if bits.fixed(1):
            bits.variable(8)
            yield 0, 0
        else:
            kind = bits.fixed(3)
            yield kind, bits.variable(5) if kind in {_FIXED, _VARIABLE} else 0


def _skip(bits: _Bits, form: list[_Operand]) -> None:
    """A record of that form."""
    operands = iter(form)
    for kind, width in operands:
        if kind == _ARRAY:
            element = next(operands, (_BLOB, 0))
            for _ in range(bits.variable(_PART)):
                _skip_number(bits, *element)
        elif kind == _BLOB:
            size = bits.variable(_PART)
            bits.align()
            bits.place += 8 * size
            bits.align()
        else:
            _skip_number(bits, kind, width)


def _skip_number(bits: _Bits, kind: int, width: int) -> None:
    if kind == _FIXED:
        bits.place += width
    elif kind == _CHARACTER:
        bits.place += 6
    elif kind == _VARIABLE and width:
        bits.variable(width)
    elif kind:
        raise ValueError


def _write(data: mmap.mmap, place: int, number: int) -> None:
    """``number`` in parts, as many as it takes."""
    first = place >> 3
    word = int.from_bytes(data[first : first + 4], "little")
    shift = place & 7
    while True:
        part = number & (_MORE - 1)
        number >>= _PART - 1
        part |= _MORE if number else 0
        word = word & ~(((1 << _PART) - 1) << shift) | part << shift
        shift += _PART
        if not number:
            break
    data[first : first + 4] = word.to_bytes(4, "little")
