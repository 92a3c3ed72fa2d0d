"""``python -m rodinia rules``: what each rule finds in the suite, and how often it is wrong.

A finding's line is *right* where the hardware counted at least 1.3 times the ideal (sectors of
global memory, wavefronts of shared memory; for DRN002, misalignment: more than 1.02 times), a
*false alarm* where it counted at most 1.02 times, *between* else. Lines that were not measured, and
rules about other things than traffic, are counted only. Rules that are off by default are on, but
DRN501, which needs a GPU's name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field
from rich.console import Console

from drano.model.hardware import COALESCED_TO, UNCOALESCED_FROM
from drano.model.judgement import Space
from rodinia.measured.lines import Place, place_of
from rodinia.measured.truth import HardwareRow
from rodinia.pages import show
from rodinia.programs.analyse import UnitResult

EXTRA = ("DRN401", "DRN402")
_TRAFFIC = frozenset({"DRN001", "DRN002", "DRN003", "DRN004", "DRN101"})
_ALIGNMENT = "DRN002"
_COLUMNS = ("rule", "findings", "lines", "measured", "right", "between", "false alarms")


class RuleRow(Struct):
    """One rule: findings, and its lines by what was measured there; grows as findings come."""

    findings: int = 0
    lines: set[Place] = field(default_factory=set)
    right: set[Place] = field(default_factory=set)
    between: set[Place] = field(default_factory=set)
    wrong: set[Place] = field(default_factory=set)


def by_rule(
    results: Iterable[UnitResult], rows: Iterable[HardwareRow], cuda: Path
) -> dict[str, RuleRow]:
    """All rules that found something, by code."""
    ratios = _ratios(rows)
    found: dict[str, RuleRow] = defaultdict(RuleRow)
    seen = set()
    for result in results:
        for finding in result.report.findings:
            row = found[finding.rule]
            key = (result.program, finding.rule, finding.location.span, finding.kernel)
            if key in seen:  # of a header that several units include
                continue
            seen.add(key)
            row.findings += 1
            access = finding.access
            place = None if access is None else place_of(access, cuda)
            if access is None or place is None:
                continue
            row.lines.add(place)
            space = "shared" if access.judgement.space is Space.SHARED else "global"
            ratio = ratios.get((place, space))
            if ratio is None or finding.rule not in _TRAFFIC:
                continue
            if ratio > COALESCED_TO and (ratio >= UNCOALESCED_FROM or finding.rule == _ALIGNMENT):
                row.right.add(place)
            elif ratio > COALESCED_TO:
                row.between.add(place)
            else:
                row.wrong.add(place)
    return dict(sorted(found.items()))


def _ratios(rows: Iterable[HardwareRow]) -> dict[tuple[Place, str], float]:
    """Moved by ideal, of each line and space."""
    moved: Counter[tuple[Place, str]] = Counter()
    ideal: Counter[tuple[Place, str]] = Counter()
    for row in rows:
        key = (Place(row.file, row.line), row.space)
        shared = row.space == "shared"
        moved[key] += row.wavefronts if shared else row.sectors
        ideal[key] += row.wavefronts_ideal if shared else row.ideal
    return {key: moved[key] / ideal[key] for key in moved if ideal[key]}


def report(console: Console, found: dict[str, RuleRow], *, listed: bool) -> None:
    """The table; ``listed``: each false alarm."""
    body: list[Sequence[show.Cell]] = []
    for code, row in found.items():
        measured = len(row.right | row.between | row.wrong)
        judged = (measured, len(row.right), len(row.between), len(row.wrong))
        body.append(
            (code, row.findings, len(row.lines), *(judged if code in _TRAFFIC else [None] * 4))
        )
    console.print(show.table("Findings by rule, against the hardware", _COLUMNS, body))
    if listed:
        for code, row in found.items():
            for place in sorted(row.wrong):
                show.plain(console, f"{code} false alarm: {place}")


def as_json(found: dict[str, RuleRow]) -> dict[str, object]:
    """The same figures."""
    return {
        code: {
            "findings": row.findings, "lines": len(row.lines), "right": len(row.right),
            "between": len(row.between), "false_alarms": list(map(str, sorted(row.wrong))),
        }
        for code, row in found.items()
    }  # fmt: skip
