"""Reports for people: ``full`` (source line, caret, why, fix) and ``concise`` (a line each).

An entry stands for all findings with one thing to do. A long report has its first entries in full
and the others on a line each. A pure function of the report and of the source lines; colours only
where the caller asks.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from rich.text import Text

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Verdict
from drano.model.report import NotAnalysed, Report
from drano.model.source_access import RemovedAccess
from drano.model.span import Span
from drano.output.access_context import kernels_of
from drano.output.entries import Entry, GroupBy, entries_of, grouped
from drano.output.formats.closing import all_accesses, most_costly, summary
from drano.output.formats.entry_text import entry_line, entry_lines
from drano.output.formats.text_parts import STYLE, place, to_text
from drano.output.origin_text import origin_text, removed_text
from drano.output.plurals import count
from drano.output.short_names import short_name
from drano.output.source_lines import Sources, printable, shown_path

_VERDICT_STYLE = {
    Verdict.COALESCED: "green",
    Verdict.UNCOALESCED: "bold yellow",
    Verdict.UNKNOWN: "cyan",
}
_IN_FULL = 40
_ON_A_LINE = 200


class TextOptions(Struct, frozen=True):
    """``show_all``: list every access after the findings; ``quiet``: no closing summary;
    ``verbose``: all entries in full, with all that is known of them; ``suppressed``: findings that
    the report was made without; ``refuted``: findings that compiled code refutes, which are listed
    with all accesses only.
    """

    color: bool = False
    concise: bool = False
    show_all: bool = False
    quiet: bool = False
    verbose: bool = False
    group_by: GroupBy = GroupBy.CAUSE
    suppressed: int = 0
    refuted: int = 0


def render_text(report: Report, sources: Sources, options: TextOptions) -> str:
    """The whole report as text, with ANSI colours when asked; ends with a newline unless empty."""
    entries = entries_of(finding for finding in report.findings if not finding.refuted)
    if options.concise:
        lines = [
            entry_line(entry) for _, found in grouped(entries, options.group_by) for entry in found
        ]
    else:
        lines = _in_full(report, entries, sources, options)
    if options.show_all:
        lines += [entry_line(entry) for entry in _refuted(report)]
        lines += _all_accesses(report)
    for kernel, more in instances(report.not_analysed):
        lines.append(_not_analysed(kernel, more, concise=options.concise))
    if not options.quiet:
        lines += [] if options.concise else most_costly(entries)
        lines.append(summary(report, options.suppressed, options.refuted))
    return to_text(lines, color=options.color)


def _in_full(
    report: Report, entries: list[Entry], sources: Sources, options: TextOptions
) -> list[Text]:
    """The costliest entries in full and the others on a line each, as far as one would read."""
    kernels = kernels_of(report)
    limits = (len(entries), 0) if options.verbose else (_IN_FULL, _ON_A_LINE)
    full = {id(entry) for entry in entries[: limits[0]]}
    shown = entries[: sum(limits)]
    lines: list[Text] = []
    for name, found in grouped(shown, options.group_by):
        if name:
            lines.append(_heading(name, len(found), options.group_by))
        short = [entry for entry in found if id(entry) not in full]
        for entry in found:
            if id(entry) in full:
                lines += entry_lines(entry, sources, kernels, verbose=options.verbose)
        lines += [entry_line(entry) for entry in short]
        lines += [Text()] * bool(short)
    if len(entries) > len(shown):
        rest = count(len(entries) - len(shown), "more entry", "more entries")
        lines += [Text(f"… {rest}: `--output-format concise` lists all of them"), Text()]
    return lines


def _heading(name: str, entries: int, by: GroupBy) -> Text:
    shown = shown_path(name) if by is GroupBy.FILE else name
    line = Text(printable(shown), style="bold underline")
    return line.append(f": {count(entries, 'entry', 'entries')}", style="not bold not underline")


# --- kernels that could not be analysed ---------------------------------------------------------


def _not_analysed(kernel: NotAnalysed, more: int, *, concise: bool) -> Text:
    """One line, in the order of the findings around it."""
    style = STYLE[Severity.ERROR]
    if concise:
        line = Text().append(f"{kernel_place(kernel)}: ", style="bold")
        line.append("not analysed", style=style)
        return line.append(
            printable(f": {cause_text(kernel)} [{short_name(kernel.kernel)}{_more(more)}]")
        )
    line = Text().append("error", style=style)
    return line.append(f": {not_analysed_text(kernel, more)}")


def instances(lost: Iterable[NotAnalysed]) -> list[tuple[NotAnalysed, int]]:
    """One kernel of each template that was lost to one error, and how many more of it were."""
    found: dict[tuple[object, ...], list[NotAnalysed]] = {}
    for kernel in lost:
        at = kernel.location and kernel.location.span
        name = kernel.kernel.partition("<")[0] if at else kernel.kernel
        found.setdefault((name, at, kernel.cause), []).append(kernel)
    return [(kernels[0], len(kernels) - 1) for kernels in found.values()]


def _more(more: int) -> str:
    return f" and {count(more, 'more instance')}" if more else ""


def not_analysed_text(kernel: NotAnalysed, more: int = 0) -> str:
    """Which kernel, with so many ``more`` instances of its template, where, and why."""
    where = "" if kernel.location is None else f" at {kernel_place(kernel)}"
    return printable(
        f"kernel {short_name(kernel.kernel)}{_more(more)}{where} not analysed: {cause_text(kernel)}"
    )


def kernel_place(kernel: NotAnalysed) -> str:
    """Where the kernel is, or else the file of the cause."""
    return place(kernel.location.span if kernel.location else Span(kernel.cause.path, 0, 0))


def cause_text(kernel: NotAnalysed) -> str:
    """``path:line:column: message`` of the error that cost a kernel."""
    cause = kernel.cause
    return f"{place(Span(cause.path, cause.line, cause.column))}: {cause.message}"


def _refuted(report: Report) -> list[Entry]:
    """Entries that nobody needs to act on, behind all others."""
    return entries_of(finding for finding in report.findings if finding.refuted)


# --- all accesses ----------------------------------------------------------------------------


def _all_accesses(report: Report) -> list[Text]:
    alike: dict[tuple[object, ...], list[Access]] = {}
    for access in all_accesses(report):
        alike.setdefault(_seen_of(access), []).append(access)
    lines = [_access(copies[0], len(copies)) for copies in alike.values()]
    lines += [_removed(access) for access in all_removed(report) if not access.private]
    return [*lines, Text()] if lines else []


def all_removed(report: Report) -> tuple[RemovedAccess, ...]:
    """What compiling leaves nothing of, each once."""
    return tuple(dict.fromkeys(access for file in report.files for access in file.removed))


def _removed(access: RemovedAccess) -> Text:
    line = Text(f"{place(access.location.span)}: ").append("removed", style="dim")
    line.append(printable(f" {access.kind}, in {short_name(access.kernel)}"))
    return line.append(f" ({removed_text(access)})", style="dim")


def _seen_of(access: Access) -> tuple[object, ...]:
    """What a reader can tell an access by but for its offset: copies of an unrolled loop have the
    same.
    """
    judgement = access.judgement
    return (
        access.location.span, judgement.verdict, judgement.space, access.kind, access.width,
        access.kernel, judgement.sectors, judgement.wavefronts, judgement.reason,
        judgement.condition, origin_text(access),
    )  # fmt: skip


def _access(access: Access, copies: int) -> Text:
    """``copies``: how many accesses have this line, but for their offset."""
    judgement = access.judgement
    line = Text(f"{place(access.location.span)}: ")
    line.append(str(judgement.verdict), style=_VERDICT_STYLE[judgement.verdict])
    what = f" {judgement.space} {access.kind}, {access.width}, in {short_name(access.kernel)}"
    line.append(printable(what))
    if judgement.value:
        line.append(printable(f": {judgement.value}"))
    counts, unit = judgement.sectors, "sectors"
    if judgement.wavefronts is not None:
        counts, unit = judgement.wavefronts, "wavefronts"
    if counts is not None:
        low, high = counts.minimum, counts.maximum
        count = str(high) if low == high else f"{low}-{high}"
        line.append(f" [{count}/{counts.ideal} {unit}]")
    condition = f"if {judgement.condition}" if judgement.condition else ""
    said = [text for text in (judgement.reason, condition, origin_text(access)) if text]
    if said:
        line.append(printable(f" ({'; '.join(said)})"), style="dim")
    if copies > 1:
        line.append(f" ×{copies}", style="bold")
    return line
