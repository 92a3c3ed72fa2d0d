"""The words of LLVM's textual IR: tokens, names, types.

Means: ``Tokens`` is a cursor over the tokens of one printed line, commas dropped (no construct of
the language needs them); ``TypeTable`` gives the types of a module.
Assumptions: the text is LLVM's own printing of a valid module, on which its grammar is regular.
Limits: nesting deeper than ``MAX_DEPTH`` is refused; target extension types have no size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from drano.ir.model import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from drano.ir.type_layout import struct_type

MAX_DEPTH = 100

_TOKEN = re.compile(
    r'[%@!#c]?"[^"]*"'  # strings and quoted names
    r"|[%@!#$][-\w.$]+"  # names
    r"|-?\d[\w.]*(?:[-+]\d+)?"  # numbers of all kinds
    r"|[A-Za-z_][\w.]*|\.\.\."  # words
    r"|[()\[\]{}<>=|*]"
)
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")
_TYPE_DEFINITION = re.compile(r'^(%(?:"[^"]*"|[-\w.$]+)) = type (.*)$')

_INT_TYPES: dict[str, Type] = {f"i{bits}": IntType(bits) for bits in (1, 8, 16, 32, 64, 128)}
SIMPLE_TYPES: dict[str, Type] = _INT_TYPES | {
    "void": VoidType(),
    "metadata": VoidType(),
    "label": VoidType(),
    "token": VoidType(),
    "half": FloatType(16),
    "bfloat": FloatType(16),
    "float": FloatType(32),
    "double": FloatType(64),
    "fp128": FloatType(128),
    "ppc_fp128": FloatType(128),
    "x86_fp80": FloatType(80),
}


class TextError(Exception):
    """A line that this reader does not understand; the caller knows which file it is of."""


def function_spans(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the functions of a printed module begin, at their ``define``, and end."""
    start = 0
    for number, line in enumerate(lines):
        if line.startswith("define "):
            start = number
        elif line == "}":
            yield start, number


def tokenize(line: str) -> list[str]:
    """``'%x = add i32 %a, -1'`` gives ``['%x', '=', 'add', 'i32', '%a', '-1']``."""
    return _TOKEN.findall(line)


def unescape_bytes(text: str) -> bytes:
    r"""LLVM's escapes undone: ``a\22\\\\b`` is ``b'a"' + b"\\b"``."""
    data = text.encode()
    if b"\\" not in data:
        return data
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]), data)


def unescape(text: str) -> str:
    """The same as text; bytes that are no UTF-8 become replacement characters."""
    return text if "\\" not in text else unescape_bytes(text).decode("utf-8", "replace")


def bare_name(token: str) -> str:
    """The symbol behind ``%x``, ``@x``, ``@"a b"``."""
    name = token[1:]
    return unescape(name[1:-1]) if name.startswith('"') else name


class Tokens:
    """A cursor over the tokens of a line. Every method moves it past what it takes."""

    __slots__ = ("at", "depth", "items", "types")

    def __init__(self, types: TypeTable, items: list[str]) -> None:
        self.types = types
        self.items = items
        self.at = 0
        self.depth = 0

    def restart(self, items: list[str]) -> None:
        """Go on with the tokens of another line."""
        self.items = items
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """The next token, not taken; empty at the end of the line."""
        return self.items[self.at] if self.at < len(self.items) else ""

    def take(self) -> str:
        """The next token; TextError at the end of the line."""
        if self.at >= len(self.items):
            raise TextError("line ends early")
        self.at += 1
        return self.items[self.at - 1]

    def accept(self, token: str) -> bool:
        """Take the next token if it is ``token``."""
        if self.at < len(self.items) and self.items[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        """Take ``token``; TextError if something else comes."""
        if not self.accept(token):
            raise TextError(f"{token!r} expected, found {self.peek()!r}")

    def flags(self, known: frozenset[str]) -> set[str]:
        """Take words as long as they are ``known``."""
        found = set()
        while self.peek() in known:
            found.add(self.take())
        return found

    def skip_group(self) -> None:
        """Take a bracket and everything up to its partner."""
        depth = 0
        while True:
            token = self.take()
            if token in "([{<":
                depth += 1
            elif token in ")]}>":
                depth -= 1
            if depth <= 0:
                return

    def integer(self) -> int:
        """Take a decimal number."""
        token = self.take()
        try:
            return int(token)
        except ValueError:
            raise TextError(f"number expected, found {token[:40]!r}") from None

    def after(self, word: str, default: int) -> int:
        """The number that follows ``word`` further on in the line: ``align 4``."""
        try:
            return int(self.items[self.items.index(word, self.at) + 1])
        except (ValueError, IndexError):
            return default

    def at_type(self) -> bool:
        """Whether a type comes next."""
        token = self.peek()
        return (
            token in SIMPLE_TYPES
            or token in ("ptr", "target", "[", "{", "<")
            or token[:1] == "%"
            or (token[:1] == "i" and token[1:].isdigit())
        )

    def type(self) -> Type:
        """Take a type, and the parameter list of a function type after it is left alone."""
        token = self.take()
        simple = SIMPLE_TYPES.get(token)
        if simple is not None:
            return simple
        if token == "ptr":
            return self._pointer()
        if token[0] == "%":
            return self.types.named(token, self.depth)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TextError("types are nested too deeply")
        result = self._compound(token)
        self.depth -= 1
        return result

    def _pointer(self) -> Type:
        if self.peek() != "addrspace":
            return POINTER
        self.at += 1
        self.expect("(")
        space = self.integer()
        self.expect(")")
        return PointerType(space)

    def _compound(self, token: str) -> Type:
        if token == "[":
            return ArrayType(*self._sequence("]"))
        if token == "<":
            if not self.accept("{"):
                return VectorType(*self._sequence(">"))
            elements = self._elements()
            self.expect(">")
            return struct_type("", elements, packed=True)
        if token == "{":
            return struct_type("", self._elements())
        if token[0] == "i" and token[1:].isdigit():
            return IntType(int(token[1:]))
        if token == "target":
            self.skip_group()
            return StructType("target", (), (), 0, 1)
        raise TextError(f"unknown type {token[:40]!r}")

    def _sequence(self, closing: str) -> tuple[int, Type]:
        if self.peek() == "vscale":
            raise TextError("scalable vectors are unknown on this target")
        count = self.integer()
        self.expect("x")
        element = self.type()
        self.expect(closing)
        return count, element

    def _elements(self) -> tuple[Type, ...]:
        elements = []
        while not self.accept("}"):
            elements.append(self.type())
        return tuple(elements)


POINTER = PointerType(0)


class TypeTable:
    """The named struct types of a module, laid out when first asked for."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._texts: dict[str, str] = {}
        self._types: dict[str, StructType] = {}
        self._strings: dict[str, Type] = {}
        for line in lines:
            match = _TYPE_DEFINITION.match(line)
            if match:
                self._texts[match[1]] = match[2]

    def named(self, token: str, depth: int = 0) -> StructType:
        """The struct type printed as ``%struct.P``; empty and without size when opaque."""
        known = self._types.get(token)
        if known is not None:
            return known
        if depth > MAX_DEPTH:
            raise TextError("types are nested too deeply")
        tokens = Tokens(self, tokenize(self._texts.get(token, "opaque")))
        tokens.depth = depth + 1
        result = struct_type(bare_name(token), ())
        if tokens.peek() != "opaque":
            inner = tokens.type()
            if isinstance(inner, StructType):
                packed = tokens.items[0] == "<"
                result = struct_type(bare_name(token), inner.elements, packed=packed)
        self._types[token] = result
        return result

    def parse(self, text: str) -> Type:
        """The type printed as ``text``."""
        known = self._strings.get(text)
        if known is None:
            known = self._strings[text] = Tokens(self, tokenize(text)).type()
        return known

    def all(self) -> tuple[StructType, ...]:
        """Every named struct type that was asked for so far."""
        return tuple(self._types.values())
