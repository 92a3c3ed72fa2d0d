"""The chosen units analysed, with progress and failures on standard error; a table's rows."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TextColumn

from drano.model.report import FileStatus
from drano.model.settings import AnalysisOptions, Config, Domain, View
from rodinia import check
from rodinia.measured import truth
from rodinia.programs.analyse import UnitResult, analyse
from rodinia.programs.manifest import Manifest


def analysed(
    arguments: argparse.Namespace, chosen: Manifest, cuda: Path, domain: Domain,
    extra: tuple[str, ...] = (),
) -> tuple[tuple[UnitResult, ...], float]:  # fmt: skip
    """All units with a progress line on a terminal; results and wall-clock seconds. ``extra``:
    rules besides those that are on by default.
    """
    options_ = AnalysisOptions(domain=domain, tid_y=arguments.tid_y, view=View(arguments.view))
    config = Config(analysis=options_, extend_select=extra)
    started = time.perf_counter()
    columns = (*Progress.get_default_columns(), TextColumn("{task.fields[unit]}"))
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as progress:
        task = progress.add_task(str(domain), total=chosen.units, unit="")
        results = analyse(
            chosen,
            cuda,
            config,
            arguments.jobs,
            lambda done: progress.update(task, advance=1, unit=f"{done.program}/{done.unit.path}"),
        )
    return results, time.perf_counter() - started


def failures(results: Sequence[UnitResult]) -> int:
    """Report units that failed on standard error; 2 if there are any, else 0."""
    failed = [r for r in results if r.report.status is not FileStatus.OK]
    for result in failed:
        reason = check.reason_of(result)
        print(f"rodinia: {result.program}: {reason}", file=sys.stderr)
    return 2 if failed else 0


def rows_of(chosen: Manifest, rows: Sequence[truth.HardwareRow]) -> tuple[truth.HardwareRow, ...]:
    """The rows that are about the chosen programs."""
    directories = tuple(f"{program.directory}/" for program in chosen.programs)
    return tuple(row for row in rows if row.file.startswith(directories))
