"""From paths to a report: which files are units, and what becomes of each.

The one entry for the command line, editors, tests and benchmarks. A unit that cannot be analysed
becomes a ``FileReport`` that says why; it never takes the other units with it. How units are run
(here, in other processes, from the cache) is the caller's choice: a ``Runner``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from drano.embedded.markers import is_python
from drano.frontend.commands.compile_database import with_compile_commands
from drano.frontend.headers.project_headers import empty_submodules
from drano.model.file_patterns import matches
from drano.model.finding import Severity
from drano.model.report import Before, Diagnostic, FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.source_files import sources_of
from drano.rules import KernelRule, active_rules
from drano.run.found_sources import CPP_SOURCES, cpp_with_kernels, find_sources
from drano.run.other_units.told_elsewhere import told_elsewhere
from drano.support.errors import IRError, IRTimeoutError
from drano.support.input_files import check_file, holds_kernel, input_kind
from drano.support.own_failures import internal_error
from drano.support.version import VERSION
from drano.triage.suppress import reader, suppress

if TYPE_CHECKING:
    from drano.analysis.incremental.remembered import KernelMemory
    from drano.run.pipeline import Memory


class Task(Struct, frozen=True):
    """One unit to analyse; ``text`` stands in for the file's content (unsaved editors); ``shown``:
    launches of its kernels in other units, as text. ``before``: of the analysis that it was told
    ``shown_before``.
    """

    path: str
    config: Config
    text: str | None = None
    shown: tuple[str, ...] = ()
    before: Before | None = None
    shown_before: tuple[str, ...] = ()


Settings = Callable[[str], Config]
Runner = Callable[[Sequence[Task]], Iterable[FileReport]]


_ROUNDS: Final = 12
"""Units learn of launches, are asked for calls, and learn of these; calls may lead to launches."""


def run_here(tasks: Sequence[Task]) -> Iterable[FileReport]:
    """The plain ``Runner``: one unit after the other, in this process."""
    return map(guarded, tasks)


def check(
    paths: Sequence[str],
    config: Config | Settings | None = None,
    run: Runner = run_here,
    texts: Mapping[str, str] | None = None,
    more: Callable[[str], Iterable[str]] = lambda _directory: (),
    rounds: int = _ROUNDS,
) -> Report:
    """Analyse files, and the CUDA sources below directories, in the order given.

    ``config``: one for all files, or a function that gives each file its own. ``run`` gives the
    reports of tasks, in their order. ``texts``: contents that stand in for those of files.
    ``more``: CUDA sources below a directory that are not told by their names. ``rounds``: how often
    units tell each other things; 0: for ``run`` that knows already what they say.
    Raises nothing for bad input: each file that cannot be analysed is a ``FileReport`` with a
    status other than ``ok``.
    """
    settings = config if callable(config) else _always(config or Config())
    unreadable: dict[str, str] = {}
    given = tuple(dict.fromkeys(map(absolute, paths)))
    folders = {
        path: _sources_below([*find_sources(path, unreadable), *more(path)], settings)
        or _sources_below(cpp_with_kernels(path), settings)
        for path in given
        if Path(path).is_dir()
    }
    files = {path for path in given if path not in folders}
    below = [path for found in folders.values() for path in found if path not in files]

    def run_all(wanted: Iterable[str]) -> None:
        todo = [path for path in dict.fromkeys(wanted) if path not in reports]
        tasks = [Task(path, settings(path), (texts or {}).get(path)) for path in todo]
        if tasks:
            reports.update(zip(todo, run(tasks), strict=True))

    # Sources first, then the headers with kernels that none of them included.
    reports: dict[str, FileReport] = {}
    run_all([*(p for p in given if p in files), *(p for p in below if not p.endswith(".cuh"))])
    covered = set(_includers(reports.values()))
    run_all(p for p in below if p.endswith(".cuh") and p not in covered and holds_kernel(p))

    dropped = _covered_by_others(reports, files)
    parts = {path: report for path, report in reports.items() if path not in dropped}
    known: Mapping[str, tuple[str, ...]] = {}
    for _ in range(rounds):
        told = told_elsewhere(parts, texts or {})
        linked = [
            Task(
                path,
                settings(path),
                (texts or {}).get(path),
                shown,
                parts[path].before if parts[path].status is FileStatus.OK else None,
                known.get(path, ()),
            )
            for path, shown in told.items()
            if shown != known.get(path)
        ]
        if not linked:
            break
        for task, later in zip(linked, run(linked), strict=True):
            parts[task.path] = parts[task.path].followed_by(later)
        known = told
    reports.update(parts)
    ordered: dict[str, FileReport] = {}
    for path in given:
        found = folders.get(path, [path])
        if path in folders and not found:
            ordered[path] = failure(
                path, "no .cu, .cu.cc or .cuh file, and no C++ or .py file with CUDA source, in it"
            )
        ordered.update((p, reports[p]) for p in found if p in reports and p not in dropped)
    for path, reason in unreadable.items():
        ordered[path] = failure(path, f"directory cannot be read: {reason}")
    domains = {str(settings(path).analysis.domain): None for path in ordered} or {"warp": None}
    notes = [f"{path}: analysed as part of the files that include it" for path in sorted(dropped)]
    notes += [
        f"{path}: no .cu file in it: its C and C++ files with kernels are taken as CUDA"
        for path, found in folders.items()
        if found and all(name.endswith(CPP_SOURCES) for name in found)
    ]
    notes += _unfetched(ordered.values())
    report = Report(tuple(ordered.values()), ", ".join(domains), VERSION, tuple(notes))
    return suppress(report, settings, reader(texts or {}, sources_of(report.files)))


def _unfetched(reports: Iterable[FileReport]) -> list[str]:
    """What may bring headers that are missing and have no stand-in; likeliest first."""
    missing = [(r.path, h.name) for r in reports for h in r.missing_headers if not h.stand_in]
    one_of_each = {Path(path).parent: path for path, _ in missing}
    empty = dict.fromkeys(p for path in one_of_each.values() for p in empty_submodules(path))
    if not empty:
        return []
    libraries = {name.partition("/")[0].lower() for _, name in missing}
    likely = [path for path in empty if Path(path).name.lower() in libraries] or list(empty)
    named = ", ".join(likely[:3]) + (" …" if len(likely) > 3 else "")
    return [f"missing headers may be in empty submodules (git submodule update --init): {named}"]


def _always(config: Config) -> Settings:
    return lambda _path: config


def check_unit(
    path: str,
    config: Config,
    source_text: str | None = None,
    *,
    memory: Memory | None = None,
    kernels: KernelMemory | None = None,
    shown: Sequence[str] = (),
    before: Before | None = None,
) -> FileReport:
    """Analyse one translation unit; ``source_text`` replaces the file's content (unsaved editors).

    ``memory``, ``kernels``, ``shown``, ``before``: see ``pipeline.analyse_unit``. A file that does
    not compile has the status ``error`` and the compiler's own diagnostics.
    May raise on a defect of drano itself; ``check`` does not.
    """
    from drano.run.pipeline import analyse_unit  # noqa: PLC0415 - loads LLVM, which cached runs need not

    path = absolute(path)
    try:
        report = analyse_unit(
            path, config, source_text, memory=memory, kernels=kernels, shown=shown, before=before
        )
    except IRError as error:
        timed_out = isinstance(error, IRTimeoutError)
        status = FileStatus.TIMEOUT if timed_out else FileStatus.ERROR
        return failure(path, str(error) if error.path != path else error.reason, status)
    if report.unchanged or not any(isinstance(r, KernelRule) for r in active_rules(config)):
        return report
    from drano.occupancy.findings import with_occupancy  # noqa: PLC0415 - for those who ask

    return with_occupancy(report, config, source_text)


def absolute(path: str) -> str:
    """``path`` absolute and normalised, with links as the user named them."""
    return os.path.abspath(path)


# --- files that fail -------------------------------------------------------------------------


def failure(path: str, reason: str, status: FileStatus = FileStatus.ERROR) -> FileReport:
    """The report of a file that could not be analysed because of ``reason``."""
    diagnostic = Diagnostic(path, 0, 0, Severity.ERROR, reason)
    return FileReport(path, status, (diagnostic,), unusable=status is not FileStatus.TIMEOUT)


def guarded(task: Task, kernels: KernelMemory | None = None) -> FileReport:
    """``check_unit``, with a defect of drano turned into one error record for this unit."""
    try:
        return check_unit(
            task.path, task.config, task.text, kernels=kernels, shown=task.shown, before=task.before
        )
    except Exception as error:
        return failure(task.path, internal_error(error))


def refusal(task: Task) -> FileReport | None:
    """What is wrong with a unit that needs no compiler to be refused: its name, or no such file."""
    options = task.config.compile
    if task.text is None and _is_missing(task.path):  # of whatever kind it would be
        return replace(failure(task.path, "no such file"), dependencies=(task.path,))
    try:
        options = with_compile_commands(task.path, options)
        kind = input_kind(task.path, options.flags)
        if task.text is None:
            check_file(task.path, kind)
    except IRError as error:
        report = failure(task.path, error.reason if error.path == task.path else str(error))
        return replace(report, dependencies=(task.path,))
    return None


def _is_missing(path: str) -> bool:
    try:
        os.lstat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False  # whoever reads it says what is wrong with it
    return False


# --- directories -----------------------------------------------------------------------------


def _sources_below(paths: Iterable[str], settings: Settings) -> list[str]:
    """Sources that their own settings do not exclude, sorted."""
    found = []
    for path in sorted(set(paths)):
        config = settings(path)
        if not matches(config.exclude, config.root, path):
            found.append(path)
    return found


def _covered_by_others(reports: Mapping[str, FileReport], files: set[str]) -> set[str]:
    """Found files that are part of another unit which could be analysed (a ``kernel.cu`` that
    ``main.cu`` includes): they are covered by that one, whether they compile by themselves or
    not, because the launches are known only there. Of two that include each other one stays.
    """
    includers = _includers(reports.values())
    dropped: set[str] = set()
    for path in sorted(set(reports) - files):
        if includers.get(path, set()) - dropped:
            dropped.add(path)
    return dropped


def _includers(reports: Iterable[FileReport]) -> dict[str, set[str]]:
    """For each file that is part of a unit which could be analysed: those units, itself apart."""
    includers: dict[str, set[str]] = {}
    for report in reports:
        if report.status is not FileStatus.OK:
            continue
        for path in report.dependencies:
            if path != report.path and not is_python(path):  # that is the source of a kernel
                includers.setdefault(path, set()).add(report.path)
    return includers
