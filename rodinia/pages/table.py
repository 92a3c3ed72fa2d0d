"""``python -m rodinia table``: the paper's evaluation, program by program, with today's tools.

*Real* are lines whose counts say uncoalesced (``score.Measured``): by our own run on the CPU where
there is one, else by the hardware's table where it is given. Against them stand, for the warp
domain (all findings, notes included), the paper's domain and the original pass: lines found, false
alarms on lines that were counted coalesced, and real lines missed. The paper gives totals only;
lines of code and the seconds of its dynamic analysis are in the results that its authors published.
"""

from __future__ import annotations

import csv
import html
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from drano.model.report import FileStatus, Report
from rodinia.check import ProgramRow
from rodinia.pages.show import Cell
from rodinia.programs.analyse import UnitResult
from rodinia.programs.manifest import Manifest
from rodinia.programs.run import RunResult
from rodinia.scoring.score import Score, ScoredLine, count


class Against(Struct, frozen=True):
    """Found, false alarms and misses of one analysis; None where nothing was counted."""

    found: int
    false: int
    missed: int


class Row(Struct, frozen=True):
    """One program, or the total. ``rules``: findings by rule; ``status``: what went wrong."""

    program: str
    kernels: int
    accesses: int
    rules: Mapping[str, int]
    real: int | None
    warp: Against | None
    paper_domain: Against | None
    original: Against | None
    clang_seconds: float
    own_seconds: float
    run_seconds: float | None
    authors_lines: int | None
    authors_seconds: float | None
    status: str


HEADINGS = (
    "program", "kernels", "global accesses", "findings by rule", "real",
    "warp: found / false / missed", "gpudrano: found / false / missed",
    "original: found / false / missed", "clang s", "analysis s", "run s",
    "authors: lines of code", "authors: run s", "remarks",
)  # fmt: skip


def rows(
    manifest: Manifest,
    checked: Sequence[ProgramRow],
    results: Iterable[UnitResult],
    scored: Mapping[str, Sequence[ScoredLine]],
    runs: Sequence[RunResult],
) -> tuple[Row, ...]:
    """One row per program, and the total. ``scored``: lines by analysis ("warp", "gpudrano",
    "original").
    """
    by_rule = _rules(results)
    by_name = {row.program: row for row in checked}
    found = []
    for program in manifest.programs:
        check = by_name[program.name]
        mine = [run for run in runs if run.program == program.name]
        found.append(
            Row(
                program.name, check.kernels, check.accesses, by_rule.get(program.name, {}),
                *_against(scored, program.name), check.timings.clang, check.timings.own,
                sum(run.run_seconds for run in mine) if mine else None,
                program.authors_lines, program.authors_seconds,
                _remarks(check, mine, program.paper),
            )
        )  # fmt: skip
    return (*found, _total(found))


def _rules(results: Iterable[UnitResult]) -> dict[str, Counter[str]]:
    files: dict[str, list[UnitResult]] = {}
    for result in results:
        if result.report.status is FileStatus.OK:
            files.setdefault(result.program, []).append(result)
    return {
        program: Counter(f.rule for f in Report(tuple(u.report for u in units), "", "").findings)
        for program, units in files.items()
    }


def _against(
    scored: Mapping[str, Sequence[ScoredLine]], program: str
) -> tuple[int | None, Against | None, Against | None, Against | None]:
    scores: dict[str, Score] = {}
    for name, lines in scored.items():
        mine = [line for line in lines if line.truth.program == program]
        if mine:
            scores[name] = count(mine)
    real = next((score.uncoalesced for score in scores.values()), None)

    def of(name: str) -> Against | None:
        score = scores.get(name)
        if score is None:
            return None
        return Against(score.found, score.false_alarms, score.uncoalesced - score.found)

    return real, of("warp"), of("gpudrano"), of("original")


def _remarks(check: ProgramRow, runs: Sequence[RunResult], paper: str) -> str:
    remarks = [f"{unit}: {reason}" for unit, reason in check.failures]
    remarks += [f"{run.name}: {run.status}" for run in runs if not run.good]
    if paper and paper != "analysed":
        remarks.append(f"the paper: {paper}")
    return "; ".join(remarks)


def _total(found: Sequence[Row]) -> Row:
    rules: Counter[str] = Counter()
    for row in found:
        rules.update(row.rules)

    def known(name: str) -> Any:
        values = [value for row in found if (value := getattr(row, name)) is not None]
        return sum(values) if values else None

    def total(name: str) -> Against | None:
        parts = [a for row in found if (a := getattr(row, name)) is not None]
        if not parts:
            return None
        return Against(
            sum(a.found for a in parts), sum(a.false for a in parts), sum(a.missed for a in parts)
        )

    return Row(
        "total", sum(r.kernels for r in found), sum(r.accesses for r in found), rules,
        known("real"), total("warp"), total("paper_domain"), total("original"),
        sum(r.clang_seconds for r in found), sum(r.own_seconds for r in found),
        known("run_seconds"), known("authors_lines"), known("authors_seconds"), "",
    )  # fmt: skip


def paper_cells(manifest: Manifest) -> tuple[Cell, ...]:
    """The paper's totals, as a row of the table. It counts accesses; its own seconds, kernels and
    accesses by program are not known to us.
    """
    paper = manifest.paper
    if not {"real", "static", "static_tid_y", "programs", "analysed"} <= set(paper):
        return ("the paper's total", *["-"] * (len(HEADINGS) - 1))
    more = paper.get("static_tid_y_more_false_positives", 0)
    cells_by_heading: dict[str, Cell] = {
        "program": "the paper's total",
        "real": paper["real"],
        "gpudrano: found / false / missed": (
            f"{paper['static']} / - / {paper['real'] - paper['static']}"
        ),
        "remarks": f"{paper['analysed']} of {paper['programs']} programs; with threadIdx.y "
        f"{paper['static_tid_y']} found, {more} more false alarms",
    }
    return tuple(cells_by_heading.get(heading, "-") for heading in HEADINGS)


# --- as text ---------------------------------------------------------------------------------


def cells(row: Row) -> tuple[Cell, ...]:
    """A row as people read it."""
    return tuple(_cell(getattr(row, name)) for name in row.__struct_fields__)


def _cell(value: object) -> Cell:
    match value:
        case None:
            return "-"
        case Against():
            return f"{value.found} / {value.false} / {value.missed}"
        case float():
            return f"{value:.1f}"
        case Mapping():
            return ", ".join(f"{rule} {n}" for rule, n in sorted(value.items())) or "-"
        case int() | str():
            return value
        case _:
            return str(value)


def markdown(headings: Sequence[str], body: Iterable[Sequence[Cell]]) -> str:
    """A table for a page."""
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    lines += ["| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |" for row in body]
    return "\n".join(lines) + "\n"


def as_csv(headings: Sequence[str], body: Iterable[Sequence[Cell]]) -> str:
    """The same for a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(body)
    return text.getvalue()


def as_html(title: str, headings: Sequence[str], body: Iterable[Sequence[Cell]]) -> str:
    """The same as a page of its own."""
    head = "".join(f"<th>{html.escape(h)}</th>" for h in headings)
    lines = [
        "<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>" for row in body
    ]
    style = (
        "body{font:14px system-ui;margin:2em}table{border-collapse:collapse}"
        "td,th{padding:.3em .6em;border-bottom:1px solid #ccc;text-align:left}"
        "tr:last-child{font-weight:bold}"
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{style}</style><h1>{html.escape(title)}</h1><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></html>\n"
    )
