"""What is said about inputs rather than accesses: files that failed, notes, compiler warnings."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from drano.frontend.commands.find_database import Databases
from drano.frontend.headers.build_files import is_build_file
from drano.frontend.headers.configured_headers import made_of
from drano.frontend.headers.library_packages import is_packaged, library_of
from drano.frontend.macros import torch_builds
from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, FileStatus, NotAnalysed, Report
from drano.model.span import Span
from drano.output.formats.text_parts import place
from drano.output.plurals import count
from drano.output.source_lines import shown_path

_MAX_NOTES = 3
_MAX_NAMES = 4


def failure_line(file: FileReport, *, hint: bool = True) -> str:
    """``FILE:LINE:COL: reason``: a failed file's first error and how many more there are."""
    errors = [d for d in file.diagnostics if d.severity is Severity.ERROR]
    if not errors:
        return f"{shown_path(file.path)}: {file.status}"
    more = []
    if os.path.normpath(errors[0].path) != os.path.normpath(file.path):
        more.append(f"in {shown_path(file.path)}")
    if len(errors) > 1:
        more.append(f"and {count(len(errors) - 1, 'more error')}{'; -v shows all' if hint else ''}")
    return _line(errors[0]) + (f" ({', '.join(more)})" if more else "")


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


def lost_kernels(report: Report) -> dict[Diagnostic, list[NotAnalysed]]:
    """Kernels that could not be analysed, by what they were lost to."""
    return by_cause(report.not_analysed)


def by_cause(lost: Iterable[NotAnalysed]) -> dict[Diagnostic, list[NotAnalysed]]:
    """Kernels by the error that cost them, in order."""
    found: dict[Diagnostic, list[NotAnalysed]] = {}
    for kernel in lost:
        found.setdefault(kernel.cause, []).append(kernel)
    return found


def lost_text(kernels: list[NotAnalysed]) -> str:
    """As in "kernels a, b and 3 more not analysed"."""
    names = list(dict.fromkeys(kernel.kernel for kernel in kernels))
    return f"kernel{'s' * (len(names) > 1)} {_some(names)} not analysed"


def _some(names: list[str]) -> str:
    if len(names) <= _MAX_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:_MAX_NAMES])} and {len(names) - _MAX_NAMES} more"


def run_notes(report: Report) -> list[str]:
    """What is to be said of the run as a whole: its notes, headers that it went without or found by
    itself, and host code that does not compile.
    """
    notes = _own_notes(report)
    missing = [header.name for header in report.missing_headers]
    if missing:
        what = "a missing header" if len(missing) == 1 else f"{len(missing)} missing headers"
        notes.append(f"continued without {what}: {_some(missing)}")
    wanted = dict.fromkeys(
        header.name
        for file in report.files
        if file.not_analysed
        for header in file.missing_headers
        if not header.stand_in
    )
    if wanted:
        own = "-I names their directory, -p a build that makes or finds them"
        libraries = dict.fromkeys(filter(None, map(library_of, wanted)))
        for command in dict.fromkeys(library.command for library in libraries):
            brought = (library.name for library in libraries if library.command == command)
            own += f", {command} brings {' and '.join(brought)}"
        notes.append(f"kernels may be lost for want of {_some(list(wanted))}: {own}")
    unclear = {h.name: h.places for f in report.files for h in f.missing_headers if h.places}
    for name, places in list(unclear.items())[:_MAX_NOTES]:
        where = _some([shown_path(directory) for directory in places])
        notes.append(f"{name} is in several directories of the repository, -I chooses: {where}")
    found = dict.fromkeys(d for file in report.files for d in file.found.directories)
    made = {directory: files[0] for directory in found if (files := made_of(directory))}
    paths = list(dict.fromkeys(made.values()))
    exports = [path for path in paths if is_build_file(os.path.basename(path))]
    schemas = [path for path in paths if path.endswith(".proto")]
    templates = [path for path in paths if path not in exports and path not in schemas]
    own = "-I names a build's own, -p the build"
    if templates:
        filled = _some([shown_path(path) for path in templates])
        notes.append(f"filled in {filled} with what the project's CMake files set: {own}")
    if exports:
        lists = _some([shown_path(path) for path in exports])
        notes.append(f"made the export headers of {lists}, with empty macros: {own}")
    if schemas:
        named = _some([shown_path(path) for path in schemas])
        notes.append(f"declared what protobuf makes of {named}: {own}")
    packaged = list(filter(is_packaged, found))
    own_directories = [each for each in found if each not in made and each not in packaged]
    for where, directories in (("the repository", own_directories), ("Python packages", packaged)):
        if directories:
            flags = [f"-I {shown_path(directory)}" for directory in directories]
            notes.append(f"found headers in {where}, as if given {_some(flags)}")
    chosen = dict.fromkeys(m for file in report.files for m in file.found.chosen)
    if chosen:
        flags = [f"-D{macro}" for macro in chosen]
        notes.append(f"compiled as if given {_some(flags)}, for which an #error asks: -D chooses")
    macros = dict.fromkeys(
        m for file in report.files for m in file.found.macros if m not in file.found.chosen
    )
    usual = [macro for macro in macros if macro in torch_builds.MACROS]
    if usual:
        flags = [f"-D{macro}" for macro in usual]
        notes.append(f"compiled as if given {_some(flags)}, as PyTorch builds extensions")
    flags = [f"-D{macro}" for macro in macros if macro not in usual]
    if flags:
        note = f"found macros in the project's build files, as if given {_some(flags)}"
        said = (d for f in report.files if f.found.macros for d in f.dependencies)
        sizes = any("=" in macro for macro in macros)
        if sizes and any(path.endswith(".py") for path in said):
            note += " (of several sizes that a Python program has for one, the largest)"
        notes.append(note)
    integers = dict.fromkeys(n for file in report.files for n in file.found.integers)
    if integers:
        notes.append(
            f"took {_some(list(integers))} for the integers that they say: headers are missing"
        )
    qualifiers = dict.fromkeys(q for file in report.files for q in file.found.qualifiers)
    if qualifiers:
        names = [qualifier.partition("=")[0] for qualifier in qualifiers]
        what = "the function qualifiers that they say: headers are missing"
        notes.append(f"took {_some(names)} for {what}")
    newer = Counter(file.found.standard for file in report.files if file.found.standard)
    for standard, number in newer.items():
        notes.append(f"compiled {count(number, 'file')} as if given -std={standard}")
    broken = [file for file in report.files if file.host_errors]
    if broken:
        what = f"ignored errors in code that no kernel needs, in {count(len(broken), 'file')}"
        notes.append(what)
    return notes


def _own_notes(report: Report) -> list[str]:
    """With the files that some begin with as reports name them."""
    parted = (note.partition(": ") for note in report.notes)
    return [
        (shown_path(about) if Path(about).is_absolute() else about) + colon + said
        for about, colon, said in parted
    ]


def note_lines(report: Report) -> list[str]:
    """Notes about files that were analysed, the first few; one line on missing headers."""
    notes = [
        _line(diagnostic)
        for file in report.files
        if file.status is FileStatus.OK
        for diagnostic in file.diagnostics
        if diagnostic.severity is Severity.NOTE
    ]
    notes += _own_notes(report)
    lines = [
        f"note: {note} (-v lists the files)" for note in run_notes(report)[len(report.notes) :]
    ]
    lines += [f"note: {note}" for note in notes[:_MAX_NOTES]]
    if len(notes) > _MAX_NOTES:
        lines.append(f"note: and {count(len(notes) - _MAX_NOTES, 'more note')}; -v shows all")
    return lines


def database_lines(databases: Databases, *, all_of_it: bool) -> list[str]:
    """Databases that were found and could not be used; with ``all_of_it``, those in use, too."""
    lines = [
        f"note: {shown_path(path)}: {reason}; continued without it"
        for path, reason in databases.problems.items()
    ]
    if all_of_it:
        for path, number in Counter(databases.taken.values()).items():
            lines.append(
                f"note: compile commands of {count(number, 'file')} from {shown_path(path)}"
            )
    return lines


def verbose_lines(report: Report) -> list[str]:
    """Every diagnostic of every file, the compiler's warnings too, and all notes."""
    lines = [f"{d.severity}: {_line(d)}" for file in report.files for d in file.diagnostics]
    missing = dict.fromkeys(header for file in report.files for header in file.missing_headers)
    for header in missing:
        went = "used a stub" if header.stand_in else "continued without it"
        where = place(Span(header.path, header.line, 0))
        lines.append(f"note: {where}: header '{header.name}' is not installed: {went}")
    host = dict.fromkeys(d for file in report.files for d in file.host_errors)
    lines += [f"note: {_line(d)} (not needed by any kernel)" for d in host]
    return lines + [f"note: {note}" for note in run_notes(report)]


def _line(diagnostic: Diagnostic) -> str:
    span = Span(diagnostic.path, diagnostic.line, diagnostic.column)
    return f"{place(span)}: {diagnostic.message}"
