"""The shared memory that a unit's kernels have in use, told from the source.

Limits: all shared arrays of a unit are counted as if they were of one kernel, but for those of
other kernels where it is known which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from drano.fix.source_tree import Body, Tree
from drano.frontend.libclang import Kind, Node, is_kernel, key
from drano.frontend.text.cpp_lexer import NOT_CODE, blanked
from drano.model.span import Span

MOST_SHARED: Final = 48 << 10
_SHARED_ATTRIBUTE: Final = 416
_DYNAMIC: Final = re.compile(
    rb"\bextern\b[^;{}()]*__shared__|__shared__[^;{}()]*\bextern\b|\b(?:cudaLaunch|cuLaunch)"
)
_EXTERN: Final = re.compile(rb"\bextern\b[^;{}()]*__shared__|__shared__[^;{}()]*\bextern\b")
_CONFIGURED: Final = re.compile(rb"<<<(.*?)>>>", re.DOTALL)
_LAUNCHED: Final = re.compile(rb"(\w+)\s*(?:<[^<>;]*>\s*)?\Z")
_GROUP: Final = re.compile(rb"[({\[][^(){}\[\]]*[)}\]]")


def fits(unit: Tree, more: int, kernel: Node | None = None) -> bool:
    """Whether so many bytes more than all the unit's shared arrays, or those that a ``kernel`` may
    use, are no more than a block has.
    """
    total = more
    for function in unit.declared.functions:
        if b"__shared__" not in function.names or _is_other(function.cursor, kernel):
            continue
        for cursor in function.cursor.walk_preorder():
            if cursor._kind_id == Kind.VAR and cursor.type.get_size() > 0 and _says_shared(cursor):
                total += int(cursor.type.get_size())
    return total <= MOST_SHARED


def unknown_use(unit: Tree, files: Sequence[str]) -> str:
    """What is not proved of the shared memory that launches ask for; "": they ask for none."""
    for path in files:
        text = blanked(unit.text(path), NOT_CODE)
        asked = (_third(match[1]) for match in _CONFIGURED.finditer(text))
        if _DYNAMIC.search(text) or any(size not in {b"", b"0"} for size in asked):
            return "that the blocks' dynamic shared memory still fits"
    return ""


def _is_other(function: Any, kernel: Node | None) -> bool:
    """Whether it is a kernel, but not this one."""
    return kernel is not None and is_kernel(function) and key(function) != key(kernel.cursor)


def unknown_use_of(unit: Tree, files: Sequence[str], kernel: Body, sites: Sequence[Span]) -> str:
    """What is not proved of the shared memory that one kernel's launches, at ``sites``, ask for;
    "": for none.
    """
    unknown = "that the blocks' dynamic shared memory still fits"
    name = kernel.root.spelling.encode()
    if _EXTERN.search(kernel.code, kernel.start, kernel.end):
        return unknown
    if not all(_shows_launch(unit, site, name) for site in sites):
        return unknown
    for path in files:
        text = blanked(unit.text(path), NOT_CODE)
        if b"cudaLaunch" in text or b"cuLaunch" in text:
            return unknown
        for match in _CONFIGURED.finditer(text):
            launched = _LAUNCHED.search(text[: match.start()].rstrip()[-200:])
            other = launched is not None and launched[1] != name
            if not other and _third(match[1]) not in {b"", b"0"}:
                return unknown
    return ""


def _shows_launch(unit: Tree, site: Span, kernel: bytes) -> bool:
    """Whether the launch stands there as it is, put in by no macro."""
    lines = blanked(unit.text(site.path), NOT_CODE).split(b"\n")[site.line - 1 : site.line + 2]
    shown = rb"\b" + re.escape(kernel) + rb"\s*(?:<[^<>;]*>\s*)?<<<"
    return re.search(shown, b"\n".join(lines)) is not None


def _third(configuration: bytes) -> bytes:
    """The third argument of a launch's configuration."""
    while _GROUP.search(configuration):
        configuration = _GROUP.sub(b"g", configuration)
    return (*configuration.split(b","), b"", b"")[2].strip()


def _says_shared(cursor: Any) -> bool:
    return any(child._kind_id == _SHARED_ATTRIBUTE for child in cursor.get_children())
