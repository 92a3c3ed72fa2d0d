"""``python -m rodinia check``: every unit of the suite through drano, as a table.

Accesses are counted once per (kernel, ordinal) of a unit that compiled; findings once per
(rule, place, kernel) of a program, as drano reports them. Exit status 2 when a unit fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich.console import Console

from drano.model.finding import Severity
from drano.model.report import FileStatus, Report, Timings
from rodinia.measured.lines import is_global
from rodinia.pages import show
from rodinia.programs.analyse import UnitResult

COLUMNS = ("program", "units", "kernels", "global accesses", "findings", "clang s", "own s")


class ProgramRow(Struct, frozen=True):
    """One line of the table. ``failures``: (unit, reason) of each unit that did not make it."""

    program: str
    units: int
    compiled: int
    kernels: int
    accesses: int
    findings: int
    timings: Timings
    failures: tuple[tuple[str, str], ...] = ()

    @property
    def cells(self) -> tuple[show.Cell, ...]:
        """As the table shows it."""
        return (
            self.program,
            f"{self.compiled}/{self.units}",
            self.kernels,
            self.accesses,
            self.findings,
            self.timings.clang,
            self.timings.own,
        )


def rows(results: Iterable[UnitResult]) -> tuple[ProgramRow, ...]:
    """One row per program, in the order the programs come in."""
    by_program: dict[str, list[UnitResult]] = {}
    for result in results:
        by_program.setdefault(result.program, []).append(result)
    return tuple(_row(program, units) for program, units in by_program.items())


def _row(program: str, units: Sequence[UnitResult]) -> ProgramRow:
    files = tuple(unit.report for unit in units)
    good = [file for file in files if file.status is FileStatus.OK]
    return ProgramRow(
        program=program,
        units=len(files),
        compiled=len(good),
        kernels=len({kernel.symbol for file in good for kernel in file.kernels}),
        accesses=len(
            {
                (access.kernel_symbol, access.ordinal)
                for file in good
                for access in file.accesses
                if is_global(access)
            }
        ),
        findings=len(Report(files, "", "").findings),
        timings=sum((file.timings for file in files), Timings()),
        failures=tuple(
            (unit.unit.path, reason_of(unit))
            for unit in units
            if unit.report.status is not FileStatus.OK
        ),
    )


def reason_of(result: UnitResult) -> str:
    """Why a unit failed: its first error, in one line."""
    errors = [d for d in result.report.diagnostics if d.severity is Severity.ERROR]
    return str(errors[0]) if errors else f"{result.report.path}: {result.report.status}"


def total_row(table: Sequence[ProgramRow]) -> ProgramRow:
    """The sums of all programs, under the name "total"."""
    return ProgramRow(
        program="total",
        units=sum(row.units for row in table),
        compiled=sum(row.compiled for row in table),
        kernels=sum(row.kernels for row in table),
        accesses=sum(row.accesses for row in table),
        findings=sum(row.findings for row in table),
        timings=sum((row.timings for row in table), Timings()),
        failures=tuple(failure for row in table for failure in row.failures),
    )


def report(console: Console, results: Sequence[UnitResult], domain: str, wall: float) -> int:
    """Print the table; the exit status: 2 when a unit failed, else 0."""
    table = rows(results)
    total = total_row(table)
    console.print(
        show.table(
            f"drano on Rodinia, domain {domain}",
            COLUMNS,
            [row.cells for row in table],
            total.cells,
        )
    )
    for row in table:
        for _unit, reason in row.failures:
            show.plain(console, f"{row.program}: {reason}")
    seconds = total.timings
    show.plain(
        console,
        f"{total.compiled}/{total.units} units in {wall:.1f} s; all processes: clang "
        f"{seconds.clang:.1f} s, own {seconds.own:.1f} s (prepare {seconds.prepare:.1f}, read "
        f"{seconds.read:.1f}, analyse {seconds.analyse:.1f})",
    )
    return 2 if total.failures else 0


def as_json(results: Sequence[UnitResult], domain: str, wall: float) -> dict[str, object]:
    """The table's figures."""
    table = rows(results)
    return {
        "domain": domain,
        "wall_seconds": round(wall, 3),
        "programs": [_json(row) for row in table],
        "total": _json(total_row(table)),
    }


def _json(row: ProgramRow) -> dict[str, object]:
    return {
        "program": row.program,
        "units": row.units,
        "compiled": row.compiled,
        "kernels": row.kernels,
        "global_accesses": row.accesses,
        "findings": row.findings,
        "seconds": {
            "clang": round(row.timings.clang, 3),
            "prepare": round(row.timings.prepare, 3),
            "read": round(row.timings.read, 3),
            "analyse": round(row.timings.analyse, 3),
        },
        "failures": [{"unit": unit, "reason": reason} for unit, reason in row.failures],
    }
