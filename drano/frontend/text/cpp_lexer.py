r"""The one lexer of C++ and CUDA text: its tokens, the text without some of them, its brackets.

Means: text is cut as [lex.phases] cuts it, but not preprocessed: comments, literals (raw ones too),
numbers with their separators, directives, names, and single marks. Places are offsets in bytes.
Lines end at LF, CR LF or CR; a backslash in front of that joins two.
Assumption: ASCII is the lower half of the encoding; all bytes above it are letters.
Limits: nothing is an error. A comment or raw string that is never closed reaches to the end of the
text, any other string to the end of its line; an apostrophe that none closes soon is a mark. Text
that an ``#if`` leaves out is read like all other text. Time is linear in the length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

LINE_END: Final = re.compile(rb"\r\n|\n|\r")
NAME: Final = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+")
_SHOWN = re.compile(rb"[^\r\n]+")
_JOINED = rb"\\(?:\r\n|.)"
_COMMENT = rb"//(?:" + _JOINED + rb"|[^\\\r\n])*+\\?|/\*.*?(?:\*/|\Z)"
_CHARACTER = rb"'(?:\\.|[^'\\\r\n]){1,16}'"
_SEPARATED = rb"\b\d[\w.]*+'\w(?:'?[\w.])*+"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|.)', re.M)
_DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?((?:[^\n\\]|\\\r?\n|\\.)*)", re.M | re.S
)
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}


class Kind(StrEnum):
    """What a token is."""

    COMMENT = "comment"
    STRING = "string"
    CHARACTER = "character"
    NUMBER = "number"
    DIRECTIVE = "directive"
    NAME = "name"
    MARK = "mark"


LITERALS: Final = frozenset({Kind.STRING, Kind.CHARACTER})
NOT_CODE: Final = LITERALS | {Kind.COMMENT, Kind.DIRECTIVE}
WORDS: Final = frozenset({Kind.NUMBER, Kind.NAME, Kind.MARK})


class Token(NamedTuple):
    """``text`` starts at ``start``."""

    kind: Kind
    text: bytes
    start: int

    @property
    def end(self) -> int:
        """Just behind it."""
        return self.start + len(self.text)


class Include(NamedTuple):
    """An ``#include`` at ``start``; ``name`` is empty where a macro gives it."""

    name: bytes
    angled: bool
    start: int


class Macro(NamedTuple):
    """A ``#define``; ``parameters`` with their parentheses, empty where it has none."""

    name: bytes
    parameters: bytes
    body: bytes


def tokens(text: bytes, kinds: Set[Kind], start: int = 0) -> Iterator[Token]:
    """The tokens of these kinds from the offset ``start`` on, which is in none.

    A directive is one token if it is asked for; else its parts are.

    >>> [token.text for token in tokens(b'f(1, "a)"); // x', WORDS | LITERALS)]
    [b'f', b'(', b'1', b',', b'"a)"', b')', b';']
    """
    for match in _pattern(frozenset(kinds)).finditer(text, start):
        kind = Kind(match.lastgroup or "")
        if kind in kinds:
            yield Token(kind, match[0], match.start())


def blanked(text: bytes, kinds: Set[Kind]) -> bytes:
    r"""The text with blanks for tokens of these kinds; all else keeps its place.

    >>> blanked(b'f("a"); // b\ng();', NOT_CODE)
    b'f(   );     \ng();'
    """

    def shown(match: re.Match[bytes]) -> bytes:
        return blank(match[0]) if match.lastgroup in kinds else match[0]

    return _pattern(frozenset(kinds)).sub(shown, text)


def blank(text: bytes) -> bytes:
    """As many blanks, and the line ends."""
    return _SHOWN.sub(lambda match: b" " * len(match[0]), text)


def identifiers(text: bytes) -> frozenset[bytes]:
    """All identifiers in the text, those in comments, literals and directives too."""
    return frozenset(NAME.findall(text))


def string_content(text: bytes) -> bytes:
    """What is between the quotes of a string, escapes as they stand.

    >>> string_content(b'"a"'), string_content(b'u8R"x(b)x"')
    (b'a', b'b')
    """
    prefix, _, content = text.partition(b'"')
    if prefix.endswith(b"R"):
        return content.partition(b"(")[2].rpartition(b")")[0]
    return content.removesuffix(b'"')


def closing(code: bytes, start: int) -> int | None:
    """Offset behind the bracket that closes the one at ``start``: in ``x[a[1]]`` from 1, 7.

    ``code`` has no brackets in comments and literals.
    """
    opened = code[start : start + 1]
    depth = 0
    for match in re.compile(b"[" + re.escape(opened + _PAIRS[opened]) + b"]").finditer(code, start):
        depth += 1 if match[0] == opened else -1
        if not depth:
            return match.end()
    return None


def statement_start(code: bytes, place: int) -> int:
    """Behind the semicolon or brace that ends what is before the statement at ``place``."""
    return 1 + max(code.rfind(mark, 0, place) for mark in (b";", b"{", b"}"))


def includes(text: bytes) -> Iterator[Include]:
    """What the text includes, under whatever condition."""
    for match in _INCLUDE.finditer(text):
        yield Include(match[1] or match[2] or b"", match[2] is not None, match.start())


def macros(text: bytes) -> Iterator[Macro]:
    """What the text defines, under whatever condition."""
    for match in _DEFINE.finditer(text):
        yield Macro(match[1], match[2] or b"", match[3])


def without_macros(text: bytes) -> bytes:
    """The text without what ``macros`` finds."""
    return _DEFINE.sub(b"", text)


@lru_cache(maxsize=16)
def _pattern(kinds: frozenset[Kind]) -> re.Pattern[bytes]:
    """Matches the tokens of these kinds, and others that may look as if they held some."""
    forms = [
        (Kind.COMMENT, _COMMENT),
        (Kind.STRING, _string(b"end")),
        (Kind.CHARACTER, _CHARACTER),
        # Where nobody asks for numbers, those with an apostrophe.
        (Kind.NUMBER, rb"\b\d(?:'?[\w.])*+" if Kind.NUMBER in kinds else _SEPARATED),
    ]
    if Kind.DIRECTIVE in kinds:
        parts = b"|".join((_COMMENT, _string(b"inner_end"), _CHARACTER, _JOINED, rb"[^\\\r\n]"))
        forms.append((Kind.DIRECTIVE, rb"^[ \t]*\#(?:" + parts + rb")*+"))
    if Kind.NAME in kinds:
        forms.append((Kind.NAME, NAME.pattern))
    if Kind.MARK in kinds:
        forms.append((Kind.MARK, rb"::|[^\s\w$\x80-\xff]"))
    return re.compile(
        b"|".join(b"(?P<%s>%s)" % (kind.encode(), form) for kind, form in forms), re.S | re.M
    )


def _string(end: bytes) -> bytes:
    """A string; ``end`` names the group of what ends a raw one."""
    raw = rb'\b(?:u8|[uUL])?R"(?P<%s>[^()\\\s"]{0,16})\(.*?(?:\)(?P=%s)"|\Z)' % (end, end)
    return raw + rb'|"(?:' + _JOINED + rb'|[^"\\\r\n])*+"?'
