"""The page of results: what ``python -m rodinia all`` found, dated, as Markdown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import drano
from rodinia.fixes import fixed
from rodinia.fixes.fixed import Outcome
from rodinia.pages import runs_report, show, table
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest
from rodinia.scoring import claims as claims_table
from rodinia.scoring.claims import Claims, FalseAlarm
from rodinia.scoring.evaluate import Evaluation
from rodinia.scoring.score import count, without

_MISSES = """\
The paper tells numbers. Here an access is one of its misses if the authors' own dynamic run has
more than one line of 128 bytes a warp for it and the original pass, in the paper's mode, does not
flag it: for *alignment*, if only where arrays start decides (one of their two runs has exactly one
line); for the *second dimension*, else, if blocks have fewer than 32 threads in x and more than
one in y; for a *condition* otherwise. Their logs are cut off, so numbers differ a little. Two rows
of 16 threads take two lines, but no sector more than they need: of that no rule complains, and
`--show all` tells it."""


def page(
    manifest: Manifest, evaluation: Evaluation, size: Size, pictures: Sequence[Path], root: Path,
    *, fixes: Sequence[Outcome] = (), warning: str = "",
) -> str:  # fmt: skip
    """Markdown; ``pictures`` are linked to relative to ``root``; ``warning``: of the checkout."""
    day = datetime.now(UTC).date().isoformat()
    runs = evaluation.runs
    good = sum(run.good for run in runs)
    parts = [
        "# Rodinia\n",
        f"Made by `python -m rodinia all` on {day} with drano {drano.__version__}, "
        f"{manifest.name} at {manifest.commit[:12]}, {size} inputs.\n",
        *([f"**{warning}**\n"] if warning else []),
        f"{good} of {len(runs)} runs of the programs went through on the CPU, with every access "
        "counted. *Real* lines are those whose warps moved at least 1.3 times the sectors they "
        "needed.\n",
        "## Static analysis against counts\n",
        table.markdown(("analysis", *_SCORES), _scores(evaluation)),
        "## By program\n",
        table.markdown(
            table.HEADINGS,
            [*map(table.cells, evaluation.rows), table.paper_cells(manifest)],
        ),
        _paper(manifest),
        *_pictures(pictures, root),
        "## Runs on the CPU\n",
        "*Checked by*: the program's own check, or a reference of ours, says that its results are "
        "right.\n",
        table.markdown(
            runs_report.COLUMNS, _seconds([*runs_report.rows(runs), runs_report.total(runs)])
        ),
        *_pairs(evaluation),
        *_fixes(fixes),
        *_claims(manifest, evaluation.claims),
    ]
    return "\n".join(parts)


_SCORES = ("recall", "precision", "found", "of", "false alarms", "without myocyte")


def _scores(evaluation: Evaluation) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, lines in evaluation.scored.items():
        score, rest = count(lines), count(without(lines, "myocyte"))
        rows.append(
            (
                name,
                show.percent(score.found, score.uncoalesced),
                show.percent(score.found, score.found + score.false_alarms),
                str(score.found), str(score.uncoalesced), str(score.false_alarms),
                f"{show.percent(rest.found, rest.uncoalesced)} / "
                f"{show.percent(rest.found, rest.found + rest.false_alarms)}",
            )
        )  # fmt: skip
    return rows


def _paper(manifest: Manifest) -> str:
    paper = manifest.paper
    return (
        f"The paper (CAV 2017) counted {paper['real']} real accesses in {paper['analysed']} of "
        f"{paper['programs']} programs, of which its analysis found {paper['static']} "
        f"({paper['static_tid_y']} with threadIdx.y, at "
        f"{paper['static_tid_y_more_false_positives']} more false alarms); it missed "
        f"{paper['missed_second_dimension']} for the second dimension, "
        f"{paper['missed_alignment']} for alignment, {paper['missed_conditional']} for conditions. "
        "It counts accesses, with lines of 128 bytes; the table counts source lines. Lines of code "
        "and run times of the authors are from the results in their repositories; their programs "
        "print each access from the GPU, on larger inputs than ours.\n"
    )


def _pairs(evaluation: Evaluation) -> list[str]:
    lines = evaluation.pairs
    if not lines:
        return []
    return [
        "## Counts against the hardware\n",
        f"{len(lines)} lines were counted by our runs, on {evaluation.pairs_size} inputs (the "
        "hardware's are the medium ones), and by an H200 under Nsight Compute. Sectors per active "
        "thread, within 2 %:\n",
        table.markdown(runs_report.CAUSE_COLUMNS, runs_report.cause_rows(lines)),
        "Those that do not agree as they are:\n",
        "".join(f"* {text}\n" for text in runs_report.line_texts(lines)),
    ]


def _seconds(rows: Sequence[Sequence[show.Cell]]) -> list[list[show.Cell]]:
    return [[f"{cell:.1f}" if isinstance(cell, float) else cell for cell in row] for row in rows]


_FIXES = """\
What drano's messages propose, as search-and-replace rules (`rodinia/fixes/`) on a copy of the
suite. *Static sectors*: the sum of what a full warp is predicted to take, over the kernels'
accesses; counted ones are those of the runs on the CPU. *GPU time*: of the kernels'
first launches, the median of three to five runs under Nsight Compute on an H200, built with nvcc
13, on larger inputs, both versions' results compared.
"""


def _fixes(fixes: Sequence[Outcome]) -> list[str]:
    if not fixes:
        return []
    return [
        "## Fixes that pay\n",
        _FIXES,
        table.markdown(fixed.COLUMNS, map(fixed.cells, fixes)),
    ]


def _pictures(pictures: Sequence[Path], root: Path) -> list[str]:
    shown = [p for p in pictures if p.suffix == ".svg"]
    links = (Path(os.path.relpath(p, root)).as_posix() for p in shown)
    return [f"![{Path(link).stem}]({link})\n" for link in links]


def _claims(manifest: Manifest, claims: Claims | None) -> list[str]:
    if claims is None:
        return []
    return [
        "## Which of the paper's known misses we now find\n",
        f"{_MISSES}\n",
        table.markdown(
            claims_table.SUMMARY_COLUMNS, claims_table.miss_summary(claims.misses, manifest.paper)
        ),
        table.markdown(claims_table.MISS_COLUMNS, claims_table.miss_rows(claims.misses)),
        "## Which of its false positives are gone\n",
        "Lines that the original pass flags in the paper's mode and that the hardware counted as "
        "coalesced (at most 1.02 times the ideal sectors), or as misaligned only (less than 1.3 "
        "times); *gone*: no rule complains, notes included.\n",
        table.markdown(claims_table.ALARM_COLUMNS, claims_table.alarm_rows(claims.false_alarms)),
        "Line by line:\n",
        _alarms(claims),
    ]


def _alarms(claims: Claims) -> str:
    parts: list[str] = []
    groups: dict[tuple[str, str], list[FalseAlarm]] = {}
    for alarm in claims.false_alarms:
        groups.setdefault((alarm.group, alarm.place.file), []).append(alarm)
    for (group, file), alarms in groups.items():
        for gone, word in ((True, "gone"), (False, "still there")):
            lines = [str(a.place.line) for a in alarms if a.gone is gone]
            if lines:
                parts.append(f"* {group}, {file}, {word}: {', '.join(lines)}\n")
    return "".join(parts) or "None.\n"
