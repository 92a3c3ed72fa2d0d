r"""String literals of Python, with the place of each character of what they mean.

Means: the text of an expression that consists of literals (one, or several side by side) is read
as the language reference has it (2.4.1): prefixes, quotes, escapes, and the fields of f-strings.
Limits: bytes are no text; a field may have no conversion, format or ``=`` of its own; what is read
is held against what Python's own parser says of it, by who calls.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from drano.embedded.traced import Traced, joined

_PREFIX = re.compile(r"([a-zA-Z]{0,2})('''|\"\"\"|'|\")")
_BETWEEN = re.compile(r"(?:[ \t\f]|\r\n|\n|\r|\\(?:\r\n|\n|\r)|#[^\r\n]*)*")
_SIMPLE = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
           "t": "\t", "v": "\v"}  # fmt: skip
_NUMBER = re.compile(
    r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^{}]+)\}"
)
_OPENING, _CLOSING = "([{", ")]}"

Field = Callable[[str, int], Traced]
"""What the expression of an f-string's field gives, from its text and its index."""


class NotReadError(Exception):
    """``str`` says why a text is not known."""


def read_literals(source: str, start: int, end: int, field: Field) -> Traced:
    """The text that literals between ``start`` and ``end`` of ``source`` mean.

    Raises NotReadError. The expressions of an f-string's fields are ``field``'s to evaluate.
    """
    parts: list[Traced] = []
    at = start
    while at < end:
        match = _PREFIX.match(source, at)
        if match is None:
            raise NotReadError("is more than string literals")
        prefix, quotes = match[1].lower(), match[2]
        if "b" in prefix or "t" in prefix:
            raise NotReadError("is no text")
        reader = _Literal(source, match.end(), quotes, "r" in prefix, field)
        parts.append(reader.read(formatted="f" in prefix))
        between = _BETWEEN.match(source, reader.at)
        at = between.end() if between else reader.at
    return joined(parts)


class _Literal:
    """One literal; ``at``: how far it has been read."""

    def __init__(self, source: str, at: int, quotes: str, raw: bool, field: Field) -> None:
        self.source, self.at, self.quotes, self.raw, self.field = source, at, quotes, raw, field
        self.chars: list[str] = []
        self.origins: list[int] = []
        self.parts: list[Traced] = []

    def read(self, *, formatted: bool) -> Traced:
        source = self.source
        while not source.startswith(self.quotes, self.at):
            if self.at >= len(source):
                raise NotReadError("is never closed")
            char = source[self.at]
            if char == "\\" and self.raw:
                self._keep(char, 1)
                if self.at < len(source):
                    self._plain()
            elif char == "\\":
                self._escape(formatted=formatted)
            elif formatted and char in "{}":
                self._brace(char)
            else:
                self._plain()
        self.at += len(self.quotes)
        self._flush()
        return joined(self.parts)

    def _keep(self, text: str, width: int) -> None:
        self.chars.append(text)
        self.origins.extend([self.at] * len(text))
        self.at += width

    def _plain(self) -> None:
        """A character; a line's end is LF, whichever it is in the file."""
        char = self.source[self.at]
        if char == "\r":
            self._keep("\n", 2 if self.source.startswith("\r\n", self.at) else 1)
        else:
            self._keep(char, 1)

    def _escape(self, *, formatted: bool) -> None:
        rest = self.source[self.at + 1 : self.at + 2]
        if rest in ("\n", "\r"):
            self.at += 3 if self.source.startswith("\r\n", self.at + 1) else 2
            return
        if rest in _SIMPLE:
            self._keep(_SIMPLE[rest], 2)
            return
        match = _NUMBER.match(self.source, self.at + 1)
        if match is None:
            self._keep("\\", 1)
            if not (formatted and rest in ("{", "}")):
                self._plain()
            return
        self._keep(_character(match), 1 + len(match[0]))

    def _brace(self, char: str) -> None:
        if self.source.startswith(char * 2, self.at):
            self._keep(char, 2)
            return
        if char == "}":
            raise NotReadError("has a '}' too many")
        end = self._field_end()
        inside = self.source[self.at + 1 : end]
        self._flush()
        self.parts.append(self.field(inside, self.at + 1))
        self.at = end + 1

    def _field_end(self) -> int:
        """Index of the brace that closes the one at ``at``."""
        depth = 0
        for place in range(self.at, len(self.source)):
            char = self.source[place]
            if char in "'\"\\#":
                raise NotReadError("has a field that is more than names and numbers")
            depth += (char in _OPENING) - (char in _CLOSING)
            if depth == 0:
                return place
        raise NotReadError("is never closed")

    def _flush(self) -> None:
        self.parts.append(Traced("".join(self.chars), tuple(self.origins)))
        self.chars, self.origins = [], []


def _character(match: re.Match[str]) -> str:
    by_two, by_four, by_eight, octal, name = match.groups()
    if name is not None:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise NotReadError(f"names no character: {name}") from None
    digits = by_two or by_four or by_eight
    value = int(digits, 16) if digits else int(octal, 8)
    if value > 0x10FFFF:
        raise NotReadError("has an escape beyond all characters")
    return chr(value)
