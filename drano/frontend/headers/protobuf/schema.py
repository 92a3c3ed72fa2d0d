"""What a ``.proto`` file declares: messages, enumerations, imports.

Source: the language specifications of proto2 and proto3. Options, services, extensions and numbers
that are reserved are passed over.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

_TOKEN: Final = re.compile(
    r"""(?P<no>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<word>\.?[A-Za-z_][\w.]*)|(?P<number>[+-]?\.?\d[\w.+-]*)|(?P<sign>.)""",
    re.DOTALL | re.ASCII,
)
_MOST_TOKENS: Final = 500_000
_DEEPEST: Final = 32
_LABELS: Final = frozenset({"optional", "required", "repeated"})
_PASSED_OVER: Final = frozenset(
    {"option", "reserved", "extensions", "extend", "service", "syntax", "edition"}
)


class NotProtoError(Exception):
    """A text is no ``.proto`` file that is understood."""


class Enumeration(Struct, frozen=True):
    """``values``: names and numbers."""

    name: str
    values: tuple[tuple[str, int], ...]


class Field(Struct, frozen=True):
    """``type``: as written; ``key``: of a map, its keys' type; ``oneof``: of which it is one."""

    name: str
    type: str
    number: int
    repeated: bool = False
    key: str = ""
    oneof: str = ""


class Message(Struct, frozen=True):
    """With what is declared in it."""

    name: str
    fields: tuple[Field, ...]
    messages: tuple[Message, ...]
    enums: tuple[Enumeration, ...]


class Schema(Struct, frozen=True):
    """One file. ``package``: as in ``a.b``; ``imports``: paths of other files."""

    package: str
    imports: tuple[str, ...]
    messages: tuple[Message, ...]
    enums: tuple[Enumeration, ...]


def schema_of(text: str) -> Schema:
    """What a file declares. Raises NotProtoError."""
    reader = _Reader(_tokens(text))
    package, imports = "", []
    messages: list[Message] = []
    enums: list[Enumeration] = []
    while word := reader.next():
        if word == "message":
            messages.append(reader.message(_DEEPEST))
        elif word == "enum":
            enums.append(reader.enumeration())
        elif word == "package":
            package = reader.next()
            reader.skip()
        elif word == "import":
            named = reader.next()
            imports.append((reader.next() if named in {"public", "weak"} else named)[1:-1])
            reader.skip()
        elif word in _PASSED_OVER:
            reader.skip()
        elif word != ";":
            raise NotProtoError(word)
    return Schema(package, tuple(imports), tuple(messages), tuple(enums))


def _tokens(text: str) -> list[str]:
    found = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "no":
            found.append(match[0])
            if len(found) > _MOST_TOKENS:
                raise NotProtoError("too long")
    return found


class _Reader:
    """Reads declarations from words; ``next`` gives "" at the end."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    def next(self) -> str:
        self._at += 1
        return self._words[self._at - 1] if self._at <= len(self._words) else ""

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def skip(self) -> None:
        """To the end of a statement, with the braces in it."""
        depth = 0
        while word := self.next():
            depth += (word == "{") - (word == "}")
            if depth <= 0 and word in {";", "}"}:
                return

    def message(self, deepest: int) -> Message:
        """From its name on."""
        return self._body(self.next(), deepest)

    def enumeration(self) -> Enumeration:
        """From its name on."""
        name, values = self.next(), []
        if self.next() != "{":
            raise NotProtoError(name)
        while (word := self.next()) != "}":
            if word in _PASSED_OVER:
                self.skip()
            elif word != ";":
                if self.next() != "=":
                    raise NotProtoError(word)
                values.append((word, self._number()))
                self._end_of_field()
        return Enumeration(name, tuple(values))

    def _body(self, name: str, deepest: int) -> Message:
        if self.next() != "{" or not deepest:
            raise NotProtoError(name)
        fields: list[Field] = []
        messages: list[Message] = []
        enums: list[Enumeration] = []
        oneof = ""
        while (word := self.next()) != "}" or oneof:
            if word == "}":
                oneof = ""
            elif word == "message":
                messages.append(self.message(deepest - 1))
            elif word == "enum":
                enums.append(self.enumeration())
            elif word == "oneof":
                oneof = self.next()
                self.next()
            elif word in _PASSED_OVER:
                self.skip()
            elif not word:
                raise NotProtoError(name)
            elif word != ";":
                fields.append(self._field(word, oneof, messages, deepest))
        return Message(name, tuple(fields), tuple(messages), tuple(enums))

    def _field(self, word: str, oneof: str, messages: list[Message], deepest: int) -> Field:
        """Its message, if it is a group, goes to ``messages``."""
        label = word if word in _LABELS else ""
        type_ = self.next() if label else word
        key = ""
        if type_ == "map" and self._peek() == "<":
            self.next()
            key, _, type_, _ = self.next(), self.next(), self.next(), self.next()
        name = self.next()
        if self.next() != "=":
            raise NotProtoError(name)
        number = self._number()
        if type_ == "group":
            messages.append(self._body(name, deepest - 1))
            type_, name = name, name.lower()
        else:
            self._end_of_field()
        return Field(name, type_, number, label == "repeated", key, oneof)

    def _end_of_field(self) -> None:
        """With options, which may hold a text with braces of its own."""
        if self._peek() != "[":
            self.skip()
            return
        depth = 0
        while word := self.next():
            depth += (word in {"[", "{"}) - (word in {"]", "}"})
            if word == ";" and depth <= 0:
                return

    def _number(self) -> int:
        word = self.next()
        try:
            return int(word if word != "-" else f"-{self.next()}", 0)
        except ValueError:
            raise NotProtoError(word) from None
