"""Which parts of host code with errors cannot be relied on.

Clang drops all or part of a statement with an error and goes on: ``threads = absent;`` leaves no
trace in the tree, and ``threads`` keeps its old value there. So each name in such a statement, and
in the macros and lambdas in it, stands for something unknown from then on: a variable may have been
assigned, a kernel launched, a function called. So does each name in a function that clang drops.
After a syntax error nothing in the function is relied on.

Limits: what a macro of a header that is not the user's names is not seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from drano.frontend.libclang import Kind, Node, is_constant, key
from drano.frontend.text.cpp_lexer import WORDS, identifiers, statement_start, tokens
from drano.host.function_bodies import VARIABLES, preorder
from drano.host.unit_functions import Function

_INITIALISED: Final = re.compile(rb"(?:[=,(\]]|\breturn)\s*\{\Z")
_GOES_ON: Final = frozenset({b";", b",", b")", b"(", b".", b"]", b"}"})
_HEADS: Final = frozenset(
    {b"if", b"for", b"while", b"switch", b"else", b"do", b"try", b"catch", b"struct", b"class",
     b"union", b"enum", b"namespace", b"extern"}
)  # fmt: skip
_BEFORE_BLOCKS: Final = frozenset(
    {b")", b"else", b"do", b"try", b"const", b"noexcept", b"override", b"final", b":"}
)
_SYNTAX = ("expected", "extraneous", "unterminated", "missing")


class Distrust(Struct, frozen=True):
    """``statements``: (file, offset, names) of statements with errors; ``broken``: (file, offset)
    of errors of syntax.
    """

    statements: tuple[tuple[str, int, frozenset[str]], ...] = ()
    broken: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """All names in statements with errors."""
        return frozenset().union(*(names for _, _, names in self.statements))

    def touches(self, cursor: Any) -> bool:
        """Whether there is an error in what a cursor spans."""
        places = [(file, offset) for file, offset, _ in self.statements]
        file, start, end = _span(cursor)
        return any(f == file and start <= at <= end for f, at in (*places, *self.broken))

    def variables(self, root: Node) -> frozenset[int]:
        """Variables of the function ``root`` that errors in it may have changed."""
        file, start, end = _span(root.cursor)
        if any(f == file and start <= at <= end for f, at in self.broken):
            return frozenset(key(cursor) for cursor in _variables(root))
        names = [names for f, at, names in self.statements if f == file and start <= at <= end]
        wanted = frozenset().union(*names)
        return frozenset(
            key(cursor) for cursor in _variables(root) if str(cursor.spelling) in wanted
        )


class Kept:
    """The places of the functions that clang keeps: what is in their bodies has a tree, as far as
    there is no error in the very statement.
    """

    def __init__(self, functions: Iterable[Function]) -> None:
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for function in functions:
            extent = function.cursor.extent
            own = self._spans.setdefault(str(extent.start.file.name), [])
            own.append((int(extent.start.offset), int(extent.end.offset)))

    def has(self, file: str, offset: int) -> bool:
        """Whether a place is in one of them."""
        return any(start <= offset <= end for start, end in self._spans.get(file, ()))


def distrust(
    errors: Sequence[tuple[str, int, str]],
    read: Callable[[str], bytes],
    kept: Kept,
    macros: Mapping[bytes, frozenset[bytes]],
) -> Distrust:
    """``errors``: (file, offset in bytes, message) of a unit; ``read`` gives a file's text;
    ``macros``: the names in each.
    """
    statements = []
    broken = []
    for file, offset, message in errors:
        if message.endswith("file not found"):
            continue
        around = identifiers(_statement(read(file), offset, whole=not kept.has(file, offset)))
        names = frozenset(map(os.fsdecode, _with_macros(around, macros)))
        statements.append((file, offset, names))
        if message.startswith(_SYNTAX):
            broken.append((file, offset))
    return Distrust(tuple(statements), tuple(broken))


def _with_macros(
    names: frozenset[bytes], macros: Mapping[bytes, frozenset[bytes]]
) -> frozenset[bytes]:
    found, waiting = set(names), list(names)
    while waiting:
        more = macros.get(waiting.pop(), frozenset()) - found
        found |= more
        waiting += more
    return frozenset(found)


def _statement(text: bytes, place: int, *, whole: bool) -> bytes:
    """The statement at a place: ``a = f([&] { b = 1; });``, or a statement's or a function's head;
    with what is in its braces if ``whole``.
    """
    start = statement_start(text, place)
    while _INITIALISED.search(text, max(0, start - 64), start):
        start = statement_start(text, start - 1)
    depth = 0
    before = first = b""
    end = start
    opened: list[bytes] = []  # what is before each parenthesis, for those of lambdas
    closed = block = False
    for token in tokens(text, WORDS, start):
        mark = token.text
        first = first or mark
        if closed and mark not in _GOES_ON:
            break
        closed = False
        if mark == b"{" and depth <= 0:
            heads = first in _HEADS or (before in _BEFORE_BLOCKS and not block)
            if heads and not whole and token.start >= place:
                return text[start : token.start]
        if mark in {b"(", b"[", b"{"}:
            opened.append(before)
            depth += 1
        elif mark in {b")", b"]", b"}"}:
            depth -= 1
            block = mark == b")" and bool(opened) and opened[-1] == b"]"
            opened = opened[:-1]
            closed = mark == b"}" and depth <= 0 and token.start >= place
            if mark == b"}" and depth < 0 and token.start >= place:
                return text[start : token.start]
        elif mark == b";" and depth <= 0 and token.start >= place:
            return text[start : token.start]
        before = mark
        end = token.end
    return text[start:end] if closed else text[start:]


def _span(cursor: Any) -> tuple[str, int, int]:
    """The file of what a cursor spans, "" for none, and the first and the last place."""
    extent = cursor.extent
    start = extent.start
    file = "" if start.file is None else str(start.file.name)
    return file, int(start.offset), int(extent.end.offset)


def _variables(root: Node) -> Iterable[Any]:
    """Variables that a function declares or uses, without the constant ones."""
    for node in preorder(root):
        if node.kind in {Kind.VAR, Kind.PARM}:
            declared = node.cursor
        elif node.kind == Kind.DECL_REF:
            declared = node.declared()
        else:
            continue
        if declared is not None and declared._kind_id in VARIABLES and not is_constant(declared):
            yield declared
