"""Workflow commands of GitHub Actions: annotations in the diff of a pull request.

For repositories without code scanning; SARIF says more. GitHub shows ten warnings and ten errors of
a step, so one annotation stands for all findings with one thing to do, and what costs most comes
first, behind the files that could not be analysed.
"""

from __future__ import annotations

from msgspec.structs import replace

from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, Report
from drano.output.checkout import SourceRoot
from drano.output.entries import Entry, entries_of, parts_text
from drano.output.input_problems import failures, lost_kernels, lost_text
from drano.output.sentences import plain, sentence
from drano.output.source_lines import Sources, printable
from drano.output.utf16_regions import region

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render_github(report: Report, sources: Sources, root: SourceRoot) -> str:
    """One command a line; "" for a clean report."""
    lines = [_failure(file, first, root) for file, first in failures(report)]
    for cause, kernels in lost_kernels(report).items():
        text = f"{lost_text(kernels)}: {cause.message}"
        lines.append(_error(cause, text, "drano: kernels not analysed", root))
    lines += [_annotation(entry, sources, root) for entry in entries_of(report.findings)]
    return "".join(f"{line}\n" for line in lines)


def _annotation(entry: Entry, sources: Sources, root: SourceRoot) -> str:
    finding = entry.lead
    span = finding.location.span
    found = region(sources, span, finding.end_column)
    place: dict[str, str | int] = {"file": root.shown(span.path)}
    place |= {"line": found.line, "endLine": found.line}
    if found.start:
        # GitHub's end column is that of the last character.
        place |= {"col": found.start, "endColumn": max(found.end - 1, found.start)}
    title = f"drano {finding.rule}"
    also = sentence(f"also {text}") if (text := parts_text(entry)) else ""
    said = " ".join(filter(None, [plain(finding), also]))
    return _command(_COMMANDS[finding.severity], place | {"title": title}, said)


def _failure(file: FileReport, first: Diagnostic, root: SourceRoot) -> str:
    about = first if first.path else replace(first, path=file.path)
    return _error(about, first.message, "drano: not analysed", root)


def _error(about: Diagnostic, text: str, title: str, root: SourceRoot) -> str:
    place: dict[str, str | int] = {"file": root.shown(about.path)}
    if about.line:
        place |= {"line": about.line, "col": max(about.column, 1)}
    return _command("error", place | {"title": title}, sentence(text))


def _command(name: str, properties: dict[str, str | int], message: str) -> str:
    said = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {said}::{_data(message)}"


def _data(text: str) -> str:
    """Text as GitHub's runner reads it back; nothing in it can begin another command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
