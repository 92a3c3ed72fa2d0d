"""The macros that a project's build files define: by CMake's ``add_definitions`` and their like,
by ``-D`` in its variables of flags, in makefiles and in programs that compile with PyTorch, by
``define_macros`` in ``setup.py``. Nothing is run.

Means: the nearest build files above a source that define a macro decide, as a repository of many
programs has a makefile for each; where none does, all of the repository must agree, and where none
of these does, its Python programs that run nvcc.
Programs beside the sources may give several sizes: the largest is taken.
What stands under a condition of CMake's or a makefile's that surely does not hold, as
``if(ALTCPU)`` of an option that is off, counts where nothing else does.
Limits: other conditions around a definition are not followed, nor values that the build computes,
but for what CMake's ``set`` gives, and variables that a makefile gives one value.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from drano.frontend.headers.build_files import build_files_in, is_build_file, is_makefile
from drano.frontend.headers.cmake.language import REFERENCE, Argument, commands, expanded
from drano.frontend.headers.configured_headers import project_of
from drano.frontend.headers.project_headers import files_below
from drano.frontend.macros.makefiles import followed
from drano.frontend.macros.python_flags import python_flags
from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 4 << 20
_MOST_FILES: Final = 400
_MOST_PROGRAMS: Final = 1000
_DEFINITION: Final = re.compile(r"([A-Za-z_]\w*)(?:=([\w.+-]*))?\Z")
_IN_TEXT: Final = re.compile(
    r"(?<![\w-])-D ?([A-Za-z_]\w*)(?:=(?:[$](?:\((\w+)\)|{(\w+)})|([\w.+-]*))|)(?![\w$({=])"
)
_SIZE: Final = re.compile(r"[0-9]{1,18}\Z")
_WORD: Final = re.compile(r"[\w.+-]+\Z")
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
_FLAGS_OF_CMAKE: Final = frozenset({"list", "set", "string"})
_FLAGS: Final = re.compile(r"FLAGS|OPTIONS|DEFINITIONS", re.IGNORECASE)
_OFF: Final = frozenset({"0", "OFF", "FALSE", "NO"})
_CMAKE_WORDS: Final = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"})


class Definition(Struct, frozen=True):
    """A macro, as ``NAME`` or ``NAME=value``, and the files that say so; ``off``: where the build
    does not go, as options are by default; ``unless``: where it goes then, these are defined.
    """

    text: str
    files: tuple[str, ...]
    off: bool = False
    unless: frozenset[str] = frozenset()


class _Said(Struct):
    """The files that say a value, and whether all do so where the build does not go, unless it
    defines others.
    """

    files: list[str]
    off: bool
    unless: frozenset[str] = frozenset()


_Found = dict[str, dict[str, _Said]]
"""Of each name its values."""


class _Macro(NamedTuple):
    """One definition, as read: see ``Definition``."""

    name: str
    value: str
    files: tuple[str, ...] = ()
    off: bool = False
    unless: frozenset[str] = frozenset()


def definition_of(name: str, source: str, root: str) -> Definition | None:
    """How the build of ``source``, in the repository at ``root``, defines the macro ``name``; None
    where it does not, or in several ways. A macro that is defined by its name alone is 1.
    """
    for folder in Path(source).parents:
        near = _of_folder(str(folder), root).get(name)
        if near is not None:
            return _agreed(name, near)
        if str(folder) == root:
            break
    for of_all in (_of_repository, _of_programs):
        said = of_all(root).get(name)
        if said is not None:
            return _agreed(name, said)
    return None


def definitions_beside(name: str, source: str, root: str) -> tuple[str, ...]:
    """What CMake's commands that define the macro ``name`` for ``source`` define with it, each as
    ``NAME`` or ``NAME=value``, but for what they give several values.
    """
    for folder in Path(source).parents:
        near = _beside(str(folder), root).get(name)
        if near is not None:
            return near
        if str(folder) == root:
            break
    return ()


@functools.lru_cache(maxsize=64)
def _beside(folder: str, root: str) -> dict[str, tuple[str, ...]]:
    """Of a directory's CMake files, what stands in commands with each macro."""
    values: dict[str, dict[str, set[str]]] = {}
    for path in build_files_in(Path(folder)):
        if not _is_cmake(str(path)):
            continue
        text = regular_or_empty(path, _MOST_BYTES).decode("utf-8", "replace")
        for command, arguments, off in _commands(str(path), text, root):
            if command in _CMAKE and not off:
                given = [
                    (m.name, m.value) for m in _in_command(command, arguments, str(path), root)
                ]
                for name, _ in given:
                    others = values.setdefault(name, {})
                    for other, value in given:
                        others.setdefault(other, set()).add(value)
    return {
        name: tuple(
            f"{other}={value}" if value else other
            for other, (value, *more) in ((n, [*v]) for n, v in others.items() if n != name)
            if not more and value not in _OFF
        )
        for name, others in values.items()
    }


def _is_cmake(path: str) -> bool:
    return path.endswith((".cmake", "CMakeLists.txt"))


def _agreed(name: str, said: Mapping[str, _Said]) -> Definition | None:
    off = all(each.off for each in said.values())
    values = {value: each.files for value, each in said.items() if off or not each.off}
    if len({value or "1" for value in values}) != 1 and not _are_of_programs(values):
        return None
    value = max(values, key=lambda value: (int(value) if _SIZE.match(value) else 0, value))
    files = tuple(chain(*values.values()))
    unless = (
        frozenset[str]().union(*(said[value].unless for value in values)) if off else frozenset()
    )
    return Definition(f"{name}={value}" if value else name, files, off, unless)


def _are_of_programs(values: Mapping[str, list[str]]) -> bool:
    """Whether all values are sizes that Python programs choose."""
    files = chain(*values.values())
    sizes = bool(values) and all(map(_SIZE.match, values))
    return sizes and all(file.endswith(".py") for file in files)


@functools.lru_cache(maxsize=64)
def _of_folder(folder: str, root: str) -> _Found:
    return _merged(map(str, build_files_in(Path(folder))), root)


@functools.lru_cache(maxsize=4)
def _of_repository(root: str) -> _Found:
    files = files_below(root)
    named = [path for name, paths in files.items() if is_build_file(name) for path in paths]
    return _merged(sorted(named, key=lambda path: (path.count("/"), path))[:_MOST_FILES], root)


@functools.lru_cache(maxsize=4)
def _of_programs(root: str) -> _Found:
    """By the flags that Python programs of the repository give nvcc when they run."""
    programs = [
        path
        for name, paths in files_below(root).items()
        if name.endswith(".py") and not is_build_file(name)
        for path in paths
    ]
    programs.sort(key=lambda path: (path.count("/"), path))
    return _merged(filter(_runs_nvcc, programs[:_MOST_PROGRAMS]), root)


def _runs_nvcc(program: str) -> bool:
    text = regular_or_empty(Path(program), _MOST_BYTES)
    return b"nvcc" in text and b"-D" in text


def _merged(paths: Iterable[str], root: str) -> _Found:
    found: _Found = {}
    for path in paths:
        for macro in _in_file(path, root):
            said = found.setdefault(macro.name, {}).setdefault(macro.value, _Said([], off=True))
            said.files += macro.files
            said.off &= macro.off
            said.unless |= macro.unless
    return found


def _in_file(path: str, root: str) -> Iterator[_Macro]:
    """The macros of one build file."""
    if is_makefile(path):
        for macro in _in_makefile(path, root):
            if macro.value not in _OFF:
                yield macro
        return
    text = regular_or_empty(Path(path), _MOST_BYTES).decode("utf-8", "replace")
    tuples = path.endswith((".py", ".bzl", "SConstruct"))
    programs = python_flags(text) if path.endswith(".py") else ()
    others = chain(_in_others(text, text), _in_tuples(text) if tuples else (), programs)
    read = _in_cmake(path, text, root) if _is_cmake(path) else (_Macro(*each) for each in others)
    for macro in read:
        if macro.value not in _OFF:  # it switches off what is missing
            yield macro._replace(files=(path, *macro.files))


def _in_makefile(path: str, root: str) -> Iterator[_Macro]:
    """The macros of a makefile and of those it includes, which come after it."""
    read = followed(path, root)
    values = "\n".join(each.holds for each in read)
    for makefile in read:
        files = tuple(dict.fromkeys((makefile.path, path)))
        for text, off in ((makefile.holds, False), (makefile.passed, True)):
            yield from (_Macro(*each, files=files, off=off) for each in _in_others(text, values))
        for text, other in makefile.instead:
            unless = frozenset(name for name, _ in _in_others(other, values))
            for each in _in_others(text, values):
                yield _Macro(*each, files=files, off=True, unless=unless)


def _in_cmake(path: str, text: str, root: str) -> Iterator[_Macro]:
    """The macros of a CMake file, with the files that their values' variables come from."""
    for command, arguments, off in _commands(path, text, root):
        if command in _FLAGS_OF_CMAKE and any(_FLAGS.search(a.text) for a in arguments[:2]):
            for argument in arguments[1:]:
                yield from (_Macro(*each, off=off) for each in _in_words(argument.text))
        if command in _CMAKE:
            yield from (m._replace(off=off) for m in _in_command(command, arguments, path, root))


def _commands(path: str, text: str, root: str) -> Iterator[tuple[str, Sequence[Argument], bool]]:
    """The commands of a CMake file, and whether the build passes them over."""
    passed, here = project_of(root, path).passed, os.path.realpath(path)
    for place, (command, arguments) in enumerate(commands(text)):
        yield command, arguments, (here, place) in passed


def _in_command(
    command: str, arguments: Sequence[Argument], path: str, root: str
) -> Iterator[_Macro]:
    options = command.endswith("options")
    for argument in arguments[1 if command.startswith("target") else 0 :]:
        word, files = argument.text, tuple[str, ...]()
        if REFERENCE.search(word) is not None and not argument.exact:
            project = project_of(root, path)
            of_value = REFERENCE.findall(word.partition("=")[2])
            files, word = project.files, expanded(word, REFERENCE, project.values) or ""
            if word.endswith("=") or not project.values.keys() >= set(of_value):
                continue  # nothing is known of its value, or not all, as in a function of CMake's
        match = _DEFINITION.match(word.removeprefix("-D"))
        if match is None or word in _CMAKE_WORDS or (options and not word.startswith("-D")):
            continue
        yield _Macro(match[1], match[2] or "", files)


def _in_words(text: str) -> Iterator[tuple[str, str]]:
    """What a text of flags defines with values that are written there."""
    for match in _IN_TEXT.finditer(text):
        if match[2] is None and match[3] is None:
            yield match[1], match[4] or ""


def _in_others(text: str, values: str) -> Iterator[tuple[str, str]]:
    """What a text of flags defines; ``values``: where variables are given values."""
    for match in _IN_TEXT.finditer(text):
        variable = match[2] or match[3]
        value = match[4] or "" if variable is None else _assigned(variable, values)
        if value is not None:
            yield match[1], value


def _in_tuples(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of Python's, as ``define_macros`` has them; meson's ``project('a', 'cpp')`` is none."""
    for match in _IN_PYTHON.finditer(text):
        yield match[1], "" if match[2] == "None" else match[2][1:-1]


def _assigned(variable: str, text: str) -> str | None:
    """The one word that a makefile assigns to a variable, wherever it does; None for all else."""
    way = rf"(?<![-\w]){variable}[ \t]*(?:[:?+]|::)?=([^\n#]*)"
    values = {value.strip() for value in re.findall(way, text)}
    (value,) = values if len(values) == 1 else ("",)
    return value if _WORD.match(value) else None
