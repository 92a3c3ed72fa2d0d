"""The whole pipeline, from paths to a report, readable top to bottom.

The one entry for the command line, editors, tests and benchmarks. A unit that cannot be analysed
becomes a ``FileReport`` that says why; it never takes the other units with it.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path

from drano import __version__
from drano.analysis import analyse_module
from drano.analysis.rules import run_rules
from drano.config import Config
from drano.finding import Diagnostic, FileReport, FileStatus, Report, Severity, Timings
from drano.ir.clang import compile_unit
from drano.ir.errors import IRError
from drano.ir.prepare import prepare
from drano.ir.reader import read_module
from drano.ir.unit import LaunchSite
from drano.ir.unit_launches import unit_launches

log = logging.getLogger(__name__)

UNIT_SUFFIXES = (".cu", ".cuh")
IR_SUFFIXES = (".ll", ".bc")
# What a tree holds besides its own sources.
SKIPPED_DIRECTORIES = frozenset({"build", "dist", "node_modules", "venv", "__pycache__"})


def check(paths: Sequence[str], config: Config | None = None) -> Report:
    """Analyse files, and the CUDA sources below directories, in the order given.

    Raises nothing for bad input: each file that cannot be analysed is a ``FileReport`` with a
    status other than ``ok``.
    """
    config = config or Config()
    reports: dict[str, FileReport] = {}
    notes: list[str] = []
    for path in dict.fromkeys(map(absolute, paths)):
        if Path(path).is_dir():
            _check_directory(path, config, reports, notes)
        elif path not in reports:
            reports[path] = _guarded(path, config)
    return Report(
        files=tuple(reports.values()),
        domain=str(config.analysis.domain),
        version=__version__,
        notes=tuple(notes),
    )


def check_unit(path: str, config: Config, source_text: str | None = None) -> FileReport:
    """Analyse one translation unit; ``source_text`` replaces the file's content (unsaved editors).

    A file that does not compile has the status ``error`` and the compiler's own diagnostics.
    May raise on a defect of drano itself; ``check`` does not.
    """
    path = absolute(path)
    try:
        return _analyse(path, config, source_text)
    except IRError as error:
        return failure(path, str(error) if error.path != path else error.reason)


def _analyse(path: str, config: Config, source_text: str | None) -> FileReport:
    unit = compile_unit(path, config.compile, source_text=source_text)
    if unit.ir is None:
        return FileReport(
            path=path,
            status=FileStatus.ERROR,
            diagnostics=unit.diagnostics or (_error(path, "does not compile"),),
            dependencies=unit.dependencies,
            timings=Timings(clang=unit.seconds),
        )
    # Only now: libclang runs in this process, on what clang has accepted within its time limit.
    started = time.perf_counter()
    launches = _launches(path, config, source_text)
    clang_seconds = unit.seconds + time.perf_counter() - started

    started = time.perf_counter()
    limits = config.compile
    prepared = prepare(
        unit.ir, path, trusted=not _is_ir(path), timeout=limits.timeout, memory=limits.memory
    )
    prepare_seconds = time.perf_counter() - started

    started = time.perf_counter()
    module = read_module(prepared)
    read_seconds = time.perf_counter() - started

    started = time.perf_counter()
    result = analyse_module(module, launches, config.analysis)
    findings = run_rules(result.accesses, config)
    analyse_seconds = time.perf_counter() - started

    diagnostics = unit.diagnostics
    if not result.kernels:
        diagnostics += (Diagnostic(path, 0, 0, Severity.NOTE, "no kernel in this file"),)
    return FileReport(
        path=path,
        status=FileStatus.OK,
        diagnostics=diagnostics,
        kernels=result.kernels,
        accesses=result.accesses,
        findings=findings,
        dependencies=unit.dependencies,
        timings=Timings(clang_seconds, prepare_seconds, read_seconds, analyse_seconds),
    )


def absolute(path: str) -> str:
    """``path`` absolute and normalised, with links as the user named them."""
    return os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow the links


def _is_ir(path: str) -> bool:
    """Whether the file is IR that somebody wrote, not source for our own compiler."""
    return path.lower().endswith(IR_SUFFIXES)


def _launches(path: str, config: Config, source_text: str | None) -> tuple[LaunchSite, ...]:
    """Launch sites in the file's host code; none where it is IR already."""
    if _is_ir(path):
        return ()
    text = None if source_text is None else source_text.encode("utf-8", "surrogateescape")
    launches = unit_launches(path, config.compile, text)
    if launches.reason:
        log.info("%s: launches not read: %s", path, launches.reason)
    return launches.sites


# --- files that fail -------------------------------------------------------------------------


def failure(path: str, reason: str) -> FileReport:
    """The report of a file that could not be analysed because of ``reason``."""
    return FileReport(path, FileStatus.ERROR, diagnostics=(_error(path, reason),))


def _error(path: str, reason: str) -> Diagnostic:
    return Diagnostic(path, 0, 0, Severity.ERROR, reason)


def _guarded(path: str, config: Config) -> FileReport:
    """``check_unit``, with a defect of drano turned into one error record for this unit."""
    try:
        return check_unit(path, config)
    except Exception as error:
        if os.environ.get("DRANO_DEBUG"):
            log.exception("while analysing %s", path)
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return failure(
            path,
            f"internal error ({reason}); please report it, with the traceback that "
            "DRANO_DEBUG=1 prints",
        )


# --- directories -----------------------------------------------------------------------------


def _check_directory(
    root: str, config: Config, reports: dict[str, FileReport], notes: list[str]
) -> None:
    """Analyse the sources below ``root`` into ``reports``.

    Sources first, then the headers with kernels that none of them included. A file that is part
    of another unit which could be analysed (a ``kernel.cu`` that ``main.cu`` includes) is covered
    by that one, whether it compiles by itself or not: the launches are known only there.
    """
    found = find_sources(root)
    if not found:
        reports[root] = failure(root, "no .cu or .cuh file in this directory")
        return
    done: dict[str, FileReport] = {}
    for path in (path for path in found if not path.endswith(".cuh")):
        if path not in reports:
            done[path] = _guarded(path, config)
    covered = set(_includers([*reports.values(), *done.values()]))
    for path in (path for path in found if path.endswith(".cuh")):
        if path not in reports and path not in covered and holds_kernel(path):
            done[path] = _guarded(path, config)
    includers = _includers([*reports.values(), *done.values()])
    dropped: set[str] = set()
    for path in sorted(done):
        if includers.get(path, set()) - dropped:
            dropped.add(path)
            notes.append(f"{path}: analysed as part of the files that include it")
        else:
            reports[path] = done[path]


def find_sources(root: str) -> list[str]:
    """Absolute paths of the .cu and .cuh files below ``root``, sorted.

    Hidden and build directories are left out, links to directories are not followed.
    """
    found: list[str] = []
    for folder, directories, names in os.walk(root):
        directories[:] = sorted(
            name for name in directories if name[0] != "." and name not in SKIPPED_DIRECTORIES
        )
        found += [
            os.path.join(folder, name)  # noqa: PTH118 - os.walk gives text
            for name in sorted(names)
            if name.endswith(UNIT_SUFFIXES) and name[0] != "."
        ]
    return sorted(found)


def holds_kernel(path: str) -> bool:
    """Whether the text mentions ``__global__``; False when it cannot be read."""
    try:
        return b"__global__" in Path(path).read_bytes()
    except OSError:
        return False


def _includers(reports: Sequence[FileReport]) -> dict[str, set[str]]:
    """For each file that is part of a unit which could be analysed: those units, itself apart."""
    includers: dict[str, set[str]] = {}
    for report in reports:
        if report.status is not FileStatus.OK:
            continue
        for path in report.dependencies:
            if path != report.path:
                includers.setdefault(path, set()).add(report.path)
    return includers
