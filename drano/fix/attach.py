"""Findings with the fixes that are proved to mend them, for editors and reports."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from drano.fix.edit import Edit
from drano.fix.search import MAX_TRIALS, Offer, Trials, Wanted, mended, outcomes
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


def all_fixed(unit: Unit, report: FileReport, trials: int = MAX_TRIALS) -> FileReport:
    """The report with one fix, at the first finding that is mended: all safe ones together, each
    proved on the text that the ones before have left, if no more than so many ``trials`` show it.
    """
    found = mended(unit, report, unsafe=False, trials=trials)
    bare = tuple(replace(finding, fixes=()) for finding in report.findings)
    if not found.made:
        return replace(report, findings=bare)
    edits = (edit for path, text in found.texts.items() for edit in _lines(path, unit, text))
    number = len(found.made)
    title = f"make {number} safe fixes" if number > 1 else "make the one safe fix"
    said = "; ".join(f"{offer.fix.title}: {offer.promise}" for offer in found.made)
    fix = SourceFix("all", title, said, "", tuple(edits))
    first = found.made[0].finding
    findings = (
        replace(finding, fixes=(fix,)) if old == first else finding
        for old, finding in zip(report.findings, bare, strict=True)
    )
    return replace(report, findings=tuple(findings))


def _lines(path: str, unit: Unit, text: bytes) -> Iterator[TextEdit]:
    """What has changed in a file, in whole lines."""
    old, new = (t.decode("utf-8", "surrogateescape").split("\n") for t in (unit.text(path), text))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        if last == len(old):  # what follows the last line is no line
            behind = len(old[-1].encode("utf-8", "surrogateescape")) + 1
            if first == last:
                place, words = (last, behind), "\n" + "\n".join(new[start:end])
                yield TextEdit(path, place, place, words)
            else:
                yield TextEdit(path, (first + 1, 1), (last, behind), "\n".join(new[start:end]))
            continue
        words = "".join(line + "\n" for line in new[start:end])
        yield TextEdit(path, (first + 1, 1), (last + 1, 1), words)


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
