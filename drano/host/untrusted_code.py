"""Which parts of host code with errors cannot be relied on.

Clang drops all or part of a statement with an error and goes on: ``threads = absent;`` leaves no
trace in the tree, and ``threads`` keeps its old value there. So each name in such a statement
stands for something unknown from then on: a variable may have been assigned, a kernel launched.
After a syntax error nothing in the function is relied on.

Limits: what a macro in the statement names is not seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from drano.frontend.cpp_lexer import identifiers, statement_start
from drano.frontend.libclang import Kind, Node, is_constant, key
from drano.host.function_bodies import VARIABLES, descend

_ENDS = re.compile(rb"[;{}]")
_SYNTAX = ("expected", "extraneous", "unterminated", "missing")


@dataclass(frozen=True, slots=True)
class Distrust:
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
        return any(_spans(cursor, *place) for place in (*places, *self.broken))

    def variables(self, root: Node) -> frozenset[int]:
        """Variables of the function ``root`` that errors in it may have changed."""
        if any(_spans(root.cursor, *place) for place in self.broken):
            return frozenset(key(cursor) for cursor in _variables(root))
        names = [names for file, at, names in self.statements if _spans(root.cursor, file, at)]
        wanted = frozenset().union(*names)
        return frozenset(
            key(cursor) for cursor in _variables(root) if str(cursor.spelling) in wanted
        )


def distrust(errors: Sequence[tuple[str, int, str]], read: Callable[[str], bytes]) -> Distrust:
    """``errors``: (file, offset in bytes, message) of a unit; ``read`` gives a file's text."""
    statements = []
    broken = []
    for file, offset, message in errors:
        if message.endswith("file not found"):
            continue
        statements.append((file, offset, _names_around(read(file), offset)))
        if message.startswith(_SYNTAX):
            broken.append((file, offset))
    return Distrust(tuple(statements), tuple(broken))


def _names_around(text: bytes, offset: int) -> frozenset[str]:
    """``a = f(b) + c;`` at any place in it: a, b, c and f."""
    start = statement_start(text, offset)
    end = _ENDS.search(text, offset)
    statement = text[start : end.start() if end else len(text)]
    return frozenset(map(os.fsdecode, identifiers(statement)))


def _spans(cursor: Any, file: str, offset: int) -> bool:
    extent = cursor.extent
    start = extent.start
    named = start.file is not None and str(start.file.name) == file
    return named and int(start.offset) <= offset <= int(extent.end.offset)


def _variables(root: Node) -> Iterable[Any]:
    """Variables that a function declares or uses, without the constant ones."""
    for node, _ in descend(root):
        if node.kind in {Kind.VAR, Kind.PARM}:
            declared = node.cursor
        elif node.kind == Kind.DECL_REF:
            declared = node.declared()
        else:
            continue
        if declared is not None and declared._kind_id in VARIABLES and not is_constant(declared):
            yield declared
