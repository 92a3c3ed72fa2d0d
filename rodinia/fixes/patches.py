"""Fixes of the suite's kernels, as drano's messages propose them: read from ``fixes/*.toml`` and
applied to a copy of the checkout.

A fix is a list of replacements in the program's own files. What is searched for is only as long as
it takes to find the place; a place that is not found, or found more or less often than the fix
says, is a ``ManifestError``, so that no other version of the suite is changed by accident.

Per fix:  program, run   of the manifest
          kernel         those whose time and counts are compared, by their names in the source
          lines          of what drano complains there
          rule, idea     of which rule's message this is, and what is done in a few words
          compile        further flags, before and after
          gpu_arguments  for a GPU: large enough that the kernel is more than a launch;
          check_arguments, check_compile   for comparing results there (default: as timed)
          gpu_files, check_after, check_lines   what is compared: files that are written, or what is
                         printed behind a text, or lines that match
          near           how near numbers must be, of their size (default 0.001)
          replace        file, find (or pattern: a regular expression), with; times (default 1),
                         or occurrence: only that one
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import cast

from msgspec import Struct

from rodinia.programs.manifest import ManifestError, Program

DIRECTORY = Path(__file__).parent


class Replacement(Struct, frozen=True):
    """One search and its replacement in one file of the program's directory."""

    file: str
    find: re.Pattern[str]
    new: str
    times: int
    occurrence: int

    def apply(self, text: str, where: str) -> str:
        """``text`` with the replacement made. Raises ManifestError where it does not fit."""
        found = list(self.find.finditer(text))
        sought = re.sub(r"\\(.)", r"\1", self.find.pattern)
        if self.occurrence:
            if len(found) < self.occurrence:
                raise ManifestError(f"{where}: '{sought}' is there {len(found)} times")
            found = [found[self.occurrence - 1]]
        elif len(found) != self.times:
            raise ManifestError(
                f"{where}: '{sought}' is there {len(found)} times, not {self.times}"
            )
        for match in reversed(found):
            text = text[: match.start()] + self.new + text[match.end() :]
        return text


class Fix(Struct, frozen=True):
    """One fix; the module's docstring says what the fields mean."""

    name: str
    program: str
    run: str
    kernels: tuple[str, ...]
    rule: str
    idea: str
    lines: tuple[str, ...]
    compile: tuple[str, ...]
    gpu_arguments: tuple[str, ...]
    check_arguments: tuple[str, ...]
    check_compile: tuple[str, ...]
    gpu_files: tuple[str, ...]
    check_after: str
    check_lines: str
    near: float
    replacements: tuple[Replacement, ...]


def load(directory: Path = DIRECTORY) -> tuple[Fix, ...]:
    """All fixes, by name. Raises ManifestError for one that cannot be used."""
    return tuple(_read(path) for path in sorted(directory.glob("*.toml")))


def _read(path: Path) -> Fix:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ManifestError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path}: not TOML: {error}") from error
    known = set(Fix.__struct_fields__) - {"name", "kernels", "replacements"}
    unknown = sorted(set(data) - known - {"kernel", "replace"})
    if unknown:
        raise ManifestError(f"{path}: unknown key '{unknown[0]}'")

    def text(key: str) -> str:
        value = data.get(key, "")
        if not isinstance(value, str):
            raise ManifestError(f"{path}: '{key}' is not a text")
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise ManifestError(f"{path}: '{key}' is not a list of texts")
        return tuple(value)

    near = data.get("near", 1e-3)
    if not isinstance(near, float):
        raise ManifestError(f"{path}: 'near' is no number")
    entries = data.get("replace", [])
    if not isinstance(entries, list) or not entries:
        raise ManifestError(f"{path}: no [[replace]]")
    return Fix(
        name=path.stem,
        program=text("program"),
        run=text("run"),
        kernels=tuple(name.strip() for name in text("kernel").split(",")),
        rule=text("rule"),
        idea=text("idea"),
        lines=texts("lines"),
        compile=texts("compile"),
        gpu_arguments=texts("gpu_arguments"),
        check_arguments=texts("check_arguments") or texts("gpu_arguments"),
        check_compile=texts("check_compile"),
        gpu_files=texts("gpu_files"),
        check_after=text("check_after"),
        check_lines=text("check_lines"),
        near=near,
        replacements=tuple(_replacement(entry, str(path)) for entry in entries),
    )


def _replacement(entry: object, where: str) -> Replacement:
    if not isinstance(entry, dict):
        raise ManifestError(f"{where}: [[replace]] is no table")
    table = cast("Mapping[str, object]", entry)
    unknown = sorted(set(table) - {"file", "find", "pattern", "with", "times", "occurrence"})
    if unknown:
        raise ManifestError(f"{where}: [[replace]]: unknown key '{unknown[0]}'")
    file, new = table.get("file"), table.get("with")
    find, pattern = table.get("find"), table.get("pattern")
    times, occurrence = table.get("times", 1), table.get("occurrence", 0)
    if not isinstance(file, str) or not isinstance(new, str):
        raise ManifestError(f"{where}: [[replace]] wants 'file' and 'with'")
    if PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts:
        raise ManifestError(f"{where}: path '{file}' leaves the program's directory")
    if type(times) is not int or type(occurrence) is not int or times < 1 or occurrence < 0:
        raise ManifestError(f"{where}: [[replace]]: 'times' and 'occurrence' are numbers")
    if isinstance(find, str) and find and pattern is None:
        pattern = re.escape(find)
    if not isinstance(pattern, str) or not pattern:
        raise ManifestError(f"{where}: [[replace]] wants 'find' or 'pattern'")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ManifestError(f"{where}: '{pattern}': {error}") from error
    return Replacement(file, compiled, new, times, occurrence)


def copy_suite(cuda: Path, program: Program, target: Path) -> None:
    """The suite's CUDA directory at ``target``: the program's own part copied, the rest linked."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    top = program.directory.split("/", 1)[0]
    for entry in cuda.iterdir():
        if entry.name != top:
            (target / entry.name).symlink_to(entry.resolve())
    ignore = cast("Callable[[str, list[str]], set[str]]", shutil.ignore_patterns("*.tar.gz", "*.o"))
    shutil.copytree(cuda / top, target / top, ignore=ignore)


def apply(fix: Fix, directory: Path) -> None:
    """Make the fix's replacements in the program's files below ``directory``.

    Raises ManifestError where one does not fit; files before it are changed then.
    """
    for replacement in fix.replacements:
        path = directory / replacement.file
        where = f"fix {fix.name}: {replacement.file}"
        try:
            # bytes as they are: some files have a line end of their own, or a foreign letter
            text = path.read_bytes().decode("latin-1")
        except OSError as error:
            raise ManifestError(f"{where}: {error.strerror or error}") from error
        path.write_bytes(replacement.apply(text, where).encode("latin-1"))
