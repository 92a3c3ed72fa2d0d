"""``drano init``: a ``drano.toml`` to start from, made of what a project's files say.

Include directories are those below the project that resolve its includes, the architecture is the
newest that the build names, and kernels whose launches the source does not show are listed to be
filled in. Everything is data of somebody else's: it is read, never run, and quoted where written.

Limits: includes and build files are read as text; what a compilation database says is left to it.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from drano.config.config_file import FILE_NAME, config_of
from drano.frontend.commands.compile_database import cuda_units, options_for
from drano.frontend.commands.find_database import Databases
from drano.frontend.text.cpp_lexer import includes
from drano.model.report import Report
from drano.model.settings import Config
from drano.output.plurals import count
from drano.output.source_lines import printable
from drano.run.found_sources import SKIPPED_DIRECTORIES, UNIT_SUFFIXES, cpp_with_kernels
from drano.support.errors import IRError
from drano.support.regular_files import regular_or_empty

_MAX_FILES = 20_000
_MAX_BYTES = 1 << 20
_MAX_DIRECTORIES = 20
_MAX_KERNELS = 50
_NEWEST_ARCHITECTURE = 121
_SOURCES = (*UNIT_SUFFIXES, ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc")
_BUILD_FILES = re.compile(r"(?:CMakeLists\.txt|.*\.cmake|(?:GNU)?[Mm]akefile|.*\.mk)\Z")
_NAMED = re.compile(r"\b(?:sm|compute)_(\d{2,3}[af]?)\b")
_LISTED = re.compile(r"CUDA_ARCHITECTURES\b([^)\n]{0,500})")
_NUMBER = re.compile(r"(?<![\w.])(\d{2,3}[af]?)(?![\d.])")


class StarterError(Exception):
    """``str()`` is one line: why there is nothing to write."""


class Project(Struct, frozen=True):
    """What was found. ``include_dirs``: relative to ``root``; ``database``: a compilation database
    that is found by itself, or ""; ``arch``: "" where the build names none.
    """

    root: str
    units: tuple[str, ...]
    include_dirs: tuple[str, ...]
    arch: str
    database: str


def start(root: str, analyse: Callable[[Sequence[str], Config], Report], *, force: bool) -> str:
    """Write ``drano.toml`` into ``root`` (absolute), and say in one line what is in it.

    ``analyse``: of the sources. Raises StarterError.
    """
    target = Path(root, FILE_NAME)
    if not Path(root).is_dir():
        raise StarterError(f"{root}: no such directory")
    if os.path.lexists(target) and not force:
        raise StarterError(f"{target}: already exists; use --force to overwrite it")
    project = survey(root)
    if not project.units:
        raise StarterError(
            f"{root}: no .cu, .cu.cc or .cuh file, and no C++ file with kernels, in this directory"
        )
    settings = config_of(tomllib.loads(render(project, ())), str(target))
    report = analyse([root], settings)
    kernels = unknown_launches(report)
    text = render(project, kernels)
    try:
        with target.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise StarterError(f"{target}: cannot be written: {error.strerror or error}") from None
    said = [count(len(project.include_dirs), "include directory", "include directories")]
    said += [f"architecture {project.arch}"] if project.arch else []
    said += [f"flags from {os.path.relpath(project.database, root)}"] if project.database else []
    said.append(f"{count(len(kernels), 'kernel')} without a visible launch")
    failed = sum(file.incomplete for file in report.files)
    if failed:
        said.append(f"{count(failed, 'file')} of {len(report.files)} not analysed")
    return f"wrote {target}: {', '.join(said)}"


def survey(root: str) -> Project:
    """What the files below ``root`` say."""
    files = list(_files(root))
    named = tuple(path for path in files if path.endswith(UNIT_SUFFIXES))
    units = named or tuple(cpp_with_kernels(root))
    database = Databases((root,)).of(units[0]) if units else None
    builds = [path for path in files if _BUILD_FILES.match(os.path.basename(path))]
    found = [arch for path in builds for arch in architectures(_text(path))]
    if database is not None:
        found += _database_architectures(database)
    arch = max(found, key=lambda name: (int(name.rstrip("af")), name), default="")
    folders = () if database else include_directories(root, files)
    return Project(root, units, folders, f"sm_{arch}" if arch else "", database or "")


def include_directories(root: str, files: Sequence[str]) -> tuple[str, ...]:
    """Directories below ``root``, relative to it, from which includes are found that are not beside
    the file; those that resolve most come first.
    """
    sources = [path for path in files if path.endswith((*_SOURCES, ".cpp", ".cc", ".cxx"))]
    headers: dict[str, list[str]] = {}
    for path in sources:
        headers.setdefault(os.path.basename(path), []).append(path)
    wanted: Counter[str] = Counter()
    for path in (path for path in sources if path.endswith(_SOURCES)):
        beside = os.path.dirname(path)
        for name in _included(path):
            if name.rsplit("/", 1)[-1] in headers and not Path(beside, name).is_file():
                wanted[name] += 1
    chosen: list[str] = []
    while wanted and len(chosen) < _MAX_DIRECTORIES:
        votes: Counter[str] = Counter()
        for name, number in wanted.items():
            for folder in _folders_with(name, headers):
                votes[folder] += number
        if not votes:
            break
        best = min(votes, key=lambda folder: (-votes[folder], folder.count("/"), folder))
        chosen.append(os.path.relpath(best, root))
        for name in [name for name in wanted if best in _folders_with(name, headers)]:
            del wanted[name]
    return tuple(chosen)


def _folders_with(name: str, headers: dict[str, list[str]]) -> list[str]:
    ending = "/" + name
    known = headers.get(name.rsplit("/", 1)[-1], ())
    return [path[: -len(ending)] for path in known if path.endswith(ending)]


def architectures(text: str) -> list[str]:
    """Architectures in a build file, without their prefix.

    >>> architectures("set(CMAKE_CUDA_ARCHITECTURES 70;80-real) # -arch=sm_86")
    ['86', '70', '80']
    """
    found = _NAMED.findall(text)
    for listed in _LISTED.findall(text):
        found += _NUMBER.findall(listed)
    return [name for name in found if int(name.rstrip("af")) <= _NEWEST_ARCHITECTURE]


def _database_architectures(database: str) -> list[str]:
    try:
        units = cuda_units(database)[:_MAX_DIRECTORIES]
        named = [options_for(path, database).arch for path in units]
    except IRError:
        return []
    return [arch.removeprefix("sm_") for arch in named if arch]


def unknown_launches(report: Report) -> tuple[str, ...]:
    """Patterns of the kernels whose launches the source does not show, each once."""
    names: dict[str, None] = {}
    for file in report.files:
        for kernel in file.kernels:
            if not kernel.launches_known and all(launch.assumed for launch in kernel.launches):
                name, template, _ = kernel.name.partition("<")
                names[f"{name}<*" if template else name] = None
    return tuple(names)


def render(project: Project, kernels: Sequence[str]) -> str:
    """The file's text."""
    lines = ["# drano settings; docs/reference/settings.md lists all of them.", "", "[compile]"]
    if project.database:
        place = os.path.relpath(project.database, project.root)
        lines.append(f"# Flags come from {printable(place)}, which drano finds automatically.")
    elif project.include_dirs:
        shown = "".join(f"  {_quoted(folder)},\n" for folder in project.include_dirs)
        lines.append(f"include-dirs = [\n{shown}]")
    else:
        lines.append('# include-dirs = ["include"]')
    if project.arch:
        lines.append(f"arch = {_quoted(project.arch)}")
    else:
        lines.append('# arch = "sm_90"')
    if kernels:
        lines += ["", "# Kernels without a visible launch: what are their block shapes?"]
    for name in kernels[:_MAX_KERNELS]:
        entry = ["", "[[kernels]]", f"name = {_quoted(name)}", "block = [256, 1, 1]"]
        lines += ["#" if line == "" else f"# {line}" for line in entry[1:]] + [""]
    if len(kernels) > _MAX_KERNELS:
        lines.append(f"# … and {len(kernels) - _MAX_KERNELS} more.")
    return "\n".join(lines).rstrip("\n") + "\n"


def _quoted(text: str) -> str:
    """TOML of a text: JSON's escapes, but for DEL; what is no text becomes "?"."""
    plain = text.encode("utf-8", "replace").decode()
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _files(root: str) -> Iterator[str]:
    """Files below ``root`` that matter, sorted; links are not followed."""
    left = _MAX_FILES
    for folder, directories, names in os.walk(root):
        directories[:] = sorted(
            name for name in directories if name[0] != "." and name not in SKIPPED_DIRECTORIES
        )
        for name in sorted(names):
            if name.endswith((*_SOURCES, ".cpp", ".cc", ".cxx")) or _BUILD_FILES.match(name):
                left -= 1
                if left < 0:
                    return
                yield os.path.join(folder, name)


def _included(path: str) -> set[str]:
    text = os.fsencode(_text(path))
    return {os.fsdecode(include.name) for include in includes(text) if include.name}


def _text(path: str) -> str:
    return regular_or_empty(path, _MAX_BYTES).decode("utf-8", "replace")
