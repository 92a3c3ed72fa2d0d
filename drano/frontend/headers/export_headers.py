"""Headers that CMake's ``generate_export_header`` makes: macros that mark a library's symbols.

``generate_export_header(core BASE_NAME my)`` makes ``my_export.h``, with ``MY_EXPORT`` and more.
They say nothing to device code, and are empty here.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

from drano.frontend.headers.cmake.language import commands
from drano.frontend.headers.cmake.values import MAX_BYTES
from drano.support.regular_files import regular_or_empty

_KEYWORDS = ("BASE_NAME", "EXPORT_FILE_NAME", "EXPORT_MACRO_NAME", "NO_EXPORT_MACRO_NAME",
             "DEPRECATED_MACRO_NAME", "PREFIX_NAME")  # fmt: skip


def export_header(name: str, lists: tuple[str, ...]) -> tuple[str, str] | None:
    """The CMake file among ``lists`` that has the header ``name`` made, and its text; None where
    none has.
    """
    for path, made, text in _made_by(lists):
        if f"/{made}".endswith(f"/{name}") or f"/{name}".endswith(f"/{made}"):
            return path, text
    return None


@functools.lru_cache(maxsize=4)
def _made_by(lists: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """CMake file, header and its text of each command."""
    found = []
    for path in lists:
        text = regular_or_empty(Path(path), MAX_BYTES).decode("utf-8", "replace")
        for command, arguments in (
            commands(text) if "generate_export_header" in text.lower() else ()
        ):
            if command == "generate_export_header" and arguments:
                words = [argument.text for argument in arguments]
                said = dict(_said(words))
                base = said.get("BASE_NAME", words[0])
                made = said.get("EXPORT_FILE_NAME", f"{base.lower()}_export.h")
                found.append((path, made.rpartition("}/")[2], _text(base.upper(), said)))
    return tuple(found)


def _said(words: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((a, b) for a, b in itertools.pairwise(words) if a in _KEYWORDS)


def _text(base: str, said: dict[str, str]) -> str:
    """The header.

    >>> print(_text("A", {"EXPORT_MACRO_NAME": "A_API"}).splitlines()[1])
    #define A_API
    """
    prefix = said.get("PREFIX_NAME", "") + base
    deprecated = said.get("DEPRECATED_MACRO_NAME", f"{prefix}_DEPRECATED")
    names = (
        said.get("EXPORT_MACRO_NAME", f"{prefix}_EXPORT"),
        said.get("NO_EXPORT_MACRO_NAME", f"{prefix}_NO_EXPORT"),
        *(deprecated, f"{deprecated}_EXPORT", f"{deprecated}_NO_EXPORT"),
    )
    return "#pragma once\n" + "".join(f"#define {name}\n" for name in names)
