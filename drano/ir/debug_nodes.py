"""Functions and files of the debug information, from a module's text as the compiler printed it.

For what looks at modules before they are read: ``read.debug_info`` has places of instructions.
Limits: escapes in names stay as they are printed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

_NUMBER = re.compile(r"!(\d+)")
_NODE = re.compile(r"!(\d+) = ")
_PLACE = re.compile(r"!dbg !(\d+)")
_FUNCTION = re.compile(
    r"!(\d+) = (?:distinct )?!DISubprogram\("
    r'(?:name: "([^"]*)")?.*?\bfile: !(\d+)(?:, line: (\d+))?'
)
_FILE = re.compile(r'!(\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


_UNREAD = re.compile(r", (?:retainedNodes|globals|imports): !\d+(?=[,)])")


def without_unread(ir: str) -> str:
    """A module's text without what only lists nodes: all variables of functions and units, whether
    or not anything of them is left. Two of three nodes of templates' instances are such variables,
    and LLVM drops what nothing else refers to.
    """
    return _UNREAD.sub("", ir)


class Nodes:
    """The numbered nodes among a module's other lines, and what they refer to: more than half of a
    module's text, of which one kernel needs little.
    """

    def __init__(self, rest: Sequence[str]) -> None:
        self._line_of: dict[str, str] = {}
        self._others: list[str] = []
        for line in rest:
            node = _NODE.match(line)
            if node is None:
                self._others.append(line)
            else:
                self._line_of[node[1]] = line
        self._refers: dict[str, list[str]] = {}

    def lines_for(self, functions: Iterable[str]) -> list[str]:
        """The module's lines beside functions, without nodes that neither these ``functions``, as
        text, nor the other lines have to do with.
        """
        texts = ("\n".join(self._others), *functions)
        pending = [number for text in texts for number in set(_NUMBER.findall(text))]
        seen: set[str] = set()
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            seen.add(number)
            refers = self._refers.get(number)
            if refers is None:
                refers = self._refers[number] = _NUMBER.findall(self._line_of.get(number, ""))
            pending += refers
        return [*self._others, *(line for n, line in self._line_of.items() if n in seen)]


class DebugFunction(Struct, frozen=True):
    """``file``: the number of its file's node; ``name`` "" and ``line`` 0 of what clang made."""

    name: str
    file: str
    line: int


def place_of(line: str) -> str:
    """The number of the node that a line of the module has its place from, or an empty string."""
    place = _PLACE.search(line)
    return place[1] if place else ""


def debug_functions(lines: Iterable[str]) -> dict[str, DebugFunction]:
    """The functions that lines of a module describe, by the numbers of their nodes."""
    found = (_FUNCTION.match(line) for line in lines if line.startswith("!"))
    return {m[1]: DebugFunction(m[2] or "", m[3], int(m[4] or 0)) for m in found if m is not None}


def debug_files(ir: str) -> dict[str, str]:
    """Paths of the files that a module names, by the numbers of their nodes."""
    return {number: os.path.join(directory, name) for number, name, directory in _FILE.findall(ir)}
