"""What a unit includes and whether it launches, from its text and that of the project's headers.

Limits: in doubt it launches (a computed ``#include``, very many headers).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drano.frontend.cpp_lexer import includes
from drano.support.input_files import MAX_BYTES
from drano.support.regular_files import regular_or_empty

MAX_INCLUDES: Final = 400

_LAUNCH: Final = re.compile(
    rb"<<\s*<|cu(?:da)?Launch(?:Cooperative)?Kernel|cuModuleGetFunction|cuLibraryGetKernel"
)
_DEFINE: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE | re.ASCII)


@dataclass(frozen=True, slots=True)
class TextScan:
    """What the text of a file and of its user headers shows. ``launches``: there may be some;
    ``headers``: names of the system headers included; ``files``: what was looked through;
    ``macros``: names that they define, under whatever condition.
    """

    launches: bool
    headers: frozenset[str]
    files: tuple[str, ...] = ()
    macros: frozenset[str] = frozenset()


def scan_text(path: str, args: Sequence[str], source: bytes | None = None) -> TextScan:
    """Look through the file and the headers it includes from the user's own directories.

    In favour of launches when in doubt (a computed ``#include``, very many headers).
    """
    folders = list(_include_folders(args))
    seen = {os.path.realpath(path)}
    waiting = [(path, read_or_empty(path) if source is None else source)]
    system: set[str] = set()
    macros: set[bytes] = set()
    launches = False
    while waiting:
        where, text = waiting.pop()
        launches = launches or may_launch(text)
        macros.update(_DEFINE.findall(text))
        for include in includes(text):
            if not include.name or len(seen) > MAX_INCLUDES:
                launches = True
                continue
            name = os.fsdecode(include.name)
            beside = [] if include.angled else [os.path.dirname(where)]
            places = [*beside, *folders]
            found = next((p for p in (Path(d, name) for d in places) if p.is_file()), None)
            if found is None:
                system.add(name)
                continue
            real = os.path.realpath(found)
            if real not in seen:
                seen.add(real)
                waiting.append((real, read_or_empty(real)))
    names = frozenset(macro.decode("ascii") for macro in macros)
    return TextScan(launches, frozenset(system), tuple(sorted(seen)), names)


def may_launch(text: bytes) -> bool:
    """Whether there is anything in it that launches are made with."""
    return bool(_LAUNCH.search(text))


def read_or_empty(path: str) -> bytes:
    """The file's bytes; none where it cannot be read."""
    return regular_or_empty(path, MAX_BYTES)


def _include_folders(args: Sequence[str]) -> Iterator[str]:
    for position, arg in enumerate(args):
        for flag in ("-I", "-iquote"):
            if arg == flag and position + 1 < len(args):
                yield args[position + 1]
            elif arg.startswith(flag) and len(arg) > len(flag):
                yield arg[len(flag) :]
