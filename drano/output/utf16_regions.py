"""Regions of source as machine formats want them: lines, and columns in UTF-16 code units.

A compiler's columns are bytes. SARIF, GitHub and language clients count UTF-16 code units, 1-based,
with the end column just behind the last character. A line that cannot be read any more has its
number only.
"""

from __future__ import annotations

from msgspec import Struct

from drano.model.span import Span
from drano.output.source_lines import Sources, extent

# Longer lines are generated code: their text would be the bulk of every report.
_MAX_TEXT = 400
_CONTEXT_LINES = 3


class Region(Struct, frozen=True):
    """One line's stretch of text. ``start``, ``end``: columns, 0 where not known; ``text``: what
    stands there, "" where it cannot be told or is too long to repeat.
    """

    line: int
    start: int = 0
    end: int = 0
    text: str = ""


class Context(Struct, frozen=True):
    """Whole lines around a region, ``first`` to ``last``."""

    first: int
    last: int
    text: str


def region(sources: Sources, span: Span, end_column: int = 0) -> Region:
    """The expression at ``span``: up to ``end_column`` (in bytes) where the caller knows it, else
    as far as the text tells; the whole line where the column is not known.
    """
    line = max(span.line, 1)
    raw = sources.line(span.path, line)
    if not raw.strip():
        return Region(line)
    begin = span.column - 1
    if not 0 <= begin < len(raw):
        begin, end = len(raw) - len(raw.lstrip()), len(raw.rstrip())
    elif end_column > span.column:
        end = min(end_column - 1, len(raw))
    else:
        end = min(begin + extent(raw[begin:]), len(raw))
    head, body = (part.decode("utf-8", "replace") for part in (raw[:begin], raw[begin:end]))
    start = 1 + units(head)
    text = body if len(body) <= _MAX_TEXT else ""
    return Region(line, start, start + units(body), text)


def context(sources: Sources, found: Region, path: str) -> Context | None:
    """The lines around ``found``; None where they say no more than the region itself."""
    first = max(found.line - _CONTEXT_LINES, 1)
    last = min(found.line + _CONTEXT_LINES, sources.length(path))
    lines = [sources.line(path, number) for number in range(first, last + 1)]
    if not found.text or len(lines) < 2 or any(len(line) > _MAX_TEXT for line in lines):
        return None
    return Context(first, last, "".join(line.decode("utf-8", "replace") + "\n" for line in lines))


def units(text: str) -> int:
    """Length in UTF-16 code units.

    >>> units("é"), units("𝛼")
    (1, 2)
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
