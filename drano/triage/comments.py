"""Comments that speak to drano: which findings they silence, and where.

    // drano: ignore[DRN001] reason            this line
    // drano: ignore-next-line[DRN001] reason  the next line of code
    // drano: ignore-start[DRN001] reason      until ignore-end (of the same rules)
    // drano: ignore-end[DRN001]
    // drano: ignore-file[DRN001] reason       the whole file
    // NOLINT(drano-DRN001)                    clang-tidy's words: also NOLINTNEXTLINE and
                                               NOLINTBEGIN … NOLINTEND

In Python sources after ``#``, and after ``//`` in the CUDA source of a string.

Rules are codes, prefixes of codes, or names, separated by commas; without brackets (``drano-*``)
all rules. A text is only read as far as telling comments from strings needs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from drano.embedded.markers import is_python
from drano.frontend.text.cpp_lexer import Kind, Token, tokens
from drano.triage.python_comments import python_comments

MAX_COMMENTS = 10_000
_QUICK = re.compile(rb"drano\s*:|NOLINT")
_OURS = re.compile(
    r"drano\s*:\s*ignore(-[a-z-]*)?(?:\s*\[([^\]\n]*)\])?[ \t:,-]*([^\n]*)", re.IGNORECASE
)
_NOLINT = re.compile(r"NOLINT(NEXTLINE|BEGIN|END)?\(([^)\n]*)\)[ \t:,-]*([^\n]*)")


class Scope(StrEnum):
    """What a comment silences."""

    LINE = ""
    NEXT_LINE = "-next-line"
    START = "-start"
    END = "-end"
    FILE = "-file"


_TIDY = {None: Scope.LINE, "NEXTLINE": Scope.NEXT_LINE, "BEGIN": Scope.START, "END": Scope.END}


class Directive(Struct, frozen=True):
    """One comment. ``scope``: None when its ``word`` is none of ours. ``first``..``last``:
    the lines it silences. ``codes``: as written, upper case for codes; empty: all rules.
    ``alone``: there is no code on its line. ``problem``: why it can do nothing, else "".
    """

    line: int
    column: int
    end_column: int
    word: str
    scope: Scope | None
    codes: tuple[str, ...]
    reason: str
    first: int
    last: int
    alone: bool
    problem: str = ""


def directives(content: bytes, path: str = "") -> tuple[Directive, ...]:
    """The comments of a file, in order, ranges closed. ``path``: tells which language it is."""
    if not _QUICK.search(content):
        return ()
    found: list[Directive] = []
    for directive in _single(content, path):
        if directive.scope is Scope.END:
            _close(found, directive)
        else:
            found.append(directive)
    last = content.count(b"\n") + 1
    return tuple(_ended(directive, last) for directive in found)


_OPEN = -1


def _close(found: list[Directive], end: Directive) -> None:
    """Close the latest open range of the same rules; a bare end closes the latest of all."""
    for position in range(len(found) - 1, -1, -1):
        start = found[position]
        if start.last == _OPEN and end.codes in ((), start.codes):
            found[position] = replace(start, last=end.line)
            return
    found.append(replace(end, problem="there is no open range to end here"))


def _ended(directive: Directive, last: int) -> Directive:
    if directive.last != _OPEN:
        return directive
    return replace(directive, last=last, problem="the range is never closed")


def _single(content: bytes, path: str) -> Iterator[Directive]:
    lines = _Lines(content)
    every = python_comments(content) if is_python(path) else tokens(content, {Kind.COMMENT})
    comments = list(every)
    spoken = [comment for comment in comments if _QUICK.search(comment.text)][:MAX_COMMENTS]
    code = _lines_of_code(content, comments) if spoken else ()
    for comment in spoken:
        for match, word, scope, codes, reason in _words(comment.text):
            # Offsets of text and bytes agree: the comment is decoded as Latin-1.
            line, column = lines.place(comment.start + match.start())
            first, last = _reach(scope, line, lines.count, code)
            yield Directive(
                line,
                column,
                column + len(match[0].rstrip()),
                word,
                scope,
                codes,
                reason,
                first,
                last,
                alone=line not in code[(at := bisect_left(code, line)) : at + 1],
                problem="" if scope is not None else f"unknown directive '{word}'",
            )


def _reach(scope: Scope | None, line: int, lines: int, code: Sequence[int]) -> tuple[int, int]:
    """First and last line that a comment silences."""
    if scope is Scope.FILE:
        return 1, lines
    if scope is Scope.START:
        return line, _OPEN
    if scope is Scope.NEXT_LINE:
        following = bisect_right(code, line)
        line = code[following] if following < len(code) else line
    return line, line


class _Lines:
    """Lines and columns of offsets, 1-based."""

    def __init__(self, content: bytes) -> None:
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", content))]

    @property
    def count(self) -> int:
        return len(self._starts)

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def _lines_of_code(content: bytes, comments: Sequence[Token]) -> tuple[int, ...]:
    """The lines that hold more than blanks and comments."""
    parts, position = [], 0
    for comment in comments:
        parts += [content[position : comment.start], b"\n" * comment.text.count(b"\n")]
        position = comment.end
    lines = b"".join([*parts, content[position:]]).split(b"\n")
    return tuple(number for number, text in enumerate(lines, start=1) if text.strip())


def _words(
    comment: bytes,
) -> Iterator[tuple[re.Match[str], str, Scope | None, tuple[str, ...], str]]:
    text = comment.decode("latin-1")
    for match in _OURS.finditer(text):
        word = (match[1] or "").lower()
        scope = next((scope for scope in Scope if scope == word), None)
        yield match, f"ignore{word}", scope, _codes(match[2]), _reason(match[3])
    for match in _NOLINT.finditer(text):
        ours = [c.strip()[6:] for c in match[2].split(",") if c.strip().startswith("drano-")]
        if ours:
            codes = () if "*" in ours else _codes(",".join(ours))
            word = f"NOLINT{match[1] or ''}"
            yield match, word, _TIDY[match[1]], codes, _reason(match[3])


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.strip().upper() for c in (text or "").split(",") if c.strip()))


def _reason(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace").removesuffix("*/").strip()
