"""From findings to the protocol's diagnostics: pure functions of an analysis and its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lsprotocol import types
from pygls import uris

from drano.lsp.positions import Encoding, Text, index_of_column, units
from drano.model.finding import Finding, Severity
from drano.model.judgement import Step
from drano.model.report import Diagnostic, FileReport, NotAnalysed
from drano.model.span import Span
from drano.output.access_context import loop_text
from drano.output.input_problems import lost_text
from drano.output.source_lines import extent
from drano.rules import RULES

SOURCE = "drano"
NOT_ANALYSED = "not-analysed"
# NVIDIA's guide to what the rules are about; each rule's own page comes with ``drano rule``.
GUIDE = (
    "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#coalesced-access-to-global-memory"
)
MAX_RELATED = 8

Texts = Callable[[str], Text]

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


def to_uri(path: str) -> str:
    """The file's URI, as clients write it."""
    return uris.from_fs_path(path) or f"file://{path}"


def to_path(uri: str) -> str | None:
    """The path of a ``file:`` URI; None for others: what has no file is not analysed."""
    return uris.to_fs_path(uri) if uri.startswith("file:") else None


def to_range(text: Text, span: Span, end_column: int, encoding: Encoding) -> types.Range:
    """The range of what starts at ``span`` and ends before the byte ``end_column`` of its line.

    Where the end is not known it is that of the expression in the source; where the column is not
    known it is the whole line.
    """
    number = max(span.line - 1, 0)
    line = text.line(number)
    start = index_of_column(line, span.column)
    if span.column <= 0:
        start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    elif end_column > span.column:
        end = index_of_column(line, end_column)
    else:
        rest = line[start:].encode("utf-8", "surrogateescape")
        end = start + len(rest[: extent(rest)].decode("utf-8", "ignore"))
    end = max(min(end, len(line)), start)
    return types.Range(
        types.Position(number, units(line[:start], encoding)),
        types.Position(number, units(line[:end], encoding)),
    )


def to_location(texts: Texts, span: Span, encoding: Encoding) -> types.Location:
    """A place in any file."""
    return types.Location(to_uri(span.path), to_range(texts(span.path), span, 0, encoding))


def to_diagnostic(finding: Finding, texts: Texts, encoding: Encoding) -> types.Diagnostic:
    """One finding, with its call path and the other places it was found at."""
    span = finding.location.span
    message = finding.message
    if finding.help:
        message += f"\nfix: {finding.help}"
    related = [
        types.DiagnosticRelatedInformation(to_location(texts, step.span, encoding), step.text)
        for step in related_steps(finding)[:MAX_RELATED]
        if step.span is not None and step.span.line
    ]
    return types.Diagnostic(
        range=to_range(texts(span.path), span, finding.end_column, encoding),
        message=message,
        severity=_SEVERITY[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(GUIDE),
        source=SOURCE,
        related_information=related or None,
        data=to_data(finding),
    )


def related_steps(finding: Finding) -> list[Step]:
    """The calls and the loops, innermost first; the index; and the finding's own places."""
    steps = [
        Step(frame.span, f"called by {frame.function} here")
        for frame in finding.location.inlined_at
    ]
    if finding.access is not None:
        steps += [
            Step(frame.span, f"called by {frame.function} here") for frame in finding.access.callers
        ]
        nest = reversed(finding.access.nest)
        steps += [Step(loop.location.span, f"in a {loop_text(loop)}") for loop in nest]
    derivation = finding.access.judgement.derivation if finding.access is not None else ()
    steps += derivation[-1:]  # what it comes from step by step is in the hover
    return steps + list(finding.first_related())


def to_data(finding: Finding) -> dict[str, Any]:
    """What a client may keep, and gives back with a request for actions."""
    data: dict[str, Any] = {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "name": RULES[finding.rule].name if finding.rule in RULES else finding.rule,
        "kernel": finding.kernel,
        "rank": finding.rank,
        "count": finding.count,
    }
    if finding.access is None:
        return data
    sectors, wavefronts = finding.access.judgement.sectors, finding.access.judgement.wavefronts
    if wavefronts is not None:
        data["wavefronts"] = {"most": wavefronts.maximum, "ideal": wavefronts.ideal}
    elif sectors is not None:
        data["sectors"] = {"most": sectors.maximum, "ideal": sectors.ideal}
    return data


def greyed(
    diagnostics: Iterable[types.Diagnostic], moved: dict[int, int]
) -> list[types.Diagnostic]:
    """What was said of the last text that compiled, where its lines are now, as faded hints."""
    kept = []
    for old in diagnostics:
        line = moved.get(old.range.start.line)
        if line is None:
            continue
        kept.append(
            types.Diagnostic(
                range=types.Range(
                    types.Position(line, old.range.start.character),
                    types.Position(line, old.range.end.character),
                ),
                message=old.message,
                severity=types.DiagnosticSeverity.Hint,
                code=old.code,
                code_description=old.code_description,
                source=old.source,
                tags=[types.DiagnosticTag.Unnecessary],
                data=old.data,
            )
        )
    return kept


def to_lost(
    cause: Diagnostic, kernels: list[NotAnalysed], texts: Texts, encoding: Encoding
) -> types.Diagnostic:
    """Kernels that could not be analysed, at what they were lost to."""
    related = [
        types.DiagnosticRelatedInformation(
            to_location(texts, kernel.location.span, encoding), f"kernel {kernel.kernel}"
        )
        for kernel in kernels[:MAX_RELATED]
        if kernel.location
    ]
    span = Span(cause.path, max(cause.line, 1), cause.column)
    return types.Diagnostic(
        range=to_range(texts(span.path), span, 0, encoding),
        message=f"drano: {lost_text(kernels)}: {cause.message}",
        severity=types.DiagnosticSeverity.Information,
        code=NOT_ANALYSED,
        source=SOURCE,
        related_information=related or None,
    )


def to_failure(report: FileReport, text: Text, encoding: Encoding) -> types.Diagnostic:
    """The one message about a file that could not be analysed, at its first error in that file."""
    errors = [d for d in report.diagnostics if d.severity is Severity.ERROR]
    errors = errors or list(report.diagnostics)
    first = errors[0] if errors else Diagnostic(report.path, 0, 0, Severity.ERROR, "unknown reason")
    here = next((d for d in errors if d.path == report.path and d.line), None)
    shown = here or first
    where = "" if shown.path == report.path else f" ({shown.path}:{shown.line})"
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    span = Span(report.path, here.line if here else 1, here.column if here else 0)
    return types.Diagnostic(
        range=to_range(text, span, 0, encoding),
        message=f"drano cannot analyse this file: {shown.message}{where}{more}",
        severity=types.DiagnosticSeverity.Information,
        code=NOT_ANALYSED,
        source=SOURCE,
    )
