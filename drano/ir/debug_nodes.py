"""Functions and files of the debug information, from a module's text as the compiler printed it.

For what looks at modules before they are read: ``read.debug_info`` has places of instructions.
Limits: escapes in names stay as they are printed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from msgspec import Struct

_PLACE = re.compile(r"!dbg !(\d+)")
_FUNCTION = re.compile(
    r"!(\d+) = (?:distinct )?!DISubprogram\("
    r'(?:name: "([^"]*)")?.*?\bfile: !(\d+)(?:, line: (\d+))?'
)
_FILE = re.compile(r'!(\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


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
