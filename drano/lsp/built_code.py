"""Findings of a saved source beside what its build has made, for the hover.

Looked at are the files that ``--cubin`` names among the client's arguments, and the objects that
the compilation database in use says are made of the file, where they hold PTX with line numbers.
No program is run: an editor opens what it is given. What cannot be read says nothing.
"""

from __future__ import annotations

import logging
from pathlib import Path

from drano.confirm.gather import Asked, confirmed
from drano.model.access import Access, AccessKind
from drano.model.finding import Confirmation, Finding, Outcome
from drano.model.report import FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.span import Span
from drano.support.errors import IRError

log = logging.getLogger(__name__)

Marks = dict[tuple[Span, AccessKind], Confirmation]


def with_built_code(
    report: FileReport, config: Config, named: tuple[str, ...], text: str | None
) -> FileReport:
    """The report with its findings marked, if ``text`` is the file's: lines of code that was built
    of another text have other numbers.
    """
    database = config.compile.compile_commands
    if report.status is not FileStatus.OK or not (named or database) or not report.findings:
        return report
    if text is not None and not _is_saved(report.path, text):
        return report
    whole = Report((report,), "", "")
    for asked in (*(Asked((name,), run=False) for name in named), Asked((), database)):
        try:
            whole, notes = confirmed(whole, lambda _path: config, asked)
        except IRError as error:
            notes = [str(error)]
        for note in notes:
            log.info("%s", note)
    return whole.files[0]


def _is_saved(path: str, text: str) -> bool:
    try:
        return Path(path).read_bytes() == text.encode("utf-8", "surrogateescape")
    except OSError:
        return False


def marks_of(findings: tuple[Finding, ...]) -> Marks:
    """What compiled code says of each access; of one in several kernels, what any confirms."""
    marks: Marks = {}
    for finding in findings:
        said, access = finding.confirmation, finding.access
        if said is not None and access is not None:
            old = marks.setdefault(place_of(access), said)
            if old.outcome is not Outcome.CONFIRMED:
                marks[place_of(access)] = said
    return marks


def place_of(access: Access) -> tuple[Span, AccessKind]:
    """What tells an access from others of its file."""
    return access.location.span, access.kind
