"""Headers of the project itself that clang was not told the way to, looked for in its repository.

A header is found where one place fits best: of all files below the repository's root
(``repository_of``) whose path ends as the ``#include`` says, those whose directory the project's
build names (``named_directories``), or that share the most directories with the source, if they
hold one text.
Directories named after another platform (``targets/hip``) only count where there are no others, or
the source is in one.
Where none fits, a template of it may (``configured_headers``), a ``.proto`` file (``protobuf``), or
a Python package that brings a library (``library_packages``). Files of that name in another
language, a Makefile's ``config.h`` of variables, are left out.
Limits: a repository of more than ``_MOST_FILES`` files is looked at in part only, links to
directories are not followed.
"""

from __future__ import annotations

import functools
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from drano.frontend.headers.configured_headers import (
    configured,
    inputs_of,
    template_names,
    written,
)
from drano.frontend.headers.export_headers import export_header
from drano.frontend.headers.library_packages import packaged_directories
from drano.frontend.headers.named_directories import named_by_build
from drano.frontend.headers.other_platforms import is_of_another_platform
from drano.frontend.headers.protobuf.made import made_headers
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.text.cpp_lexer import includes
from drano.support.regular_files import read_regular, regular_or_empty

_MOST_FILES = 200_000
_MOST_BYTES = 4 << 20
_MOST_HEADERS = 400
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if\w*|endif|define|include)\b([^\r\n]*)", re.MULTILINE)
_HASH = re.compile(rb"^[ \t]*#[ \t]*(.?\w*)", re.MULTILINE)
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DIRECTIVES = frozenset(
    b"if ifdef ifndef elif elifdef elifndef else endif define undef include include_next import "
    b"embed pragma error warning line ident sccs".split()
)
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_VERSION_CONTROL = (".git", ".hg", ".svn", ".jj")
_BUILT_BY = (
    "CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "configure", "configure.ac",
    "meson.build", "setup.py", "pyproject.toml", "SConstruct", "WORKSPACE", "MODULE.bazel",
    "xmake.lua",
)  # fmt: skip
_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv"})


def directories_of(names: Sequence[str], source: str) -> tuple[str, ...]:
    """Directories from which ``#include``s of ``names`` are found, for the file ``source``.

    ``["util/math.h"]`` gives ``("/p/include",)`` when ``/p/include/util/math.h`` alone fits.
    """
    found: dict[str, None] = {}
    for name in names:
        nearest = _nearest(name, source)
        if nearest and _alike(nearest):
            path = min(nearest, key=len)
            found[path[: -len(_ending(name))]] = None
        elif not nearest and (made := _made(name, source)):
            found[made] = None
        elif not nearest:
            found |= dict.fromkeys(packaged_directories(name))
    return tuple(found)


def _made(name: str, source: str) -> str | None:
    """The directory of a header that the project's build would make of a template or a schema."""
    root = repository_of(source)
    parts = PurePosixPath(name).parts
    if root is None or not parts or name.startswith("/") or ".." in parts:
        return None
    if name.endswith(".pb.h"):
        made, schemas = made_headers(name, lambda path: _proto_file(path, source))
        return written(made, schemas) if made else None
    places = [p for n in template_names(parts[-1]) for p in files_below(root).get(n, ())]
    directory = "/".join(("", *parts[:-1], ""))
    places = [p for p in places if p[: p.rindex("/") + 1].endswith(directory)] or places
    lists = _cmake_lists(root)
    if not places:
        exported = export_header(name, lists)
        if exported is not None:
            return written({name: exported[1]}, exported[:1])
        places = inputs_of(name, lists, root)
    most = max((_common(path, source) for path in places), default=0)
    nearest = [path for path in places if _common(path, source) == most]
    if not _alike(nearest):  # CMake's, and one of autoconf's
        named = inputs_of(name, lists, root)
        nearest = [path for path in nearest if path in named]
    if not nearest or not _alike(nearest):
        return None
    inside = os.path.realpath(nearest[0]).startswith(os.path.realpath(root) + "/")
    return configured(name, nearest[0], root) if inside else None


def _cmake_lists(root: str) -> tuple[str, ...]:
    files = files_below(root)
    names = sorted(name for name in files if name.endswith((".cmake", "CMakeLists.txt")))
    return tuple(path for name in names for path in files[name])


def _proto_file(path: str, source: str) -> str | None:
    """The file of the repository that ``import`` of a path means, if one fits best."""
    nearest = _nearest(path, source)
    return nearest[0] if nearest and _alike(nearest) else None


def directories_for(source: str, text: bytes, searched: Sequence[str]) -> tuple[str, ...]:
    """``directories_of`` what the source and its headers include under no condition, told before it
    is compiled: each header that clang misses first costs a whole try.

    ``searched``: directories that clang looks into, its own and the SDK's among them. Names that
    none of them and no stand-in has are looked for; ``<name>`` only with a directory.
    """
    root = repository_of(source)
    if root is None:
        return ()
    found: dict[str, None] = {}
    waiting, seen = [(source, text)], {source}
    while waiting and len(seen) < _MOST_HEADERS:
        file, content = waiting.pop()
        for name, angled in _outer_includes(content):
            near = [] if angled else [str(Path(file).parent)]
            path = _first_of(name, [*near, *searched, *found])
            if path is None and _may_be_ours(name, angled):
                found |= dict.fromkeys(directories_of([name], source))
                path = _first_of(name, list(found))
            if path is not None and path not in seen and path.startswith(root + "/"):
                seen.add(path)
                waiting.append((path, regular_or_empty(Path(path), _MOST_BYTES)))
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _outer_includes(text: bytes) -> tuple[tuple[str, bool], ...]:
    """Names, and whether in ``<>``, of what is included outside of all ``#if``s but the guard's."""
    depth, guard, names = 0, b"", []
    for number, directive in enumerate(_DIRECTIVE.finditer(text)):
        word, rest = directive[1], directive[2].strip()
        if word.startswith(b"if"):
            depth += 1
            guard = rest if number == 0 and word == b"ifndef" else guard
        elif word == b"endif" or (word == b"define" and number == 1 and depth and rest == guard):
            depth -= 1
        elif word == b"include" and depth <= 0:
            names += [
                (include.name.decode("utf-8", "surrogateescape"), include.angled)
                for include in includes(directive[0])
                if include.name
            ]
    return tuple(names)


def _first_of(name: str, directories: Sequence[str]) -> str | None:
    paths = (os.path.normpath(os.path.join(directory, name)) for directory in directories)
    return next((path for path in paths if os.path.isfile(path)), None)


def _may_be_ours(name: str, angled: bool) -> bool:
    return ("/" in name or not angled) and not (OWN_STUBS / name).is_file()


def places_of(name: str, source: str) -> tuple[str, ...]:
    """Directories from which ``#include`` of ``name`` finds different files, equally near."""
    nearest = _nearest(name, source)
    if _alike(nearest):
        return ()
    return tuple(path[: -len(_ending(name))] for path in nearest)


def _nearest(name: str, source: str) -> tuple[str, ...]:
    """Of the repository's files that ``#include`` of ``name`` may mean, those in directories that
    the build names, else those that share the most directories with ``source``.
    """
    root = repository_of(source)
    parts = PurePosixPath(name).parts
    if root is None or not parts or name.startswith("/") or ".." in parts:
        return ()
    ending = _ending(name)
    places = [path for path in files_below(root).get(parts[-1], ()) if path.endswith(ending)]
    places = list(filter(_is_c, places))
    named: tuple[str, ...] = ()
    if len(places) > 1:
        directories = {path[: -len(ending)]: path for path in places}
        named = named_by_build(tuple(directories), source, root)
        places = [directories[directory] for directory in named] or places
    if not named and not _elsewhere(source, root):
        places = [path for path in places if not _elsewhere(path, root)] or places
    most = max((_common(path, source) for path in places), default=0)
    return tuple(path for path in places if _common(path, source) == most)


@functools.lru_cache(maxsize=1024)
def _is_c(path: str) -> bool:
    """Whether a file may be C: its first ``#`` at the start of a line outside of comments is that
    of a directive, which begins no comment as in a Makefile.
    """
    text = _COMMENT.sub(b"", regular_or_empty(Path(path), _MOST_BYTES))
    first = _HASH.search(text)
    word = b"" if first is None else first[1]
    return not word or word in _DIRECTIVES or word.isdigit()  # "# 1": a line of a preprocessor


def _elsewhere(path: str, root: str) -> bool:
    """Whether a file of a repository is for another platform, by the names of its directories."""
    return any(map(is_of_another_platform, Path(path).relative_to(root).parts[:-1]))


def _ending(name: str) -> str:
    return "/" + "/".join(PurePosixPath(name).parts)


def empty_submodules(source: str) -> tuple[str, ...]:
    """Directories of the repository's submodules that nobody has fetched, relative to its root.

    ``("third_party/glm",)`` where ``.gitmodules`` names it and it is empty or absent.
    """
    root = repository_of(source)
    if root is None:
        return ()
    text = regular_or_empty(Path(root) / ".gitmodules", _MOST_BYTES).decode("utf-8", "replace")
    paths = [match[1] for match in _SUBMODULE.finditer(text)]
    return tuple(path for path in paths if _is_empty(Path(root, path)))


def _is_empty(directory: Path) -> bool:
    try:
        return not any(directory.iterdir())
    except OSError:
        return not directory.exists()


def repository_of(source: str) -> str | None:
    """The nearest directory above a file that is under version control. Of an unpacked archive,
    which is not, the outermost one that something builds; not the user's home, nor what is above.
    """
    folders = Path(source).parents
    for folder in folders:
        if any((folder / mark).exists() for mark in _VERSION_CONTROL):
            return str(folder)
    shared = {f for place in _shared_directories() for f in Path(place, "any").parents}
    built = [f for f in folders if f not in shared and any((f / n).is_file() for n in _BUILT_BY)]
    return str(built[-1]) if built else None


def _shared_directories() -> tuple[str, ...]:
    """Those that hold projects that have nothing to do with each other."""
    return os.path.expanduser("~"), tempfile.gettempdir()


@functools.lru_cache(maxsize=4)
def files_below(root: str) -> dict[str, tuple[str, ...]]:
    """Paths of a repository's files by name."""
    found: dict[str, list[str]] = {}
    count = 0
    for folder, directories, names in os.walk(root):
        directories[:] = sorted(name for name in directories if name not in _SKIPPED)
        for name in sorted(names):
            found.setdefault(name, []).append(f"{folder}/{name}")
        count += len(names)
        if count > _MOST_FILES:
            break
    return {name: tuple(paths) for name, paths in found.items()}


def _alike(paths: Sequence[str]) -> bool:
    """Whether all hold one text."""
    if len(paths) <= 1:
        return True
    texts = set()
    for path in paths:
        try:
            texts.add(read_regular(path, _MOST_BYTES))
        except OSError:
            return False
    return len(texts) == 1


def _common(one: str, other: str) -> int:
    """Leading directories that two paths have in common."""
    count = 0
    for left, right in zip(Path(one).parts, Path(other).parts, strict=False):
        if left != right:
            break
        count += 1
    return count
