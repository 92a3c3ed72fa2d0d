"""Functions of the mathematics library as calls, their bodies left out.

What they compute is known by name (``ir/intrinsics.py``), and how they do it, with tables in memory
for large arguments, is nothing that their caller can change. Short ones stay: an optimiser makes
more of ``max`` than of a call.

Assumptions: the text is LLVM's own printing. libdevice's functions read no memory but their own
tables, and write none but through their pointers (NVIDIA's libdevice user's guide).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from drano.ir.intrinsics import LIBRARY_PREFIX
from drano.ir.prepare.inlining import TINY

_HEADER = re.compile(r"define (?:internal |linkonce_odr |weak_odr |hidden |dso_local )*(.*\)).*\{")
RESULTS_PREFIX: Final = f"{LIBRARY_PREFIX}results_"
"""Of functions made by ``library_results.py``, which are the library's as well."""
_PARTS_PREFIX: Final = "__internal_"
_VARIABLE = re.compile(r'(@(?:"[^"]*"|[-\w.$]+)) = ')
_GLOBAL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_LINKAGE = re.compile(r"^define (?:internal |linkonce_odr |weak_odr |hidden |dso_local )*")
_PURE: Final = " nounwind willreturn memory(none)"
_THROUGH_POINTERS: Final = " nounwind willreturn memory(argmem: readwrite)"


def without_library_bodies(text: str) -> str:
    """The module with the library's longer functions declared only."""
    if f"@{LIBRARY_PREFIX}" not in text:
        return text
    return "\n".join(_without_bodies(text.split("\n"), _is_long_library))


def library_bodies(text: str) -> str:
    """A module of the library's functions and their tables alone, for who executes what
    ``without_library_bodies`` has left out; "" where there are none.
    """
    if f"@{LIBRARY_PREFIX}" not in text:
        return ""
    lines = list(_without_bodies(text.split("\n"), _is_no_library))
    used = {name for line in lines if line.startswith("  ") for name in _GLOBAL.findall(line)}
    kept = []
    for line in lines:
        variable = _VARIABLE.match(line)
        if variable is None or variable[1] in used:
            kept.append(_LINKAGE.sub("define weak_odr ", line))
    gone = {found[1] for found in map(_VARIABLE.match, lines) if found} - used
    return "\n".join(line for line in kept if not _is_note_on(line, gone))


def _is_note_on(line: str, variables: set[str]) -> bool:
    """Whether it says of variables that they are textures, or lists what is said."""
    if line.startswith("!nvvm.annotations"):
        return True
    return line.startswith("!") and not variables.isdisjoint(_GLOBAL.findall(line))


def _is_library(lines: Sequence[str]) -> bool:
    return f"@{LIBRARY_PREFIX}" in lines[0].partition("(")[0]


def _is_no_library(lines: Sequence[str]) -> bool:
    return not _is_library(lines) and f"@{_PARTS_PREFIX}" not in lines[0].partition("(")[0]


def _is_long_library(lines: Sequence[str]) -> bool:
    long = len(lines) > TINY + 1 or f"@{RESULTS_PREFIX}" in lines[0]
    return long and _is_library(lines)


def _without_bodies(lines: list[str], dropped: Callable[[Sequence[str]], bool]) -> Iterator[str]:
    """The lines of a module, with declarations in the place of some functions."""
    position = 0
    while position < len(lines):
        line = lines[position]
        header = _HEADER.fullmatch(line) if line.startswith("define ") else None
        end = lines.index("}", position) if header else position
        if header and dropped(lines[position : end + 1]):
            signature = header[1]
            effects = _THROUGH_POINTERS if "(ptr" in signature or ", ptr" in signature else _PURE
            yield f"declare {signature}{effects if _is_library([line]) else ''}"
        else:
            yield from lines[position : end + 1]
        position = end + 1
