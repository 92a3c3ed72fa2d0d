"""Comments of a Python source, and those of the CUDA source in its strings.

Means: ``#`` outside of strings starts one, and what C++ takes for one within a string is one, too.
Limits: text is only read as far as telling comments from strings needs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from drano.frontend.text.cpp_lexer import Kind, Token, tokens

_START = re.compile(rb"#[^\r\n]*|'''|\"\"\"|'|\"")
_LONG = {quotes: re.compile(rb"(?:\\.|[^\\])*?" + quotes, re.S) for quotes in (b"'''", b'"""')}
_SHORT = {quote: re.compile(rb"(?:\\(?:\r\n|.)|[^\\\r\n" + quote + rb"])*+" + quote + rb"?", re.S)
          for quote in (b"'", b'"')}  # fmt: skip


def python_comments(content: bytes) -> Iterator[Token]:
    """Both kinds of comments, in order."""
    for start, end, is_string in _parts(content):
        if not is_string:
            yield Token(Kind.COMMENT, content[start:end], start)
            continue
        for token in tokens(content[start:end], {Kind.COMMENT}):
            yield Token(Kind.COMMENT, token.text, start + token.start)


def lines_within_strings(content: bytes) -> frozenset[int]:
    """Numbers, from 1, of the lines whose end is in a string."""
    ends = [match.start() for match in re.finditer(rb"\n", content)]
    found: set[int] = set()
    for start, end, is_string in _parts(content):
        if is_string:
            found.update(range(bisect_right(ends, start - 1) + 1, bisect_right(ends, end - 1) + 1))
    return frozenset(found)


def _parts(content: bytes) -> Iterator[tuple[int, int, bool]]:
    """Comments, and what is between the quotes of strings."""
    at = 0
    while True:
        match = _START.search(content, at)
        if match is None:
            return
        if match[0].startswith(b"#"):
            yield match.start(), match.end(), False
            at = match.end()
            continue
        form = _LONG.get(match[0]) or _SHORT[match[0]]
        whole = form.match(content, match.end())
        at = whole.end() if whole else len(content)
        closed = whole is not None and whole[0].endswith(match[0])
        yield match.end(), at - len(match[0]) if closed else at, True
