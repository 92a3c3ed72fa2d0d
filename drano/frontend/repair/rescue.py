"""Makes a unit with errors give the IR of what is sound in it.

Most errors are in host code, of libraries that are not installed: no kernel needs it. So first
every device function whose body has errors gets another body, and every declaration with errors is
taken out (``culprits``, ``removed_text``), until nothing new is found. What is then left are errors
of the host alone: the unit is written as a precompiled header, errors and all, and that is compiled
(``broken_pch``); where clang breaks down over that header, host functions with errors go,
too, and the rest is compiled as it is. Which kernels the errors cost is told from the IR
(``lost_kernels``).

Assumptions: clang makes no code of host functions on the device side, so that their errors cannot
reach it. Limits: ``_MOST_ROUNDS`` rounds; a unit that still changes then is given up.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.clang_flags import GO_ON
from drano.frontend.clang_messages import parse_messages
from drano.frontend.headers.prelude_pch import EMIT, FILE_SIZE, included
from drano.frontend.repair.broken_pch import clear_error_mark
from drano.frontend.repair.culprits import Culprit, Role, find_culprits
from drano.frontend.repair.lost_kernels import withdraw
from drano.frontend.repair.removed_text import blot
from drano.frontend.repair.skipped_kernels import may_hide_kernel
from drano.model.finding import Severity
from drano.model.report import Diagnostic, NotAnalysed
from drano.model.system_headers import is_system_header
from drano.support.errors import IRError
from drano.support.input_files import MAX_IR_BYTES, InputKind, read_input
from drano.support.limited_process import run_limited

_MOST_ROUNDS = 12
# libclang corrects no spelling either, so that both say the same.
_TOLERANT = ("-ferror-limit=0", "-Wno-invalid-constexpr", "-fno-spell-checking")
_ALLOW = ("-Xclang", "-fallow-pch-with-compiler-errors")
_HEADER = "unit.pch"
_MISSING = "file not found"
_LAUNCH = re.compile(rb"\b(\w+)\s*(?:<[^;{}]{0,400}?>\s*)?<<<")
_NO_TYPE = ("unknown type name", "a type specifier is required")


_Places: TypeAlias = tuple[tuple[str, int, int, str], ...]
"""Of errors: file, line, column, message."""


class Command(Protocol):
    """clang's command for a unit, but for input and outputs, with ``texts`` in place of files."""

    def __call__(self, texts: dict[str, bytes], *, precompiled: bool) -> list[str]:
        """``precompiled``: a precompiled prelude may be used."""
        ...


class Job(Struct, frozen=True):
    """``path``: absolute; ``clang``: its version; ``sdk``: root of the CUDA headers;
    ``directory``: for files that we make.
    """

    path: str
    command: Command
    clang: tuple[int, ...]
    sdk: Path
    directory: Path


class Rescued(Struct, frozen=True):
    """``ir`` holds no kernel of ``not_analysed``; ``host_errors``: what no kernel needs."""

    ir: str
    not_analysed: tuple[NotAnalysed, ...]
    host_errors: tuple[Diagnostic, ...]


def rescue(job: Job, texts: dict[str, bytes], *, until: float, memory: int) -> Rescued | None:
    """The IR of what compiles of a unit; None when it could not be had.

    ``texts``: what stands in the place of files; ``until``: on the monotonic clock.
    """
    marked: tuple[Culprit, ...] = ()
    others: dict[Culprit, None] = {}
    places: _Places = ()
    precompiled = True
    crashed = False
    for _ in range(_MOST_ROUNDS):
        arguments = [*job.command(texts, precompiled=precompiled)[1:], *_TOLERANT]
        left = until - time.monotonic()
        if left <= 0:
            return None
        try:
            culprits = find_culprits(job.path, arguments, places, left, memory)
        except IRError:
            return None
        others |= dict.fromkeys(c for c in culprits if c.role is not Role.BODY)
        wrong = [_in_the_way(c) if _stands(c, places) else c for c in culprits]
        changed, new = blot(wrong, texts, _text_of, len(marked))
        before, places = places, ()
        blotted = changed != texts
        if blotted:
            precompiled = precompiled and not any(_is_precompiled(name, job) for name in changed)
            texts, marked, before = changed, marked + new, ()
        if crashed:
            command = [*job.command(texts, precompiled=precompiled), *_TOLERANT]
            command += ["-MD", "-MF", str(job.directory / "unit.d"), *GO_ON]
            outcome = _output(job, [*command, job.path], until, memory)
        else:
            command = [*job.command(texts, precompiled=precompiled), *_TOLERANT, *_ALLOW]
            errors = _precompile(job, command, until, memory)
            if blotted and not errors <= {
                _error(c.file, c.line, c.column, c.message) for c in others
            }:
                continue
            outcome = _compile(job, command, until, memory)
            crashed = outcome == ()
        if isinstance(outcome, str):
            ir, lost = withdraw(outcome, marked, others, _launched(job.path, others, texts))
            host = _host_errors(others)
            nothing = not lost and " ptx_kernel " not in ir
            # An error of no declaration may have hidden the kernels of the rest of the file.
            hidden = nothing and _hides(job.path, others, texts)
            return None if hidden else Rescued(ir, lost, host)
        places = outcome or _of_host(culprits)
        if not places or places == before:
            return None
    return None


def _is_precompiled(name: str, job: Job) -> bool:
    """Whether a file may be among those that are precompiled for all units."""
    return Path(name).is_relative_to(job.sdk) or is_system_header(os.path.normpath(name))


def _of_host(culprits: Sequence[Culprit]) -> _Places:
    """Places of the errors that are in functions of the host."""
    return tuple((c.file, c.line, c.column, c.message) for c in culprits if c.role is Role.HOST)


def _hides(path: str, others: Iterable[Culprit], texts: dict[str, bytes]) -> bool:
    missing = any(c.message.endswith(_MISSING) for c in others)
    return any(
        # What no missing header explains is the file's own error, if it stands there.
        (c.file == path and not missing) or may_hide_kernel(_now(c.file, texts), c.line, c.message)
        for c in others
        if c.role is Role.NONE or (c.role is Role.HOST and c.message.startswith(_NO_TYPE))
        if not c.message.endswith(_MISSING)
    )


def _launched(path: str, others: Iterable[Culprit], texts: dict[str, bytes]) -> frozenset[str]:
    """Names before ``<<<``, with or without template arguments, in files with errors."""
    files = {path, *(c.file for c in others)}
    names = (match[1] for file in files for match in _LAUNCH.finditer(_now(file, texts)))
    return frozenset(name.decode("utf-8", "replace") for name in names)


def _now(name: str, texts: dict[str, bytes]) -> bytes:
    return texts.get(name) or _text_of(name) or b""


def _stands(culprit: Culprit, places: _Places) -> bool:
    return any(place[1:] == (culprit.line, culprit.column, culprit.message) for place in places)


def _in_the_way(culprit: Culprit) -> Culprit:
    """A host function that stops code generation goes as a whole."""
    return replace(culprit, role=Role.FUNCTION) if culprit.role is Role.HOST else culprit


def _text_of(name: str) -> bytes | None:
    try:
        return read_input(name, InputKind.CUDA)
    except IRError:
        return None


def _host_errors(others: Sequence[Culprit] | dict[Culprit, None]) -> tuple[Diagnostic, ...]:
    found = {
        Diagnostic(c.file, c.line, c.column, Severity.ERROR, c.message): None
        for c in others
        if not c.message.endswith(_MISSING)
    }
    return tuple(found)


def _precompile(
    job: Job, command: Sequence[str], until: float, memory: int
) -> set[tuple[str, int, int, str]]:
    """Makes the unit's precompiled header: the errors in it."""
    whole = [word for word in command if word != "-emit-llvm"]
    whole += [*EMIT, "-MD", "-MF", str(job.directory / "unit.d"), *GO_ON]
    header = job.directory / _HEADER
    header.unlink(missing_ok=True)
    _, messages = _run([*whole, "-o", str(header), job.path], until, memory, FILE_SIZE)
    return {_error(d.path, d.line, d.column, d.message) for d in _errors(messages, job)}


def _error(path: str, line: int, column: int, message: str) -> tuple[str, int, int, str]:
    """An error by whichever of its file's names."""
    return os.path.realpath(path), line, column, message


def _compile(job: Job, command: Sequence[str], until: float, memory: int) -> str | _Places:
    """The IR of what is precompiled, or the places of errors that stand in its way: () when there
    is no way. ``command``: the one that it was precompiled by; a new one dates its texts anew.
    """
    header = job.directory / _HEADER
    if not header.is_file() or not clear_error_mark(header, (job.clang[0], job.clang[1])):
        return ()
    empty = job.directory / "empty.cu"
    empty.write_bytes(b"")
    return _output(job, [*_without_includes(command), *included(header), str(empty)], until, memory)


def _output(job: Job, command: Sequence[str], until: float, memory: int) -> str | _Places:
    output = job.directory / "unit.ll"
    output.unlink(missing_ok=True)
    status, messages = _run([*command, "-o", str(output)], until, memory, MAX_IR_BYTES)
    if status == 0 and output.is_file():
        return output.read_text(encoding="utf-8", errors="replace")
    return tuple((d.path, d.line, d.column, d.message) for d in _errors(messages, job))


def _errors(messages: str, job: Job) -> list[Diagnostic]:
    said = parse_messages(messages, job.path)
    return [d for d in said if d.severity is Severity.ERROR and d.line]


def _run(arguments: Sequence[str], until: float, memory: int, file_size: int) -> tuple[int, str]:
    left = until - time.monotonic()
    if left <= 0:
        return -1, ""
    try:
        done = run_limited(arguments, timeout=left, memory=memory, file_size=file_size)
    except (OSError, ValueError):
        return -1, ""
    return (-1 if done.timed_out else done.status), done.stderr


def _without_includes(command: Sequence[str]) -> list[str]:
    """Without the files that are included first: they are in the precompiled header."""
    kept: list[str] = []
    rest = list(command)
    while rest:
        word = rest.pop(0)
        if word == "-include":
            rest.pop(0)
        elif word == "-Xclang" and rest[:1] == ["-include-pch"]:
            del rest[:3]
        else:
            kept.append(word)
    return kept
