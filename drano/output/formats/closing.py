"""The end of a report for people: what costs most, what to do next, what was found in what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace
from rich.text import Text

from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.report import FileStatus, Report
from drano.model.tally import merged
from drano.output.entries import Entry, GroupBy, entries_of, grouped
from drano.output.formats.text_parts import STYLE, place
from drano.output.plurals import count
from drano.output.source_lines import printable

_MOST = 5
_MAX_MESSAGE = 72


def most_costly(entries: Sequence[Entry]) -> list[Text]:
    """The kernels with the costliest entries, each with its worst, and what to run next; nothing
    for a report that fits a screen anyway.
    """
    if len(entries) <= _MOST:
        return []
    kernels = grouped(entries, GroupBy.KERNEL)[:_MOST]
    names = [printable(kernel) for kernel, _ in kernels]
    places = [place(found[0].lead.location.span) for _, found in kernels]
    widths = max(map(len, names)), max(map(len, places))
    lines = [Text("Most costly, by kernel:", style="bold")]
    for (_, found), name, where in zip(kernels, names, places, strict=True):
        lead = found[0].lead
        line = Text(f"  {name:<{widths[0]}}  {where:<{widths[1]}}  ")
        line.append(lead.rule, style=STYLE[lead.severity])
        lines.append(line.append(f" {_short(lead.message)}"))
    first = kernels[0][1][0].lead
    span = replace(first.location.span, column=0)
    explain = f"`drano explain {place(span)}`: how the address comes about; " if span.line else ""
    lines.append(Text(f"Next: {explain}`drano rule {first.rule}`: what helps."))
    return [*lines, Text()]


def _short(message: str) -> str:
    """A message, or as much of it as a line has room for.

    >>> _short("divergent branch"), _short("uncoalesced load of `a`: " + 9 * "very long ")
    ('divergent branch', 'uncoalesced load of `a`')
    """
    text = printable(message)
    if len(text) > _MAX_MESSAGE:
        text = text.split(": ", 1)[0]
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1].rstrip() + "…"


def all_accesses(report: Report) -> tuple[Access, ...]:
    """Accesses of all files, each once though several files include its header."""
    return tuple(dict.fromkeys(access for file in report.files for access in file.accesses))


# --- the closing line ------------------------------------------------------------------------


def summary(report: Report, suppressed: int = 0, refuted: int = 0) -> Text:
    """What was found in what: never "clean" about accesses that stayed unknown or failed files.
    ``suppressed``, ``refuted``: findings that were silenced, or that compiled code refutes, which
    are left out.
    """
    findings = [finding for finding in report.findings if not finding.refuted]
    confirmed = sum(finding.confirmation is not None for finding in findings)
    kernels = sum(len(file.kernels) for file in report.files)
    accesses = merged(file.tally for file in report.files).worst.values()
    verdicts = Counter(verdict for verdict, _ in accesses)
    levels = Counter(finding.severity for finding in findings)
    failed = sum(file.status is not FileStatus.OK for file in report.files)
    without = len(report.not_analysed)
    parts = [count(failed, "file")] * bool(failed) + [count(without, "kernel")] * bool(without)
    failures = f"{' and '.join(parts)} could not be analysed."
    if failed and failed == len(report.files):
        return Text(failures, style="bold red")
    line = Text()
    if findings:
        said = [count(levels[level], str(level)) for level in STYLE if levels[level]]
        line.append(f"Found {count(len(findings), 'finding')}", style="bold")
        line.append(f" ({', '.join(said)})" if len(said) > 1 or "note" in levels else "")
        folded = len(entries_of(findings))
        line.append(f" in {count(folded, 'entry', 'entries')}" if folded < len(findings) else "")
    elif parts:
        line.append("No findings in the analysed code", style="bold yellow")
    else:
        line.append("No findings", style="bold green")
    line.append(f", {confirmed} confirmed" if confirmed else "")
    line.append(f", {refuted} refuted" if refuted else "")
    line.append(f", {suppressed} suppressed" if suppressed else "")
    analysed = len(report.files) - failed
    line.append(f": {count(analysed, 'file')}, {count(kernels, 'kernel')}, ")
    line.append(count(len(accesses), "global access", "global accesses"))
    resting = sum(rests for verdict, rests in accesses if verdict is not Verdict.UNKNOWN)
    told = [f"{verdicts[v]} {v}" for v in Verdict if verdicts[v]]
    told += [f"{resting} only in blocks of the assumed shape"] * bool(resting)
    line.append(f" ({', '.join(told)})." if told else ".")
    if parts:
        line.append(f" {failures}", style="bold red")
    return line
