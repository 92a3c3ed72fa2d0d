"""What the suite holds: programs, translation units, how each is compiled, where it comes from.

Read from ``manifest.toml`` and checked key by key: an unknown or missing key, an empty program, a
path that leaves the checkout is a ``ManifestError`` with the place in the file. Nothing here
touches the checkout but ``check_home``.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import NoneType
from typing import cast

from msgspec import Struct, field

from drano.model.settings import CompileOptions
from rodinia.measured.references import REFERENCES

DEFAULT = Path(__file__).parent / "manifest.toml"

_COMMIT = re.compile(r"[0-9a-f]{40}")
_LINES = re.compile(r"(\d+)(?:-(\d+))?")

Table = Mapping[str, object]


class ManifestError(Exception):
    """The manifest, or the checkout it speaks of, cannot be used; ``str()`` is one line."""


class CompileFlags(Struct, frozen=True):
    """Additions to clang's command line; ``include_dirs`` is relative to the program's place."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    force_includes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def __add__(self, other: CompileFlags) -> CompileFlags:
        return CompileFlags(
            self.include_dirs + other.include_dirs,
            self.defines + other.defines,
            self.force_includes + other.force_includes,
            self.flags + other.flags,
        )


class Unit(Struct, frozen=True):
    """One translation unit: ``path`` relative to its program's directory. ``in_authors_makefile``:
    GPUDrano's authors built (and so analysed) it.
    """

    path: str
    in_authors_makefile: bool = True
    compile: CompileFlags = CompileFlags()

    def options(self, directory: Path, base: CompileOptions) -> CompileOptions:
        """``base`` plus this unit's flags, with paths made absolute below ``directory``.

        Missing host-only headers (GL, omp) are stubbed: only device code is of interest.
        """
        extra = self.compile
        return CompileOptions(
            include_dirs=(
                *base.include_dirs,
                *(str((directory / entry).resolve()) for entry in extra.include_dirs),
            ),
            defines=base.defines + extra.defines,
            undefines=base.undefines,
            force_includes=base.force_includes + extra.force_includes,
            std=base.std,
            arch=base.arch,
            cuda_path=base.cuda_path,
            stub_missing_headers=True,
            flags=base.flags + extra.flags,
            timeout=base.timeout,
            memory=base.memory,
        )


class Run(Struct, frozen=True):
    """How a program is built and run. ``sources`` are relative to the program's directory,
    ``inputs`` are files of ``inputs.py``; ``small``: the arguments that fit small inputs;
    ``environment``: variables that it is run with; ``stubs``: headers of ours, by name, that stand
    in for ones it includes in vain. Its results: ``passes`` must match what it prints, ``fails``
    must not, ``check`` names a function of ``references.py``.
    """

    name: str
    sources: tuple[str, ...]
    arguments: tuple[str, ...]
    small: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    stubs: Mapping[str, str] = field(default_factory=dict)
    passes: str = ""
    fails: str = ""
    check: str = ""

    @property
    def checked_by(self) -> str:
        """Who says that its results are right; "" for nobody."""
        return "reference" if self.check else "the program" if self.passes or self.fails else ""


class Program(Struct, frozen=True):
    """One program directory. ``data_dependent``: line numbers by file (relative to
    ``directory``) whose cost only the input decides, read by hand. ``original_misses``:
    lines by cause and file that the original pass fails to flag, read by hand. ``paper``: what the
    paper says of it, "" where that is not known. ``authors_lines``, ``authors_seconds``: lines of
    code and seconds of the instrumented program, from the results that its authors published.
    """

    name: str
    directory: str
    units: tuple[Unit, ...]
    runs: tuple[Run, ...] = ()
    flags: CompileFlags = CompileFlags()
    licence: str = ""
    origin: str = ""
    paper: str = ""
    authors_lines: int | None = None
    authors_seconds: float | None = None
    data_dependent: Mapping[str, frozenset[int]] = field(default_factory=dict)
    original_misses: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)


class Manifest(Struct, frozen=True):
    """The whole suite. ``paper``: the paper's totals by name."""

    name: str
    url: str
    commit: str
    cuda_dir: str
    licence: str
    programs: tuple[Program, ...]
    paper: Mapping[str, int] = field(default_factory=dict)

    @property
    def units(self) -> int:
        """Translation units of all programs."""
        return sum(len(program.units) for program in self.programs)

    def program(self, name: str) -> Program:
        """By name; ``ManifestError`` lists the names there are."""
        for program in self.programs:
            if program.name == name:
                return program
        known = ", ".join(program.name for program in self.programs)
        raise ManifestError(f"no program '{name}' in the manifest; there are: {known}")

    def select(self, names: tuple[str, ...]) -> Manifest:
        """Only the named programs, in the manifest's order; all for no name."""
        if not names:
            return self
        wanted = {self.program(name).name for name in names}
        kept = tuple(program for program in self.programs if program.name in wanted)
        return Manifest(
            self.name, self.url, self.commit, self.cuda_dir, self.licence, kept, self.paper
        )


def load(path: Path = DEFAULT) -> Manifest:
    """Read and check a manifest; ``ManifestError`` names the file and what is wrong in it."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ManifestError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path}: not TOML: {error}") from error
    try:
        return _manifest(data)
    except ManifestError as error:
        raise ManifestError(f"{path}: {error}") from error


def fetch(home: Path, manifest: Manifest) -> None:
    """Clone the suite at the manifest's commit into ``home``. Raises ManifestError."""
    if home.exists() and any(home.iterdir()):
        raise ManifestError(f"{home}: is there already")
    steps = (
        ["git", "init", "--quiet", str(home)],
        ["git", "-C", str(home), "fetch", "--quiet", "--depth", "1", manifest.url, manifest.commit],
        ["git", "-C", str(home), "checkout", "--quiet", "FETCH_HEAD"],
    )
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=900, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ManifestError(f"{home}: git: {error}") from error
        if done.returncode:
            reason = done.stderr.strip().splitlines() or ["failed"]
            raise ManifestError(f"{home}: {' '.join(step[:2])}: {reason[-1]}")


def check_home(home: Path, manifest: Manifest) -> tuple[Path, str]:
    """The suite's CUDA directory in the checkout ``home``, and a warning ("" for none) when the
    checkout is known to be of another commit. ``ManifestError`` when ``home`` is no checkout.
    """
    if not home.is_dir():
        raise ManifestError(f"{home}: no such directory; give a checkout of {manifest.url}")
    cuda = (home / manifest.cuda_dir).resolve()
    if not cuda.is_dir():
        raise ManifestError(
            f"{home}: no {manifest.cuda_dir}/ in it; give a checkout of {manifest.url}"
        )
    commit = _head(home)
    if commit and commit != manifest.commit:
        return cuda, (
            f"{home} is at commit {commit[:12]}, the manifest speaks of {manifest.commit[:12]}: "
            "line numbers may differ"
        )
    return cuda, ""


def _head(home: Path) -> str:
    """Commit that a checkout's .git says it is at, "" where it cannot be told."""
    git = home / ".git"
    try:
        head = (git / "HEAD").read_text().strip()
        if head.startswith("ref: "):
            head = (git / head.removeprefix("ref: ")).read_text().strip()
    except (OSError, ValueError):
        return ""
    return head if _COMMIT.fullmatch(head) else ""


def _manifest(data: Table) -> Manifest:
    _only(data, {"suite", "paper", "programs"}, "the top level")
    suite = _table(data, "suite", "the top level")
    _only(suite, {"name", "url", "commit", "cuda_dir", "licence"}, "[suite]")
    commit = _text(suite, "commit", "[suite]")
    if not _COMMIT.fullmatch(commit):
        raise ManifestError("[suite]: commit is not a full commit id")
    programs = tuple(_program(entry) for entry in _tables(data, "programs", "the top level"))
    if not programs:
        raise ManifestError("no [[programs]]")
    _unique([program.name for program in programs], "[[programs]]: name")
    paper = data.get("paper", {})
    if not isinstance(paper, dict) or not all(type(value) is int for value in paper.values()):
        raise ManifestError("[paper]: only whole numbers belong here")
    return Manifest(
        name=_text(suite, "name", "[suite]"),
        url=_text(suite, "url", "[suite]"),
        commit=commit,
        cuda_dir=_inside(_text(suite, "cuda_dir", "[suite]"), "[suite]"),
        licence=_text(suite, "licence", "[suite]"),
        programs=programs,
        paper=cast("dict[str, int]", paper),
    )


_FLAG_KEYS = {"include_dirs", "defines", "force_includes", "flags"}


def _program(entry: Table) -> Program:
    name = _text(entry, "name", "[[programs]]")
    place = f"program {name}"
    known = {"name", "directory", "units", "runs", "licence", "origin", "paper", "authors"}
    read_by_hand = {"data_dependent", "original_misses"}
    _only(entry, known | read_by_hand | _FLAG_KEYS, place)
    directory = _inside(_text(entry, "directory", place), place)
    shared = _flags(entry, place)
    units = tuple(_unit(unit, shared, place) for unit in _tables(entry, "units", place))
    if not units:
        raise ManifestError(f"{place}: no units")
    _unique([unit.path for unit in units], f"{place}: unit")
    authors = _table(entry, "authors", place, default={})
    _only(authors, {"lines", "seconds"}, f"{place}, authors")
    lines, seconds = authors.get("lines"), authors.get("seconds")
    if type(lines) not in {int, NoneType} or type(seconds) not in {int, float, NoneType}:
        raise ManifestError(f"{place}, authors: lines and seconds are numbers")
    return Program(
        name=name,
        directory=directory,
        units=units,
        runs=tuple(_run(run, place) for run in _tables(entry, "runs", place, default=[])),
        flags=shared,
        licence=_text(entry, "licence", place, default=""),
        origin=_text(entry, "origin", place, default=""),
        paper=_text(entry, "paper", place, default=""),
        authors_lines=cast("int | None", lines),
        authors_seconds=cast("float | None", seconds),
        data_dependent=_lines(entry, "data_dependent", place),
        original_misses=_original_misses(entry, place),
    )


def _run(entry: Table, place: str) -> Run:
    name = _text(entry, "name", place)
    place = f"{place}, run {name}"
    known = {"name", "sources", "arguments", "small", "inputs", "compile", "environment", "stubs"}
    _only(entry, known | {"passes", "fails", "check"}, place)
    sources = tuple(_inside(source, place) for source in _texts(entry, "sources", place))
    if not sources:
        raise ManifestError(f"{place}: no sources")
    arguments = _texts(entry, "arguments", place)
    check = _text(entry, "check", place, default="")
    if check and check not in REFERENCES:
        raise ManifestError(f"{place}: no reference '{check}'")
    return Run(
        name=_inside(name, place),
        sources=sources,
        arguments=arguments,
        small=_texts(entry, "small", place) or arguments,
        inputs=tuple(_inside(path, place) for path in _texts(entry, "inputs", place)),
        compile=_texts(entry, "compile", place),
        environment=_named(entry, "environment", place),
        stubs={_inside(name, place): text for name, text in _named(entry, "stubs", place).items()},
        passes=_pattern(entry, "passes", place),
        fails=_pattern(entry, "fails", place),
        check=check,
    )


def _pattern(entry: Table, key: str, place: str) -> str:
    text = _text(entry, key, place, default="")
    try:
        re.compile(text)
    except re.error as error:
        raise ManifestError(f"{place}: '{key}' is no regular expression: {error}") from error
    return text


def _unit(entry: Table, shared: CompileFlags, place: str) -> Unit:
    path = _inside(_text(entry, "path", place), place)
    place = f"{place}, unit {path}"
    _only(entry, {"path", "makefile"} | _FLAG_KEYS, place)
    makefile = entry.get("makefile", True)
    if not isinstance(makefile, bool):
        raise ManifestError(f"{place}: makefile is true or false")
    return Unit(path, makefile, shared + _flags(entry, place))


def _flags(entry: Table, place: str) -> CompileFlags:
    return CompileFlags(
        include_dirs=_texts(entry, "include_dirs", place),
        defines=_texts(entry, "defines", place),
        force_includes=_texts(entry, "force_includes", place),
        flags=_texts(entry, "flags", place),
    )


def _original_misses(entry: Table, place: str) -> dict[str, Mapping[str, frozenset[int]]]:
    causes = _table(entry, "original_misses", place, default={})
    return {cause: _lines(causes, cause, f"{place}: original_misses") for cause in causes}


def _lines(entry: Table, key: str, place: str) -> dict[str, frozenset[int]]:
    """Line numbers by file: ``{ "a.cu" = ["3", "7-9"] }``."""
    lines: dict[str, frozenset[int]] = {}
    table = _table(entry, key, place, default={})
    for file in table:
        numbers: set[int] = set()
        for text in _texts(table, file, f"{place}: {key}"):
            match = _LINES.fullmatch(text)
            if not match:
                raise ManifestError(f"{place}: {key}: '{text}' is no line or range")
            first = int(match[1])
            last = int(match[2] or first)
            if not 0 < first <= last < 1_000_000:
                raise ManifestError(f"{place}: {key}: '{text}' is no range of lines")
            numbers.update(range(first, last + 1))
        lines[_inside(file, place)] = frozenset(numbers)
    return lines


# --- reading typed values from TOML ------------------------------------------------------------


def _only(table: Table, known: set[str], place: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise ManifestError(f"{place}: unknown key '{unknown[0]}'")


def _text(table: Table, key: str, place: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if value is None:
        raise ManifestError(f"{place}: '{key}' is missing")
    if not isinstance(value, str) or (not value and default is None):
        raise ManifestError(f"{place}: '{key}' is not a text")
    return value


def _texts(table: Table, key: str, place: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ManifestError(f"{place}: '{key}' is not a list of texts")
    return tuple(value)


def _named(table: Table, key: str, place: str) -> dict[str, str]:
    entries = _table(table, key, place, default={})
    return {name: _text(entries, name, place, default="") for name in entries}


def _table(table: Table, key: str, place: str, default: Table | None = None) -> Table:
    value = table.get(key, default)
    if not isinstance(value, dict):
        raise ManifestError(f"{place}: '{key}' is missing or no table")
    return cast("dict[str, object]", value)


def _tables(table: Table, key: str, place: str, default: list[Table] | None = None) -> list[Table]:
    value = table.get(key, default)
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise ManifestError(f"{place}: '{key}' is missing or no list of tables")
    return cast("list[Table]", value)


def _inside(path: str, place: str) -> str:
    """``path`` if it is relative and stays below where it starts."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        raise ManifestError(f"{place}: path '{path}' leaves the checkout")
    return path


def _unique(values: list[str], what: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ManifestError(f"{what} '{value}' is there twice")
