"""What is said about inputs rather than accesses: files that failed, notes, compiler warnings."""

from __future__ import annotations

from drano.finding import Diagnostic, FileReport, FileStatus, Report, Severity
from drano.output.source import shown_path
from drano.output.text import count, place
from drano.span import Span

_MAX_NOTES = 3


def failure_line(file: FileReport, *, hint: bool = True) -> str:
    """``FILE:LINE:COL: reason``: a failed file's first error and how many more there are."""
    errors = [d for d in file.diagnostics if d.severity is Severity.ERROR]
    if not errors:
        return f"{shown_path(file.path)}: {file.status}"
    line = _line(errors[0])
    if len(errors) > 1:
        line += f" (and {count(len(errors) - 1, 'more error')}{'; -v shows all' if hint else ''})"
    return line


def failures(report: Report) -> list[tuple[FileReport, Diagnostic]]:
    """Every file that could not be analysed, with the first of its errors."""
    found = []
    for file in report.files:
        if file.status is FileStatus.OK:
            continue
        errors = [d for d in file.diagnostics if d.severity is Severity.ERROR]
        unknown = Diagnostic(file.path, 0, 0, Severity.ERROR, str(file.status))
        found.append((file, errors[0] if errors else unknown))
    return found


def note_lines(report: Report) -> list[str]:
    """Notes about files that were analysed, the first few."""
    notes = [
        _line(diagnostic)
        for file in report.files
        if file.status is FileStatus.OK
        for diagnostic in file.diagnostics
        if diagnostic.severity is Severity.NOTE
    ]
    notes += report.notes
    lines = [f"note: {note}" for note in notes[:_MAX_NOTES]]
    if len(notes) > _MAX_NOTES:
        lines.append(f"note: and {count(len(notes) - _MAX_NOTES, 'more note')}; -v shows all")
    return lines


def verbose_lines(report: Report) -> list[str]:
    """Every diagnostic of every file, the compiler's warnings too, and all notes."""
    lines = [f"{d.severity}: {_line(d)}" for file in report.files for d in file.diagnostics]
    return lines + [f"note: {note}" for note in report.notes]


def _line(diagnostic: Diagnostic) -> str:
    span = Span(diagnostic.path, diagnostic.line, diagnostic.column)
    return f"{place(span)}: {diagnostic.message}"
