"""The page of results: what ``python -m rodinia all`` found, dated, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import drano
from rodinia import runs_report, show, table
from rodinia.evaluate import Evaluation
from rodinia.inputs import Size
from rodinia.manifest import Manifest
from rodinia.score import Measured, ScoredLine, count, without

_LIST = 60


def page(
    manifest: Manifest, evaluation: Evaluation, size: Size, pictures: Sequence[Path], root: Path
) -> str:
    """Markdown; ``pictures`` are linked to relative to ``root``."""
    day = datetime.now(UTC).date().isoformat()
    runs = evaluation.runs
    good = sum(run.good for run in runs)
    parts = [
        "# Rodinia\n",
        f"Made by `python -m rodinia all` on {day} with drano {drano.__version__}, "
        f"{manifest.name} at {manifest.commit[:12]}, {size} inputs.\n",
        f"{good} of {len(runs)} runs of the programs went through on the CPU, with every access "
        "counted. *Real* lines are those whose warps moved at least 1.3 times the sectors they "
        "needed.\n",
        "## Static analysis against counts\n",
        table.markdown(("analysis", *_SCORES), _scores(evaluation)),
        "## By program\n",
        table.markdown(table.HEADINGS, map(table.cells, evaluation.rows)),
        _paper(manifest),
        *_pairs(evaluation),
        *_pictures(pictures, root),
        "## What the paper's domain misses and the default finds\n",
        _difference(evaluation, newly_found=True),
        "## False alarms of the paper's domain that are gone\n",
        _difference(evaluation, newly_found=False),
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
        "It counts accesses, with lines of 128 bytes; the table counts source lines.\n"
    )


def _pairs(evaluation: Evaluation) -> list[str]:
    lines = evaluation.pairs
    if not lines:
        return []
    return [
        "## Counts against the hardware\n",
        f"{len(lines)} lines were counted by our runs and by an H200 under Nsight Compute. Sectors "
        "per active thread, within 2 %:\n",
        table.markdown(runs_report.CAUSE_COLUMNS, runs_report.cause_rows(lines)),
        "Those that do not agree as they are:\n",
        "".join(f"* {text}\n" for text in runs_report.line_texts(lines)),
    ]


def _pictures(pictures: Sequence[Path], root: Path) -> list[str]:
    shown = [p for p in pictures if p.suffix == ".svg"]
    return [f"![{p.stem}]({p.relative_to(root).as_posix()})\n" for p in shown]


def _difference(evaluation: Evaluation, *, newly_found: bool) -> str:
    """Lines on which the two domains differ in our favour."""
    paper = {line.truth.place: line for line in evaluation.scored["gpudrano"]}
    wanted = Measured.UNCOALESCED if newly_found else Measured.COALESCED
    lines: list[ScoredLine] = []
    for line in evaluation.scored["warp"]:
        other = paper.get(line.truth.place)
        if other is None or line.truth.measured is not wanted:
            continue
        flagged, was = line.said == "flagged", other.said == "flagged"
        if flagged is newly_found and was is not newly_found:
            lines.append(line)
    if not lines:
        return "None.\n"
    body = [(str(line.truth.place), f"{line.truth.ratio:.2f}") for line in lines[:_LIST]]
    more = f"\n{len(lines) - _LIST} more.\n" if len(lines) > _LIST else ""
    return table.markdown(("line", "sectors by ideal"), body) + more
