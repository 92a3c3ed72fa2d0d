"""One Python source: the CUDA within it, unit by unit, as one report.

Each text is compiled as if the file held it and nothing else, at the lines and columns where it
stands, so that all that is said of it is said of the Python source. One that does not compile, or
is not known before the program runs, is told and takes no other with it.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import reading
from drano.embedded.find import find_embedded
from drano.embedded.markers import may_hold_cuda, may_hold_requests
from drano.embedded.moved import moved
from drano.embedded.traced import Lines, placed
from drano.embedded.units import Embedded, EmbeddedUnit, PythonError, UnknownText
from drano.frontend.compiled.triton_cache import SUFFIX
from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, FileStatus, NotAnalysed
from drano.model.settings import CompileOptions, Config
from drano.model.span import Location, Span
from drano.model.translation_unit import LaunchSite
from drano.run.annotated_kernels import Made, Request, compile_numba, compile_triton
from drano.support.errors import IRError
from drano.support.input_files import InputKind, read_input

_HALF = re.compile("[\ud800-\udfff]")
_SUFFIXES = {"Triton": SUFFIX, "Numba": ".ptx"}
_NO_CONSENT = "not analysed, as nothing is imported without consent (--compile-triton)"
Analyse = Callable[[str, Config, str, Sequence[LaunchSite]], FileReport]
"""The report of a text in the place of a file's, with launches that are known beside its own."""


def analyse_python(
    path: str, config: Config, source_text: str | None, analyse: Analyse
) -> FileReport:
    """The report of the Python source at ``path``. Raises IRError where it cannot be read."""
    source = _source(path) if source_text is None else source_text
    content = source.encode("utf-8", "surrogateescape")
    if not (may_hold_cuda(content) or may_hold_requests(content)):
        return _together(path, (), ())
    try:
        embedded = find_embedded(source, path)
    except PythonError as error:
        said = Diagnostic(
            path, error.line, error.column, Severity.ERROR, f"not Python: {error.reason}"
        )
        return FileReport(path, FileStatus.ERROR, (said,), dependencies=(path,))
    lines = Lines(source)
    reports = [_unit_report(path, config, unit, lines, analyse) for unit in embedded.units]
    notes = tuple(_unknown(path, text) for text in embedded.unknown)
    if embedded.triton or embedded.numba:
        compiled, more = _compiled(path, source, config, embedded, analyse)
        reports, notes = [*reports, *compiled], (*notes, *more)
    return _together(path, reports, notes)


def _source(path: str) -> str:
    try:
        return read_input(path, InputKind.PYTHON).decode("utf-8")
    except UnicodeDecodeError:
        raise IRError(path, "is not UTF-8") from None


def _unit_report(
    path: str, config: Config, unit: EmbeddedUnit, lines: Lines, analyse: Analyse
) -> FileReport:
    text = placed(unit.text, lines)
    told = replace(config, compile=_options(config.compile, unit))
    report = moved(analyse(path, told, _whole(text.text), unit.launches), path, text)
    notes: tuple[Diagnostic, ...] = ()
    if unit.note:
        said = f"{unit.what}: {unit.note}"
        notes = (Diagnostic(path, unit.line, unit.column, Severity.NOTE, said),)
    if report.status is FileStatus.OK:
        return replace(report, diagnostics=(*notes, *report.diagnostics))
    if not unit.what and report.status is FileStatus.ERROR:
        reason = next((d.message for d in report.diagnostics), "does not compile")
        said = f"text with a kernel is not analysed, as it does not compile alone: {reason}"
        only = Diagnostic(path, unit.line, unit.column, Severity.NOTE, said)
        return FileReport(path, FileStatus.OK, (only,), dependencies=(path,))
    return report


def _whole(text: str) -> str:
    """The text with a question mark for each half of a character, which Python's strings may hold:
    no file has these.
    """
    return text if text.isascii() else _HALF.sub("?", text)


class _Code(Struct, frozen=True):
    """What ``library``'s compiler made for a comment, or the problem."""

    library: str
    kernel: str
    line: int
    code: str = ""
    problem: str = ""


def _compiled(
    path: str, source: str, config: Config, embedded: Embedded, analyse: Analyse
) -> tuple[list[FileReport], list[Diagnostic]]:
    """Reports of kernels with a signature in a comment, and what there is to say of others."""
    reports: list[FileReport] = []
    notes: list[Diagnostic] = []
    for code in _codes(path, source, embedded, config.compile):
        if not code.problem:
            reports.append(_code_report(path, source, config, code, analyse))
            continue
        about = f"kernel {code.kernel}" if code.kernel else "comment"
        said = f"{code.library} {about}: {code.problem}"
        notes.append(Diagnostic(path, code.line, 1, Severity.NOTE, said))
    return reports, notes


def _codes(path: str, source: str, embedded: Embedded, options: CompileOptions) -> Iterator[_Code]:
    for library, requests in (("Triton", embedded.triton), ("Numba", embedded.numba)):
        try:
            made = _made(library, path, source, embedded, options) if requests else []
        except IRError as error:
            reason = f"not analysed: {error.reason}"
            made = [Made(r, problem=reason) for r in requests]
        for m in made:
            yield _Code(library, m.request.kernel, m.request.line, m.code, m.problem)


def _made(
    library: str, path: str, source: str, embedded: Embedded, options: CompileOptions
) -> Sequence[Made]:
    requests: Sequence[Request] = embedded.triton if library == "Triton" else embedded.numba
    if options.triton_python is None:
        return [Made(request, problem=request.problem or _NO_CONSENT) for request in requests]
    made = (
        compile_triton(path, source, embedded.triton, options)
        if library == "Triton"
        else compile_numba(path, source, embedded.numba, options)
    )
    return [replace(m, problem=m.problem and f"not analysed: {m.problem}") for m in made]


def _code_report(
    path: str, source: str, config: Config, code: _Code, analyse: Analyse
) -> FileReport:
    with tempfile.TemporaryDirectory(prefix="drano-") as folder:
        name = f"{folder}/kernel{_SUFFIXES[code.library]}"
        Path(name).write_text(code.code, encoding="utf-8")
        with reading({path: source.encode("utf-8", "surrogateescape")}):
            report = analyse(name, config, code.code, ())
    return _of_source(report, name, path)


def _of_source(report: FileReport, name: str, path: str) -> FileReport:
    """What is said of a compiler's output, said of the source."""
    said = tuple(
        replace(found, path=path, line=0, column=0) if found.path == name else found
        for found in report.diagnostics
    )
    return replace(report, path=path, diagnostics=said, dependencies=(path,))


def _options(options: CompileOptions, unit: EmbeddedUnit) -> CompileOptions:
    return replace(
        options,
        defines=(*options.defines, *unit.defines),
        std=options.std or unit.std,
        force_includes=(*options.force_includes, *unit.includes),
        instantiate=(*options.instantiate, *unit.instances),
    )


def _unknown(path: str, text: UnknownText) -> Diagnostic:
    whose = f"source of {text.what}" if text.what else "text with a kernel"
    said = f"{whose} is not analysed, as it is known at run time only: {text.reason}"
    return Diagnostic(path, text.line, text.column, Severity.NOTE, said)


def _together(path: str, reports: Sequence[FileReport], notes: Sequence[Diagnostic]) -> FileReport:
    """One report; what failed is in it as kernels that were not analysed, or fails it if that is
    all.
    """
    if not reports and not notes:
        none = Diagnostic(path, 0, 0, Severity.NOTE, "no CUDA source in this file")
        return FileReport(path, FileStatus.OK, (none,), dependencies=(path,))
    good = [report for report in reports if report.status is FileStatus.OK]
    failed = [report for report in reports if report.status is not FileStatus.OK]
    if failed and not good:
        said = tuple(d for report in failed for d in report.diagnostics)
        return replace(failed[0], diagnostics=(*said, *notes), dependencies=(path,))
    total = FileReport(path, FileStatus.OK, tuple(notes), dependencies=(path,))
    for report in good:
        total = _added(total, report)
    total = replace(
        total,
        not_analysed=(*total.not_analysed, *map(_not_analysed, failed)),
        findings=tuple(sorted(total.findings, key=lambda f: (f.location.span, f.rule))),
    )
    silent = [d for d in total.diagnostics if not d.message.startswith("no kernel in this file")]
    if not total.kernels and len(silent) < len(total.diagnostics):
        silent.append(Diagnostic(path, 0, 0, Severity.NOTE, "no kernel in this file"))
    return replace(total, diagnostics=tuple(silent))


def _added(total: FileReport, report: FileReport) -> FileReport:
    return replace(
        total,
        diagnostics=total.diagnostics + report.diagnostics,
        kernels=total.kernels + report.kernels,
        accesses=total.accesses + report.accesses,
        removed=total.removed + report.removed,
        findings=total.findings + report.findings,
        dependencies=tuple(dict.fromkeys(total.dependencies + report.dependencies)),
        host_dependencies=tuple(dict.fromkeys(total.host_dependencies + report.host_dependencies)),
        timings=total.timings + report.timings,
        not_analysed=total.not_analysed + report.not_analysed,
        missing_headers=total.missing_headers + report.missing_headers,
        host_errors=total.host_errors + report.host_errors,
        found=total.found.joined(report.found),
    )


def _not_analysed(report: FileReport) -> NotAnalysed:
    """All kernels of a text that failed, as one."""
    cause = report.diagnostics[0]
    place = Location(Span(report.path, cause.line, cause.column), "") if cause.line else None
    return NotAnalysed(f"CUDA source in {os.path.basename(report.path)}", "", place, cause)
