"""Findings with the fixes that are proved to mend them, for editors and reports."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from drano.fix.edit import Edit
from drano.fix.search import MAX_TRIALS, Offer, Trials, Wanted, outcomes
from drano.fix.trial import Unit
from drano.model.finding import Finding, SourceFix, TextEdit
from drano.model.report import FileReport


def with_fixes(
    unit: Unit, report: FileReport, wanted: Wanted = lambda _: True, trials: int = MAX_TRIALS
) -> FileReport:
    """The report of the unit, with what is offered for the findings that are ``wanted``, if no more
    than so many ``trials`` show it.
    """
    found: dict[Finding, list[SourceFix]] = defaultdict(list)
    for outcome in outcomes(Trials(unit, report, left=trials), wanted):
        if isinstance(outcome, Offer):
            found[outcome.finding].append(source_fix(outcome, unit))
    findings = (_with(f, found[f]) if f in found else f for f in report.findings)
    return replace(report, findings=tuple(findings))


def _with(finding: Finding, fixes: list[SourceFix]) -> Finding:
    first = fixes[0]
    offer = f"drano fix{' --unsafe-fixes' if first.unproved else ''}: {first.title}"
    said = "; ".join(filter(None, [finding.help, f"{offer} ({first.promise})"]))
    return replace(finding, fixes=tuple(fixes), help=said)


def source_fix(offer: Offer, unit: Unit) -> SourceFix:
    """The offer as reports have it."""
    edits = (_text_edit(edit, unit.text(edit.path)) for edit in sorted(offer.fix.edits))
    return SourceFix(
        offer.fix.edit,
        offer.fix.title,
        str(offer.promise),
        why_unsafe(offer),
        tuple(edits),
    )


def _text_edit(edit: Edit, text: bytes) -> TextEdit:
    def place(offset: int) -> tuple[int, int]:
        return text.count(b"\n", 0, offset) + 1, offset - text.rfind(b"\n", 0, offset)

    words = edit.text.decode("utf-8", "surrogateescape")
    return TextEdit(edit.path, place(edit.start), place(edit.end), words)


def why_unsafe(offer: Offer) -> str:
    """What is not proved of a fix, "" where all is."""
    parts = [f"not proved {offer.fix.unproved}"] if offer.fix.unproved else []
    parts += ["sums are added in another order"] if offer.fix.rounds else []
    return "; ".join(parts)
