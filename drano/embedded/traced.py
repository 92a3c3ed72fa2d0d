"""Text that remembers where each of its characters stands in a Python source.

Means: a ``Traced`` is what an expression of strings gives, with the place that each character was
written at; ``-1`` for what stands nowhere. ``Lines`` turns places into lines and byte columns, and
``placed`` lays a text out so that most of it is where it stands in the Python source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

NOWHERE = -1
_LINE_END = re.compile(r"\r\n|\n|\r")


class Traced(Struct, frozen=True):
    """``origins``: of each character of ``text`` its index in the Python source."""

    text: str = ""
    origins: tuple[int, ...] = ()

    @classmethod
    def at(cls, text: str, origin: int) -> Traced:
        """``text`` that stands as a whole for what is at ``origin``."""
        return cls(text, (origin,) * len(text))

    def __add__(self, other: Traced) -> Traced:
        return Traced(self.text + other.text, self.origins + other.origins)

    @property
    def origin(self) -> int:
        """Where the first character stands that stands anywhere."""
        return next((origin for origin in self.origins if origin != NOWHERE), 0)

    def cut(self, start: int, end: int) -> Traced:
        """The part from ``start`` to ``end``."""
        return Traced(self.text[start:end], self.origins[start:end])


def joined(parts: Iterable[Traced]) -> Traced:
    """All parts, one behind the other, in linear time."""
    known = list(parts)
    text = "".join(part.text for part in known)
    return Traced(text, tuple(origin for part in known for origin in part.origins))


class Lines(Struct, frozen=True, dict=True):
    """Lines of a text as Python and clang count them: they end at LF, CR LF and CR."""

    source: str

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Index of each line's first character."""
        return (0, *(match.end() for match in _LINE_END.finditer(self.source)))

    def place(self, index: int) -> tuple[int, int]:
        r"""Line and byte column, from 1.

        >>> Lines("a\né = 1").place(4)
        (2, 4)
        """
        line = bisect_right(self.starts, index)
        head = self.source[self.starts[line - 1] : index]
        return line, _bytes(head) + 1

    def index(self, line: int, column: int) -> int:
        """Of a character, from its line (from 1) and its bytes before it on the line (from 0)."""
        start = self.starts[min(line, len(self.starts)) - 1]
        rest = self.source[start : start + column]
        if rest.isascii():
            return start + column
        head = rest.encode("utf-8", "surrogatepass")[:column]
        return start + len(head.decode("utf-8", "ignore"))


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class Segment(Struct, frozen=True):
    """Bytes of a line, from ``column`` on, that stand at ``line`` and ``at`` of the Python source;
    ``stays``: all of them stand at that one place.
    """

    column: int
    line: int
    at: int
    stays: bool = False


class Placed(Struct, frozen=True):
    """A text to compile. ``segments``: of each of its lines, None where places are those of the
    Python source already.
    """

    text: str
    segments: tuple[tuple[Segment, ...], ...] | None = None

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and column in the Python source. Unknown ones (0) stay unknown."""
        if self.segments is None or not 1 <= line <= len(self.segments):
            return line, column
        found = self.segments[line - 1]
        if not found:
            return line, column
        if column <= 0:
            return found[0].line, column
        last = max(bisect_right([part.column for part in found], column) - 1, 0)
        part = found[last]
        beyond = 0 if part.stays else max(column - part.column, 0)
        return part.line, part.at + beyond


def placed(traced: Traced, lines: Lines) -> Placed:
    """The text behind as many lines and blanks as its first character has before it."""
    first_line, first_column = lines.place(traced.origin)
    head = "\n" * (first_line - 1) + " " * (first_column - 1)
    segments: list[list[Segment]] = [[] for _ in range(first_line)]
    column, last, exact = first_column, NOWHERE - 1, True
    known: tuple[int, int] = (first_line, first_column)
    for char, origin in zip(traced.text, traced.origins, strict=True):
        if origin == last + 1 and segments[-1] and not segments[-1][-1].stays:
            pass  # goes on where the one before has ended
        elif origin == last and segments[-1]:
            if not segments[-1][-1].stays:
                segments[-1].append(Segment(column, *lines.place(origin), stays=True))
        else:
            known = lines.place(origin) if origin != NOWHERE else known
            segments[-1].append(Segment(column, *known))
        part = segments[-1][-1]
        exact = exact and not part.stays and (part.line, part.at) == (len(segments), part.column)
        last = origin
        column += _bytes(char)
        if char == "\n":
            segments.append([])
            column, last = 1, NOWHERE - 1
    text = head + traced.text
    if exact:
        return Placed(text)
    return Placed(text, tuple(map(tuple, segments)))
