"""Macros that a project's build defines, found by the names that are missing without them.

A name that clang does not know may be such a macro, or declared under ``#ifdef USE_CUDA``: the
macro is taken to be defined if a build file of the repository defines it (CMake's
``add_definitions`` and their like, ``-D`` in makefiles, ``define_macros`` in ``setup.py``). Nothing
is run.
Macros that name another platform (HIP, SYCL, Windows) are never taken: a project that serves
several declares the same names for each.
Limits: conditions other than of macros that are (not) defined, those around a definition in a build
file, and values that the build computes are not followed, but for what CMake's ``set`` gives.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from drano.frontend.headers.build_files import is_build_file
from drano.frontend.headers.cmake_values import REFERENCE, commands, expanded
from drano.frontend.headers.configured_headers import project_values
from drano.frontend.headers.other_platforms import is_of_another_platform
from drano.frontend.headers.project_headers import files_below, repository_of
from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 4 << 20
_MOST_FILES: Final = 400
_MOST_NAMES: Final = 64
_UNKNOWN: Final = re.compile(
    r"(?:undeclared identifier|unknown type name|(?:member|type|template|class) named"
    r"|no template|undeclared template|undefined template|function for call to)"
    r" '(?:\w+::)*(\w+)['<]"
)
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b((?:[^\r\n\\]|\\\r?\n?)*)", re.MULTILINE
)
_NEGATED: Final = re.compile(
    rb"! ?(?:defined\b)? ?\(? ?\w+|\b\w+ ?(?:[<>]|[!=]=)|(?:[<>]|[!=]=) ?\w+"
)
_LONGEST_CONDITION: Final = 4096
_MACRO: Final = re.compile(rb"\b(?!defined\b|__)[A-Za-z_]\w*\b")
_DEFINITION: Final = re.compile(r"([A-Za-z_]\w*)(?:=([\w.+-]*))?\Z")
_IN_TEXT: Final = re.compile(r"(?<![\w-])-D ?([A-Za-z_]\w*)(=[\w.+-]*|=?)(?![\w$({=])")
_IN_PYTHON: Final = re.compile(r"\(\s*['\"]([A-Za-z_]\w*)['\"]\s*,\s*(None|['\"][\w.]*['\"])\s*\)")
_CMAKE: Final = frozenset(
    {
        "add_compile_definitions",
        "add_compile_options",
        "add_definitions",
        "target_compile_definitions",
        "target_compile_options",
    }
)
_CMAKE_WORDS: Final = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"})


@dataclass(frozen=True, slots=True)
class _Definition:
    text: str
    files: tuple[str, ...]


def missing_macros(
    source: str, messages: Iterable[str], files: Sequence[str], texts: Mapping[str, bytes]
) -> tuple[str, ...]:
    """Macros, as ``NAME`` or ``NAME=value``, under which names that clang does not know are
    declared in the ``files`` of a unit, and which the build of ``source``'s repository defines.

    ``messages``: clang's errors; ``texts``: contents that stand in for those of files.
    """
    root = repository_of(source)
    found = (match[1] for message in messages for match in _UNKNOWN.finditer(message))
    names = [name.encode() for name in list(dict.fromkeys(found))[:_MOST_NAMES]]
    if root is None or not names:
        return ()
    wanted = re.compile(rb"\b(?:" + b"|".join(map(re.escape, names)) + rb")\b")
    macros: dict[str, None] = {}
    for file in dict.fromkeys((source, *files)):
        if file in texts:
            text = texts[file]
        elif file.startswith(root + "/"):
            text = regular_or_empty(file, _MOST_BYTES)
        else:
            continue
        if wanted.search(text) is not None:
            macros |= dict.fromkeys(_around(text, wanted))
    macros = dict.fromkeys(os.fsdecode(name) for name in names) | macros
    ours = [macro for macro in macros if not is_of_another_platform(macro)]
    defined = _definitions(root) if ours else {}
    return tuple(defined[macro].text for macro in ours if macro in defined)


def defined_in(source: str, macros: Iterable[str]) -> tuple[str, ...]:
    """The build files that define what ``missing_macros`` gave for ``source``."""
    root = repository_of(source)
    defined = {} if root is None else {each.text: each for each in _definitions(root).values()}
    files = (file for macro in macros if macro in defined for file in defined[macro].files)
    return tuple(dict.fromkeys(files))


def _around(text: bytes, wanted: re.Pattern[bytes]) -> Iterator[str]:
    """Macros that must be defined for a wanted name to be seen."""
    above: list[frozenset[bytes]] = []
    before: list[bytes] = []  # of each group, the macro of a plain ``#ifndef``
    at = 0
    for directive in _DIRECTIVE.finditer(text):
        if any(above) and wanted.search(text, at, directive.start()) is not None:
            yield from (macro.decode() for needed in above for macro in sorted(needed))
        at = directive.end()
        word, rest = directive[1], directive[2].partition(b"//")[0].partition(b"/*")[0]
        if word in {b"if", b"ifdef"}:
            above.append(_needed(rest))
            before.append(b"")
        elif word == b"ifndef":
            above.append(frozenset())
            before.append(rest.strip())
        elif word == b"endif" and above:
            above.pop()
            before.pop()
        elif word == b"elif" and above:
            above[-1] = _needed(rest)
        elif word == b"else" and above:
            above[-1] = _needed(before[-1])


def _needed(condition: bytes) -> frozenset[bytes]:
    """Macros that a condition asks for; none where it compares, or has alternatives."""
    if b"||" in condition or len(condition) > _LONGEST_CONDITION:
        return frozenset()
    plain = b" ".join(condition.replace(b"\\", b" ").split())
    return frozenset(_MACRO.findall(_NEGATED.sub(b"", plain)))


@functools.lru_cache(maxsize=4)
def _definitions(root: str) -> Mapping[str, _Definition]:
    """What the build files of a repository define, by name; those whose values differ, by none.
    A macro that is defined by its name alone is 1.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for path in _build_files(root):
        text = regular_or_empty(Path(path), _MOST_BYTES).decode("utf-8", "replace")
        cmake = path.endswith((".cmake", "CMakeLists.txt"))
        read = _in_cmake(text, root) if cmake else ((*each, ()) for each in _in_others(text))
        for name, value, more in read:
            if value != "0":  # it switches off what is missing
                found.setdefault(name, {}).setdefault(value, []).extend((path, *more))
    return {
        name: _Definition(f"{name}={value}" if value else name, tuple(chain(*values.values())))
        for name, values in found.items()
        if len({value or "1" for value in values}) == 1
        for value in [max(values)]
    }


def _build_files(root: str) -> list[str]:
    files = files_below(root)
    named = [path for name, paths in files.items() if is_build_file(name) for path in paths]
    return sorted(named, key=lambda path: (path.count("/"), path))[:_MOST_FILES]


def _in_cmake(text: str, root: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Names, values, and the files that the values' variables come from."""
    for command, arguments in commands(text):
        if command not in _CMAKE:
            continue
        options = command.endswith("options")
        for argument in arguments[1 if command.startswith("target") else 0 :]:
            word, files = argument.text, tuple[str, ...]()
            if REFERENCE.search(word) is not None and not argument.exact:
                values, files = project_values(root)
                word = expanded(word, REFERENCE, values) or ""
                if word.endswith("="):
                    continue  # nothing is known of its value
            match = _DEFINITION.match(word.removeprefix("-D"))
            if match is None or word in _CMAKE_WORDS or (options and not word.startswith("-D")):
                continue
            yield match[1], match[2] or "", files


def _in_others(text: str) -> Iterator[tuple[str, str]]:
    for match in _IN_TEXT.finditer(text):
        yield match[1], match[2].removeprefix("=")
    for match in _IN_PYTHON.finditer(text):
        yield match[1], "" if match[2] == "None" else match[2][1:-1]
