"""Launches of a unit's kernels in the other units of a run.

A kernel declared in one unit and defined in another is one kernel, by its mangled name, if the
linker sees it. What each unit shows of kernels that it does not define (``FileReport.shown``) holds
for the unit that does: that one is analysed again, with these launches beside its own.

A host function that launches what it is given, or as it is given, may be called in another unit: a
unit whose text does so is asked for these calls, which is a text among its own; what it answers
(among ``shown``) is told to the unit with the function.

A launch of unknown shape is added where not all launches of a kernel are known: if several units
define its symbol, of which one is meant; or if a unit whose host code was not read (it has no
launch, or could not be analysed) does more with the kernel's name than declare it.

Limits: a name that a macro pastes together is not seen in the text of a unit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from drano.frontend.template_instances import base_name
from drano.frontend.text.cpp_lexer import LITERALS, blanked, identifiers
from drano.frontend.text.source_without_kernels import host_part, without_comments
from drano.host.cross_unit import (
    HostCall,
    call_text,
    moves_pointers,
    question_text,
    shared_text,
)
from drano.host.launching.launch_text import unknown_launch
from drano.model.report import FileReport, FileStatus, KernelInfo, OpenFunction
from drano.run.other_units.function_mentions import ARGUMENTS, may_call
from drano.support.input_files import MAX_BYTES, is_source
from drano.support.regular_files import regular_or_empty

_KERNEL = b"__global__"
_NO_NAMES = re.compile(
    rb"^[ \t]*#[ \t]*(?:include|error|pragma|if\w*|el\w+|endif|undef)\b[^\n]*", re.M
)
_INTERNAL = ("_ZL", "_ZN12_GLOBAL__N_1")


def launches_elsewhere(
    reports: Mapping[str, FileReport], texts: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """For each unit of which other units launch or name a kernel, or call a function: these
    launches, calls, and questions for calls, as text, sorted (``host.cross_unit``).

    ``reports``: of all units, by path; ``texts``: contents that stand in for those of files.
    """
    shown: dict[str, set[str]] = {}
    for report in reports.values():
        for launch in report.shown:
            shown.setdefault(launch.symbol, set()).add(launch.text)
    defined: dict[str, dict[str, KernelInfo]] = {}
    for path, report in reports.items():
        for kernel in report.kernels:
            if kernel.symbol in shown or (kernel.launch_sites and not _is_internal(kernel)):
                defined.setdefault(kernel.symbol, {})[path] = kernel
    functions: dict[OpenFunction, set[str]] = {}
    for path, report in reports.items():
        for function in report.open_functions:
            functions.setdefault(function, set()).add(path)
    variables = {name for report in reports.values() for name in report.open_variables}
    if not (defined or functions or variables) or len(reports) < 2:
        return {}
    words = {base_name(k.name) for definers in defined.values() for k in definers.values()}
    words |= variables | {word for f in functions for word in (f.name, f.scope) if word}
    files = _Texts(frozenset(map(os.fsencode, words)) | {_KERNEL}, texts)
    for symbol, text in _named_in_texts(reports, defined, files):
        shown.setdefault(symbol, set()).add(text)
    found: dict[str, set[str]] = {}
    for symbol, definers in defined.items():
        launches = shown.get(symbol, set())
        for path, kernel in definers.items() if launches else ():
            several = {unknown_launch(symbol, base_name(kernel.name), path)}
            found.setdefault(path, set()).update(launches, several if len(definers) > 1 else ())
    for function, owners in functions.items():
        asked = set(_callers(function, reports.keys() - owners, reports, files))
        able = {p for p in asked if reports[p].status is FileStatus.OK and is_source(p)}
        calls = shown.get(function.symbol, set())
        if able != asked:
            calls = calls | {call_text(HostCall(function.symbol, None))}
        if function.only_pointers and not any(map(moves_pointers, calls)):
            calls = set()
        for path in able:
            found.setdefault(path, set()).add(question_text(function.symbol, function.name))
        for path in owners if calls else ():
            found.setdefault(path, set()).update(calls)
    for path, report in reports.items():
        for name in report.open_variables:
            if _is_declared(name, path, reports, files):
                found.setdefault(path, set()).add(shared_text(name))
    return {path: tuple(sorted(launches)) for path, launches in sorted(found.items())}


def linked(reports: Iterable[FileReport], changed: Iterable[FileReport]) -> set[str]:
    """Paths of ``changed``, and of all units that launches, or calls of device functions, connect
    with one of them.
    """
    units = list(reports)
    reached = {report.path for report in changed}
    if reached:  # any of them may declare such a variable
        reached |= {report.path for report in units if report.open_variables}
    names = {
        report.path: {launch.symbol for launch in report.shown}
        | {*report.lacks, *(offer.symbol for offer in report.offers)}
        | {kernel.symbol for kernel in report.kernels}
        | {function.symbol for function in report.open_functions}
        for report in units
    }
    launched = {launch.symbol for report in units for launch in report.shown}
    launched |= {name for report in units for name in report.lacks}
    launched |= {name for report in units for offer in report.offers for name in offer.needs}
    while True:
        touched = {name for path in reached for name in names.get(path, ())} & launched
        more = {path for path, own in names.items() if not own.isdisjoint(touched)}
        if more <= reached:
            return reached
        reached |= more


def _is_internal(kernel: KernelInfo) -> bool:
    """Whether no other unit can mean the kernel."""
    return kernel.symbol.startswith(_INTERNAL)


# --- units whose host code was not read --------------------------------------------------------


def _named_in_texts(
    reports: Mapping[str, FileReport],
    defined: Mapping[str, Mapping[str, KernelInfo]],
    files: _Texts,
) -> Iterator[tuple[str, str]]:
    """Symbols with launches of unknown shape, of kernels that the text of a unit names."""
    symbols: dict[bytes, set[str]] = {}
    for symbol, definers in defined.items():
        for kernel in definers.values():
            symbols.setdefault(os.fsencode(base_name(kernel.name)), set()).add(symbol)
    for path, report in reports.items():
        if report.host_read and report.status is FileStatus.OK:
            continue
        names = report.host_dependencies or (path,)
        present = files.words_of(names)
        if _KERNEL not in present:
            continue
        for name in sorted(present & symbols.keys()):
            if _is_named(name, [files.code(file) for file in names if name in files.words(file)]):
                for symbol in symbols[name]:
                    yield symbol, unknown_launch(symbol, os.fsdecode(name), path)


class _Texts(Struct):
    """Files read once. ``wanted``: the words that matter; ``given``: contents of some files."""

    wanted: frozenset[bytes]
    given: Mapping[str, str]
    _words: dict[str, frozenset[bytes]] = field(default_factory=dict)
    _code: dict[str, bytes] = field(default_factory=dict)
    _together: dict[tuple[str, ...], frozenset[bytes]] = field(default_factory=dict)

    def words(self, path: str) -> frozenset[bytes]:
        """Those of the wanted words that are in a file."""
        if path not in self._words:
            self._words[path] = self.wanted.intersection(identifiers(self._read(path)))
        return self._words[path]

    def words_of(self, paths: tuple[str, ...]) -> frozenset[bytes]:
        """Those that are in any of several files."""
        if paths not in self._together:
            self._together[paths] = frozenset[bytes]().union(*map(self.words, paths))
        return self._together[paths]

    def code(self, path: str) -> bytes:
        """A file's text without the bodies of kernels, comments, includes and literals."""
        if path not in self._code:
            plain = without_comments(host_part(self._read(path)).text)
            self._code[path] = _NO_NAMES.sub(b"", blanked(plain, LITERALS))
        return self._code[path]

    def _read(self, path: str) -> bytes:
        if path in self.given:
            return os.fsencode(self.given[path])
        return regular_or_empty(path, MAX_BYTES)


def _callers(
    function: OpenFunction,
    paths: Iterable[str],
    reports: Mapping[str, FileReport],
    files: _Texts,
) -> Iterator[str]:
    """Units that may call another's function: they name it, and its class."""
    word = os.fsencode(function.name)
    wanted = {word, os.fsencode(function.scope)} - {b""}
    for path in sorted(paths):
        parts = reports[path].host_dependencies or (path,)
        if not wanted <= files.words_of(parts):
            continue
        if may_call(word, [files.code(file) for file in parts if word in files.words(file)]):
            yield path


def _is_declared(
    variable: str, owner: str, reports: Mapping[str, FileReport], files: _Texts
) -> bool:
    """Whether the text of a unit that is not the variable's own declares it ``extern``."""
    name = os.fsencode(variable)
    declared = re.compile(rb"\bextern\b[^;{}]*\b" + re.escape(name) + rb"\b")
    for path, report in reports.items():
        parts = (report.host_dependencies or (path,)) if path != owner else ()
        if name in files.words_of(parts) and any(
            declared.search(files.code(part)) for part in parts if name in files.words(part)
        ):
            return True
    return False


def _is_named(name: bytes, texts: Sequence[bytes]) -> bool:
    """Whether texts declare a function of a name, and use the name in another way."""
    word = rb"\b" + re.escape(name) + rb"\b"
    declared = re.compile(word + rb"\s*" + ARGUMENTS + rb"\(")
    otherwise = re.compile(word + rb"(?!\s*" + ARGUMENTS + rb"\()")
    return any(map(declared.search, texts)) and any(map(otherwise.search, texts))
