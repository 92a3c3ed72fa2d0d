"""What a unit includes and whether it launches, from its text and that of the project's headers.

Limits: in doubt it launches (a computed ``#include``, very many headers).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.text.cpp_lexer import Include, includes
from drano.frontend.text.text_conditions import Branches, Condition, conditions
from drano.support.input_files import MAX_BYTES
from drano.support.regular_files import regular_or_empty

MAX_INCLUDES: Final = 400
_REMEMBERED_BYTES: Final = 1 << 18

_LAUNCH: Final = re.compile(
    rb"<<\s*<|cu(?:da)?Launch(?:Cooperative)?Kernel|cuModuleGetFunction|cuLibraryGetKernel"
)
_FIRST: Final = ("-I", "-iquote")
_LAST: Final = ("-idirafter",)
_DEFINE: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+\(?)", re.MULTILINE | re.ASCII)


class TextScan(Struct, frozen=True):
    """What the text of a file and of its user headers shows. ``launches``: there may be some;
    ``headers``: names of the system headers included, by stand-ins of libraries as well;
    ``files``: what was looked through; ``macros``: names that they may define before the last of
    these headers, as ``NAME(`` with parameters.
    """

    launches: bool
    headers: frozenset[str]
    files: tuple[str, ...] = ()
    macros: frozenset[str] = frozenset()


class _Scan(Struct):
    """What was seen so far, in the order of inclusion. Mutated by ``_follow`` and ``_enter``.

    ``defined``: macros that may be defined by now; ``own``: those that the texts define, in order;
    ``before``: how many of them at the last system header. ``seen``: files, and whether only
    left-out text includes them.
    """

    defined: set[str]
    launches: bool = False
    headers: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    seen: set[tuple[str, bool]] = field(default_factory=set)
    own: list[str] = field(default_factory=list)
    before: int = 0


class _Open(Struct):
    """A text that is being read; ``left_out``: as what includes it is. Mutated by ``_follow``."""

    path: str
    directives: Iterator[Include | Condition | str]
    left_out: bool = False
    branches: Branches = field(default_factory=Branches)


def scan_text(path: str, args: Sequence[str], source: bytes | None = None) -> TextScan:
    """Look through the file and the headers it includes from the user's own directories.

    In favour of launches when in doubt (a computed ``#include``, very many headers).
    """
    first, last = list(_values(args, _FIRST)), [*_values(args, _LAST), str(OWN_STUBS)]
    looked = _looked(read_or_empty(path) if source is None else source)
    real = os.path.realpath(path)
    scan = _Scan({macro.partition("=")[0] for macro in _values(args, ("-D",))})
    scan.launches = looked.launches
    scan.files.add(real)
    scan.seen.add((real, False))
    texts = [_Open(path, iter(looked.directives))]
    while texts:
        directive = next(texts[-1].directives, None)
        if directive is None:
            texts.pop()
        else:
            texts.extend(_follow(directive, texts[-1], first, last, scan))
    before = frozenset(scan.own[: scan.before])
    return TextScan(scan.launches, frozenset(scan.headers), tuple(sorted(scan.files)), before)


def _follow(
    directive: Include | Condition | str,
    text: _Open,
    first: Sequence[str],
    last: Sequence[str],
    scan: _Scan,
) -> Iterator[_Open]:
    """Go past a directive; the text that it includes, where that is to be looked through."""
    if isinstance(directive, Condition):
        text.branches.follow(directive, scan.defined)
        return
    left_out = text.left_out or text.branches.left_out
    if isinstance(directive, Include):
        yield from _enter(directive, text.path, left_out, first, last, scan)
    elif not left_out:
        scan.defined.add(directive.removesuffix("("))
        scan.own.append(directive)


def _enter(
    include: Include,
    where: str,
    left_out: bool,
    first: Sequence[str],
    last: Sequence[str],
    scan: _Scan,
) -> Iterator[_Open]:
    if not include.name or len(scan.seen) > MAX_INCLUDES:
        scan.launches = True
        return
    name = os.fsdecode(include.name)
    beside = [] if include.angled else [os.path.dirname(where)]
    found = _found(name, [*beside, *first])
    if found is None:
        if not left_out:
            scan.headers.add(name)
            scan.before = len(scan.own)
        found = _found(name, last)
    real = "" if found is None else os.path.realpath(found)
    if found is None or not scan.seen.isdisjoint({(real, False), (real, left_out)}):
        return
    scan.seen.add((real, left_out))
    looked = _looked(read_or_empty(real))
    if not found.is_relative_to(OWN_STUBS):
        scan.files.add(real)
        scan.launches = scan.launches or looked.launches
    yield _Open(real, iter(looked.directives), left_out)


class _Looked(Struct, frozen=True):
    """What a text includes, the names that it defines, and its conditions, in order; whether it
    may launch.
    """

    directives: tuple[Include | Condition | str, ...]
    launches: bool


def _looked(text: bytes) -> _Looked:
    """Remembered for headers of usual size: the units of a run include the same ones."""
    return _look(text) if len(text) <= _REMEMBERED_BYTES else _look.__wrapped__(text)


@lru_cache(maxsize=256)
def _look(text: bytes) -> _Looked:
    defined = ((m.start(), m[1].decode("ascii")) for m in _DEFINE.finditer(text))
    included = ((include.start, include) for include in includes(text))
    asked = ((condition.start, condition) for condition in conditions(text))
    directives = merge(defined, included, asked, key=itemgetter(0))
    return _Looked(tuple(what for _, what in directives), may_launch(text))


def _found(name: str, places: Sequence[str]) -> Path | None:
    return next((p for p in (Path(d, name) for d in places) if p.is_file()), None)


def may_launch(text: bytes) -> bool:
    """Whether there is anything in it that launches are made with."""
    return bool(_LAUNCH.search(text))


def read_or_empty(path: str) -> bytes:
    """The file's bytes; none where it cannot be read."""
    return regular_or_empty(path, MAX_BYTES)


def _values(args: Sequence[str], flags: Sequence[str]) -> Iterator[str]:
    for position, arg in enumerate(args):
        for flag in flags:
            if arg == flag and position + 1 < len(args):
                yield args[position + 1]
            elif arg.startswith(flag) and len(arg) > len(flag):
                yield arg[len(flag) :]
