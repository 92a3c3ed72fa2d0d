"""Reports for people: ``full`` (source line, caret, why, fix) and ``concise`` (a line each).

A pure function of the report and of the source lines; colours only where the caller asks.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from drano.model.access import Access, Launch
from drano.model.finding import Finding, Severity
from drano.model.hardware import SECTOR_BYTES
from drano.model.judgement import Space, Step, Verdict
from drano.model.report import FileStatus, NotAnalysed, Report
from drano.model.source_access import RemovedAccess
from drano.model.span import Location, Span
from drano.output.access_context import Kernels, Scope, ScopeKind, kernels_of, scopes
from drano.output.cost_text import cost_text, ranked
from drano.output.lane_picture import picture
from drano.output.origin_text import origin_text, removed_text
from drano.output.plurals import count
from drano.output.source_lines import Sources, printable, shown_path

_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
_VERDICT_STYLE = {
    Verdict.COALESCED: "green",
    Verdict.UNCOALESCED: "bold yellow",
    Verdict.UNKNOWN: "cyan",
}
_ORDER = [Verdict.COALESCED, Verdict.UNKNOWN, Verdict.UNCOALESCED]
_GUTTER = "blue"
_MAX_FRAMES = 8


@dataclass(frozen=True, slots=True)
class TextOptions:
    """``show_all``: list every access after the findings; ``quiet``: no closing summary."""

    color: bool = False
    concise: bool = False
    show_all: bool = False
    quiet: bool = False


def render_text(report: Report, sources: Sources, options: TextOptions) -> str:
    """The whole report as text, with ANSI colours when asked; ends with a newline unless empty."""
    lines: list[Text] = []
    kernels = kernels_of(report)
    for finding in ranked(report):
        lines += [_concise(finding)] if options.concise else _full(finding, sources, kernels)
    if options.show_all:
        lines += _all_accesses(report)
    for kernel in report.not_analysed:
        lines.append(_not_analysed(kernel, concise=options.concise))
    if not options.quiet:
        lines.append(summary(report))
    return to_text(lines, color=options.color)


def to_text(lines: list[Text], *, color: bool) -> str:
    """Lines as one string, never wrapped, so that output does not depend on the terminal."""
    if not color:
        return "".join(f"{line.plain}\n" for line in lines)
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=True,
        color_system="standard",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return buffer.getvalue()


def place(span: Span) -> str:
    """``path:line:column`` with the path as shown, without the parts that are not known."""
    parts = [printable(shown_path(span.path))]
    if span.line:
        parts.append(str(span.line))
        if span.column:
            parts.append(str(span.column))
    return ":".join(parts)


def shape(launch: Launch) -> str:
    """Block shape as launched: "256", "16x16"; assumed ones say so, and "?" stands for a size that
    is not known where others are.

    >>> shape(Launch((16, 16, 1), assumed=True))
    '16x16 threads assumed'
    >>> shape(Launch((4, 8, 1), assumed=False, partly=(4, 8, None)))
    '4x8x? threads'
    """
    sizes: list[int | str] = list(launch.block)
    if launch.partly is not None and launch.partly[0] is not None:
        sizes = ["?" if size is None else size for size in launch.partly]
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    text = "x".join(map(str, sizes)) + " threads"
    return f"{text} assumed" if launch.assumed else text


# --- one finding -----------------------------------------------------------------------------


def _concise(finding: Finding) -> Text:
    line = Text().append(f"{place(finding.location.span)}: ", style="bold")
    line.append(finding.rule, style=_STYLE[finding.severity])
    line.append(f" {printable(finding.message)}")
    return line.append(f" [{printable(finding.kernel)}]" if finding.kernel else "")


def _full(finding: Finding, sources: Sources, kernels: Kernels) -> list[Text]:
    span = finding.location.span
    digits = len(str(span.line))
    margin = " " * digits
    head = Text().append(f"{finding.severity}[{finding.rule}]", style=_STYLE[finding.severity])
    head.append(f": {printable(finding.message)}", style="bold")
    where = _gutter(f"{margin}-->").append(place(span))
    lines = [head, where]
    excerpt = sources.excerpt(span.path, span.line, span.column, finding.end_column)
    if excerpt is not None:
        lines.append(Text(f"{margin} |", style=_GUTTER))
        lines.append(_gutter(f"{span.line} |").append(excerpt.text))
        caret = _gutter(f"{margin} |").append(" " * excerpt.start)
        lines.append(caret.append("^" * excerpt.width, style=_STYLE[finding.severity]))
    for label, text in _notes(finding):
        lines.append(_note(margin, label, text))
        if label == "kernel":
            lines += _path(margin, scopes(finding, kernels))
    lines.append(Text())
    return lines


def _note(margin: str, label: str, text: str) -> Text:
    line = _gutter(f"{margin} =")
    line.append(f"{label}: ", style="bold" if label != "fix" else "bold green")
    return line.append(printable(text))


def _gutter(text: str) -> Text:
    return Text().append(f"{text} ", style=_GUTTER)


def _notes(finding: Finding) -> list[tuple[str, str]]:
    access = finding.access
    kernel = finding.kernel
    if access is not None and access.launch is not None:
        kernel += f", blocks of {shape(access.launch)}"
    notes = [("kernel", kernel)] if kernel else []
    if access is not None:
        judgement = access.judgement
        if judgement.value:
            said = judgement.address or judgement.value
            notes.append(("index" if judgement.sectors is None else "address", said))
        if judgement.verdict is not Verdict.COALESCED and (bars := sectors(access)):
            notes.append(("sectors", bars))
        # The message has said already how far apart the lanes are.
        if judgement.reason and not judgement.says_stride:
            notes.append(("why", judgement.reason))
        if said := origin_text(access):
            notes.append(("compiled", said))
    if said := cost_text(finding):
        notes.append(("cost", said))
    notes += [("note", _step(step)) for step in finding.related]
    if finding.help:
        notes.append(("fix", finding.help))
    return notes


_BARS = "▁▂▃▄▅▆▇█"
_MAX_BARS = 32


def sectors(access: Access) -> str:
    """The sectors that a warp touches, a bar each as high as its share of bytes that are used,
    those of one 128-byte line together: ``▂▂▂▂ ▂▂▂▂ ▂▂▂▂ ▂▂▂▂ 8 of 32 bytes used``.

    "" where the lanes' places are not known, or all in one sector; and for shared memory.
    """
    judgement = access.judgement
    if judgement.wavefronts is not None:
        return ""
    shown = picture(access)
    if shown is None or not shown.exact or not 1 < len(shown.rows) <= _MAX_BARS:
        return ""
    bars, used = "", list[int]()
    for row in shown.rows:
        # Accesses are naturally aligned: none lies in two sectors.
        places = {judgement.lanes[lane] for lane in row.lanes}
        count = min(len(places) * access.bytes, SECTOR_BYTES)
        used.append(count)
        bars += (" " if row.new_line else "") + _BARS[-(-count * 8 // SECTOR_BYTES) - 1]
    share = "in each" if len(set(used)) == 1 else "on average"
    return f"{bars} {sum(used) / len(used):.3g} of {SECTOR_BYTES} bytes used {share}"


_NESTING = frozenset({ScopeKind.REPEAT, ScopeKind.CALL, ScopeKind.LOOP})


def _path(margin: str, path: tuple[Scope, ...]) -> list[Text]:
    """The levels around a line, each indented by one more; none where the kernel is all."""
    if len(path) < 3 or not any(scope.kind in _NESTING for scope in path):
        return []
    if len(path) > 2 * _MAX_FRAMES:
        hidden = len(path) - 2 * _MAX_FRAMES
        left_out = Scope(ScopeKind.CALL, f"… {hidden} more levels", None)
        path = (*path[:_MAX_FRAMES], left_out, *path[-_MAX_FRAMES:])
    lines = []
    for depth, scope in enumerate(path):
        head = "path: " if depth == 0 else "      " + "  " * depth
        line = _gutter(f"{margin} =" if depth == 0 else f"{margin}  ")
        line.append(head, style="bold")
        where = f" at {place(scope.span)}" if scope.span is not None and scope.span.line else ""
        lines.append(line.append(printable(scope.text + where)))
    return lines


def _step(step: Step) -> str:
    return step.text if step.span is None else f"{step.text} at {place(step.span)}"


# --- kernels that could not be analysed ---------------------------------------------------------


def _not_analysed(kernel: NotAnalysed, *, concise: bool) -> Text:
    """One line, in the order of the findings around it."""
    style = _STYLE[Severity.ERROR]
    if concise:
        line = Text().append(f"{kernel_place(kernel)}: ", style="bold")
        line.append("not analysed", style=style)
        return line.append(printable(f": {cause_text(kernel)} [{kernel.kernel}]"))
    line = Text().append("error", style=style)
    return line.append(f": {not_analysed_text(kernel)}")


def not_analysed_text(kernel: NotAnalysed) -> str:
    """Which kernel, where, and why, in one line."""
    where = "" if kernel.location is None else f" at {kernel_place(kernel)}"
    return printable(f"kernel {kernel.kernel}{where} not analysed: {cause_text(kernel)}")


def kernel_place(kernel: NotAnalysed) -> str:
    """Where the kernel is, or else the file of the cause."""
    return place(kernel.location.span if kernel.location else Span(kernel.cause.path, 0, 0))


def cause_text(kernel: NotAnalysed) -> str:
    """``path:line:column: message`` of the error that cost a kernel."""
    cause = kernel.cause
    return f"{place(Span(cause.path, cause.line, cause.column))}: {cause.message}"


# --- all accesses ----------------------------------------------------------------------------


def all_accesses(report: Report) -> tuple[Access, ...]:
    """Accesses of all files, each once though several files include its header."""
    return tuple(dict.fromkeys(access for file in report.files for access in file.accesses))


def _all_accesses(report: Report) -> list[Text]:
    lines = [_access(access) for access in all_accesses(report)]
    lines += [_removed(access) for access in all_removed(report) if not access.private]
    return [*lines, Text()] if lines else []


def all_removed(report: Report) -> tuple[RemovedAccess, ...]:
    """What compiling leaves nothing of, each once."""
    return tuple(dict.fromkeys(access for file in report.files for access in file.removed))


def _removed(access: RemovedAccess) -> Text:
    line = Text(f"{place(access.location.span)}: ").append("removed", style="dim")
    line.append(printable(f" {access.kind}, in {access.kernel}"))
    return line.append(f" ({removed_text(access)})", style="dim")


def _access(access: Access) -> Text:
    judgement = access.judgement
    line = Text(f"{place(access.location.span)}: ")
    line.append(str(judgement.verdict), style=_VERDICT_STYLE[judgement.verdict])
    what = f" {judgement.space} {access.kind}, {access.width}, in {access.kernel}"
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
    return line


def _each_once(report: Report) -> list[Access]:
    """Accesses of global memory; of copies of one, in unrolled loops, the worst."""
    worst: dict[tuple[str, Location, str], Access] = {}
    for access in all_accesses(report):
        if access.judgement.space in {Space.GLOBAL, Space.GENERIC}:
            key = access.kernel_symbol, access.location, str(access.kind)
            worst[key] = max(worst.get(key, access), access, key=_badness)
    return list(worst.values())


def _badness(access: Access) -> int:
    return _ORDER.index(access.judgement.verdict)


# --- the closing line ------------------------------------------------------------------------


def summary(report: Report) -> Text:
    """What was found in what: never "clean" about accesses that stayed unknown or failed files."""
    findings = report.findings
    kernels = sum(len(file.kernels) for file in report.files)
    accesses = _each_once(report)
    verdicts = Counter(access.judgement.verdict for access in accesses)
    levels = Counter(finding.severity for finding in findings)
    failed = sum(file.status is not FileStatus.OK for file in report.files)
    without = len(report.not_analysed)
    parts = [count(failed, "file")] * bool(failed) + [count(without, "kernel")] * bool(without)
    failures = f"{' and '.join(parts)} could not be analysed."
    if failed and failed == len(report.files):
        return Text(failures, style="bold red")
    line = Text()
    if findings:
        said = [count(levels[level], str(level)) for level in _STYLE if levels[level]]
        line.append(f"Found {count(len(findings), 'finding')}", style="bold")
        line.append(f" ({', '.join(said)})" if len(said) > 1 or "note" in levels else "")
    elif parts:
        line.append("No findings in the analysed code", style="bold yellow")
    else:
        line.append("No findings", style="bold green")
    analysed = len(report.files) - failed
    line.append(f": {count(analysed, 'file')}, {count(kernels, 'kernel')}, ")
    line.append(count(len(accesses), "global access", "global accesses"))
    resting = sum(
        a.otherwise is not None for a in accesses if a.judgement.verdict is not Verdict.UNKNOWN
    )
    told = [f"{verdicts[v]} {v}" for v in Verdict if verdicts[v]]
    told += [f"{resting} only in blocks of the assumed shape"] * bool(resting)
    line.append(f" ({', '.join(told)})." if told else ".")
    if parts:
        line.append(f" {failures}", style="bold red")
    return line
