"""Calls and launches in the text of a unit, with the places of their arguments.

Means: what comments, literals and directives hold is no code. Where a macro launches kernels, or
the text asks the runtime library to, ``launches`` gives nothing.
Limits: brackets have to pair in the text as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from drano.fix.source_tree import Tree
from drano.frontend.text.cpp_lexer import NOT_CODE, blanked, closing, macros

_LAUNCH: Final = re.compile(rb">\s*>\s*>\s*\(")
_LAUNCHED: Final = re.compile(rb"(\w+)\s*(?:<[^<>;]*>\s*)?<\s*<\s*<[^;{}]*\Z")
_SHAPE: Final = re.compile(rb"<\s*<\s*<")
_LIBRARY: Final = re.compile(rb"\b(?:cudaLaunch|cuLaunch)")
_HIDDEN: Final = re.compile(_LIBRARY.pattern + b"|" + _SHAPE.pattern)


class Call(Struct, frozen=True):
    """``start``, ``end``: of what is between its parentheses; ``place``: of the name;
    ``configuration``: how many things a launch's ``<<<`` holds.
    """

    path: str
    name: bytes
    place: int
    start: int
    end: int
    configuration: int = 0

    def arguments(self, code: bytes) -> list[tuple[int, int]]:
        """Where each of them stands, without blanks around it."""
        return divided(code, self.start, self.end)

    def shape(self, code: bytes) -> list[tuple[int, int]]:
        """Where each of what a launch's ``<<<`` holds stands."""
        head = code[self.place : self.start]
        *_, opened = _SHAPE.finditer(head)
        *_, closed = _LAUNCH.finditer(head)
        return divided(code, self.place + opened.end(), self.place + closed.start())


def codes_of(unit: Tree) -> dict[str, bytes]:
    """The code of each of the user's files."""
    return {path: blanked(unit.text(path), NOT_CODE) for path in unit.files}


def launches(unit: Tree, codes: Mapping[str, bytes]) -> list[Call] | None:
    """All launches of kernels; None where there may be more of them."""
    found = []
    for path, code in codes.items():
        in_macros = (macro.body for macro in macros(unit.text(path)))
        if _LIBRARY.search(code) or any(_HIDDEN.search(text) for text in in_macros):
            return None
        for match in _LAUNCH.finditer(code):
            end = closing(code, match.end() - 1)
            name = _LAUNCHED.search(code[: match.start()])
            if end is None or name is None:
                return None
            shape = _SHAPE.split(code[name.start() : match.start()])[-1]
            count = len(arguments(shape))
            found.append(Call(path, name[1], name.start(1), match.end(), end - 1, count))
    return found


def calls(path: str, code: bytes, names: str) -> Iterator[Call]:
    """What looks like a call of a function whose name the pattern ``names`` matches."""
    for match in re.finditer(rb"\b(%b)\s*\(" % names.encode(), code):
        end = closing(code, match.end() - 1)
        if end is not None:
            yield Call(path, match[1], match.start(1), match.end(), end - 1)


def divided(code: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Where the ``arguments`` in a stretch of code stand, without blanks around them."""
    found, at = [], start
    for text in arguments(code[start:end]):
        ahead = len(text) - len(text.lstrip())
        found.append((at + ahead, at + max(len(text.rstrip()), ahead)))
        at += len(text) + 1
    return found


def arguments(text: bytes) -> list[bytes]:
    """What commas divide, outside of brackets."""
    return parts(text, b",")


def parts(text: bytes, mark: bytes) -> list[bytes]:
    """What one byte divides, outside of brackets."""
    found, depth, start = [], 0, 0
    for at, byte in enumerate(text):
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == mark[0] and not depth:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]
