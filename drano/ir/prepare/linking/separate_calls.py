"""Calls of functions that another unit defines: they stay calls until all code is optimised.

A device linker that does not optimise (``nvcc -rdc=true`` without ``-dlto``) joins units as they
are compiled: accesses on the two sides of such a call are never merged, and neither side knows the
other. So the calls carry a mark, by which no optimiser expands them, and the functions can be
replaced (LLVM: ``weak``), so that nothing is concluded from their bodies. They are expanded
afterwards, when all requests are made, so that each is judged by the arguments that it gets.

Assumptions: the text is LLVM's own printing, after ``unit_linking.linked``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from drano.ir.llvm_text import bare_name

MARK: Final = '"drano-across"'
_GROUP = re.compile(rf"^attributes #\d+ = \{{[^\n]*{MARK}", re.MULTILINE)
_KEPT: Final = f"noinline {MARK}"
_CALL = re.compile(r' call [^@\n]*(@(?:"[^"]*"|[-\w.$]+))\(')
_STRINGS = re.compile(r'"[^"]*"')
_BRACKETS = re.compile(r"[()]")


def has_marks(text: str) -> bool:
    """Whether a module has such calls."""
    return MARK in text and _GROUP.search(text) is not None


def with_marked_calls(lines: Iterable[str], names: Collection[str]) -> Iterator[str]:
    """Lines of a module, in which direct calls of some functions are marked."""
    for line in lines:
        match = _CALL.search(line) if "@" in line else None
        if match is None or bare_name(match[1]) not in names:
            yield line
            continue
        end = _closed(line, match.end())
        yield f"{line[:end]} {MARK}{line[end:]}" if end else line


def _closed(line: str, start: int) -> int:
    """The place behind the bracket that closes the one before ``start``; 0: there is none."""
    blank = _STRINGS.sub(lambda text: " " * len(text[0]), line)
    depth = 1
    for bracket in _BRACKETS.finditer(blank, start):
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            return bracket.end()
    return 0


def kept_calls(text: str) -> str:
    """The module with marked calls that no pass may expand."""
    return text.replace(MARK, _KEPT) if MARK in text else text


def open_calls(text: str) -> str:
    """The module whose marked calls may be expanded again."""
    return text.replace(_KEPT, MARK)
