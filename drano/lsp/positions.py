"""Places in a text: the compiler's byte columns, and the code units an editor counts.

The compiler counts 1-based bytes of UTF-8; LSP 0-based units of the encoding that client and
server agreed on (UTF-8, -16 or -32). Lines end as LSP and clang have it: LF, CR LF or CR, and at
nothing else (``str.splitlines`` also ends them at form feeds, which old sources are full of).

A position beyond a line's or the text's end means that end, as LSP says; one inside a character
means its start.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from drano.support.regular_files import regular_or_empty

_LINE_END = re.compile(r"\r\n|\n|\r")
_SURROGATES = re.compile("[\ud800-\udfff]")
_MAX_BYTES = 64 << 20
_MAX_COMPARED = 300


class Encoding(StrEnum):
    """What a unit of a client's columns is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def units(text: str, encoding: Encoding) -> int:
    """How many units ``text`` is long.

    >>> [units("né😀", encoding) for encoding in Encoding]
    [7, 4, 3]
    """
    if text.isascii() or encoding is Encoding.UTF32:
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def index_of_units(line: str, count: int, encoding: Encoding) -> int:
    """Index of the character that ``count`` units from the line's start lead to.

    >>> [index_of_units("é😀x", 3, encoding) for encoding in Encoding]
    [1, 2, 3]
    """
    if line.isascii() or encoding is Encoding.UTF32:
        return max(0, min(count, len(line)))
    size, codec = (1, "utf-8") if encoding is Encoding.UTF8 else (2, "utf-16-le")
    head = line.encode(codec, "surrogatepass")[: max(count, 0) * size]
    return len(head.decode(codec, "ignore"))


def index_of_column(line: str, column: int) -> int:
    """Index of the character at the compiler's byte ``column``; 0 for an unknown column (0).

    >>> index_of_column("/* é */ a[i]", 10)
    8
    """
    count = max(column - 1, 0)
    if line.isascii():
        return min(count, len(line))
    head = line.encode("utf-8", "surrogateescape")[:count]
    return len(head.decode("utf-8", "surrogateescape"))


class Text(Struct, frozen=True, dict=True):
    """The content of one file, at one moment."""

    source: str

    @classmethod
    def of_client(cls, source: str) -> Text:
        """Text that a client sent: lone surrogates, which no file can hold, are replaced."""
        return cls(_SURROGATES.sub("\ufffd", source))

    @classmethod
    def of_file(cls, path: str) -> Text:
        """The file's text, bytes that are not UTF-8 kept as such; empty when it cannot be read."""
        return cls(regular_or_empty(path, _MAX_BYTES).decode("utf-8", "surrogateescape"))

    @cached_property
    def starts(self) -> Sequence[int]:
        """Index of each line's first character; there is always a first line."""
        return (0, *(end.end() for end in _LINE_END.finditer(self.source)))

    def line(self, number: int) -> str:
        """Line ``number``, counted from 0, without its end; "" when there is none."""
        if not 0 <= number < len(self.starts):
            return ""
        last = number + 1 == len(self.starts)
        end = len(self.source) if last else self.starts[number + 1]
        return self.source[self.starts[number] : end].rstrip("\r\n")

    def offset(self, line: int, unit: int, encoding: Encoding) -> int:
        """Index in ``source`` of a client's position."""
        if line >= len(self.starts):
            return len(self.source)
        line = max(line, 0)
        return self.starts[line] + index_of_units(self.line(line), unit, encoding)

    def position(self, index: int, encoding: Encoding) -> tuple[int, int]:
        """Line and unit, from 0, of an index in ``source``: what ``offset`` takes back."""
        line = bisect_right(self.starts, index) - 1
        return line, units(self.source[self.starts[line] : index], encoding)

    def replaced(
        self, start: tuple[int, int], end: tuple[int, int], text: str, encoding: Encoding
    ) -> Text:
        """The text after a client's edit: what is between two positions became ``text``."""
        begin = self.offset(*start, encoding)
        stop = max(begin, self.offset(*end, encoding))
        return Text.of_client(self.source[:begin] + text + self.source[stop:])


def moved_lines(old: Text, new: Text) -> dict[int, int]:
    r"""Where the unchanged lines of ``old`` are in ``new``, 0-based.

    Between the first and the last change lines are matched where these are not too far apart.

    >>> moved_lines(Text("a\nb\nc"), Text("a\nx\ny\nc"))
    {0: 0, 2: 3}
    """
    ours = _LINE_END.split(old.source)
    theirs = _LINE_END.split(new.source)
    common = min(len(ours), len(theirs))
    head = 0
    while head < common and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < common - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    shift = len(theirs) - len(ours)
    moved = {line: line for line in range(head)}
    middle, other = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if max(len(middle), len(other)) <= _MAX_COMPARED:
        matcher = difflib.SequenceMatcher(None, middle, other, autojunk=False)
        for block in matcher.get_matching_blocks():
            moved.update((head + block.a + i, head + block.b + i) for i in range(block.size))
    moved.update((line, line + shift) for line in range(len(ours) - tail, len(ours)))
    return moved
