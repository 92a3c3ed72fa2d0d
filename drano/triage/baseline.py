"""Findings that are known already: they stay in the report, marked, and do not fail the run.

Known ones come from a file that an earlier run wrote, or from an analysis of an older commit. Each
is recognised by its fingerprint (rule, file name, function, array, kind of access), its path and
the text of its line, never by the line's number: other code may move and be renamed. As many are
known as there were: a second one like the first is new. In order of trust:

1. same fingerprint, path and text; 2. same fingerprint and path (the line was edited); 3. same
rule, path and text (its function was renamed); 4. and 5. the fingerprint, or rule and text, of a
known one whose file is gone (the file was moved or renamed).
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from drano.model.finding import Finding
from drano.model.report import FileReport, Report
from drano.support.fast_json import indented
from drano.support.regular_files import UnfitFileError, read_regular
from drano.triage.suppress import Read

VERSION = 1
MAX_BYTES = 64 << 20


class BaselineError(Exception):
    """``str()`` is one line: the file, and why it cannot be used."""


class Known(Struct, frozen=True):
    """One finding as a baseline has it. ``path``: relative, with "/"; ``text``: a digest of the
    line without its blanks; ``message`` is for people.
    """

    rule: str
    path: str
    fingerprint: str
    text: str
    message: str = ""


class _File(Struct, frozen=True):
    version: int
    tool: str
    findings: list[Known]


Relative = Callable[[str], str]


def known_of(findings: Iterable[Finding], relative: Relative, read: Read) -> tuple[Known, ...]:
    """Findings as a baseline has them; ``relative`` makes their paths what they are in it."""
    lines: dict[str, list[bytes]] = {}

    def text(path: str, number: int) -> str:
        if path not in lines:
            lines[path] = read(path).split(b"\n")
        content = lines[path][number - 1] if 0 < number <= len(lines[path]) else b""
        return hashlib.sha256(b"".join(content.split())).hexdigest()[:16]

    return tuple(
        Known(
            finding.rule,
            relative(finding.location.span.path),
            finding.fingerprint,
            text(finding.location.span.path, finding.location.span.line),
            finding.message,
        )
        for finding in findings
    )


def compare(
    report: Report,
    known: Sequence[Known],
    relative: Relative,
    read: Read,
    gone: Callable[[str], bool],
) -> Report:
    """The report with each finding marked as known or new. ``gone``: whether there is no file at a
    path of the baseline any more.
    """
    findings = [finding for finding in report.findings if finding.suppressed is None]
    found = known_of(findings, relative, read)
    old = _match(found, known, gone)
    states = {
        _identity(finding): "unchanged" if number in old else "new"
        for number, finding in enumerate(findings)
    }

    def marked(file: FileReport) -> FileReport:
        findings = tuple(replace(f, baseline=states.get(_identity(f), "")) for f in file.findings)
        return replace(file, findings=findings)

    return replace(report, files=tuple(map(marked, report.files)))


def _identity(finding: Finding) -> Hashable:
    """As ``Report.findings`` tells findings apart."""
    return (finding.rule, finding.location, finding.kernel)


def _match(
    found: Sequence[Known], known: Sequence[Known], gone: Callable[[str], bool]
) -> frozenset[int]:
    """The indices of those in ``found`` that ``known`` has."""
    moved = {path for path in {entry.path for entry in known} if gone(path)}
    stages: list[tuple[Callable[[Known], Hashable], bool]] = [
        (lambda k: (k.fingerprint, k.path, k.text), False),
        (lambda k: (k.fingerprint, k.path), False),
        (lambda k: (k.rule, k.path, k.text), False),
        (lambda k: k.fingerprint, True),
        (lambda k: (k.rule, k.text), True),
    ]
    left = list(known)
    matched: set[int] = set()
    for key, only_moved in stages:
        offered = Counter(key(k) for k in left if not only_moved or k.path in moved)
        taken: Counter[Hashable] = Counter()
        for number, entry in enumerate(found):
            if number not in matched and taken[key(entry)] < offered[key(entry)]:
                matched.add(number)
                taken[key(entry)] += 1
        left = _without(left, key, taken, moved if only_moved else None)
    return frozenset(matched)


def _without(
    known: Sequence[Known],
    key: Callable[[Known], Hashable],
    taken: Counter[Hashable],
    only: set[str] | None,
) -> list[Known]:
    rest: list[Known] = []
    for entry in known:
        if taken[key(entry)] > 0 and (only is None or entry.path in only):
            taken[key(entry)] -= 1
        else:
            rest.append(entry)
    return rest


# --- files -----------------------------------------------------------------------------------


def relative_to(directory: str) -> Relative:
    """Paths from ``directory`` on, with "/"."""

    def relative(path: str) -> str:
        return os.path.relpath(path, directory).replace(os.sep, "/")

    return relative


def gone_from(directory: str) -> Callable[[str], bool]:
    """Whether there is nothing any more at a path relative to ``directory``."""
    return lambda path: not Path(directory, path).exists()


def directory_of(baseline: str) -> str:
    """The directory that a baseline file's paths are relative to."""
    return str(Path(baseline).absolute().parent)


def render_baseline(report: Report, baseline: str, read: Read) -> str:
    """The content of a baseline file at the path ``baseline``."""
    findings = [finding for finding in report.findings if finding.suppressed is None]
    known = known_of(findings, relative_to(directory_of(baseline)), read)
    entries = sorted(known, key=lambda k: (k.path, k.rule, k.fingerprint, k.text, k.message))
    document = {
        "version": VERSION,
        "tool": "drano",
        "findings": [
            {
                "rule": entry.rule,
                "path": entry.path,
                "fingerprint": entry.fingerprint,
                "text": entry.text,
                "message": entry.message,
            }
            for entry in entries
        ],
    }
    return indented(document)


def read_baseline(path: str) -> tuple[Known, ...]:
    """Raises BaselineError."""
    try:
        file = msgspec.json.decode(read_regular(path, MAX_BYTES), type=_File)
    except (FileNotFoundError, UnfitFileError):
        raise BaselineError(f"{path}: no such baseline file of less than 64 MB") from None
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BaselineError(f"{path}: is not a drano baseline file: {reason}") from None
    if file.version != VERSION or file.tool != "drano":
        raise BaselineError(f"{path}: is a baseline from another tool or version")
    return tuple(file.findings)
