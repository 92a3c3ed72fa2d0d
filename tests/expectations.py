"""What an annotated input expects of `drano check`, and what it got.

In comments of a case file (after ``#`` in a Python source):
    // drano: expect[DRN001]          a finding of that rule on this line (or, when the comment
                                      stands alone, on the next line of code)
    // drano: expect[DRN001] "text"   … whose message, advice or reason holds the text
    // drano: expect[DRN001,DRN003]   one of each
    // drano: todo[DRN001]            a finding that we know we miss (found, it fails)
    // drano: expect-none             the file has no finding
    // drano-flags: --block 16,16     on the first line: command line flags
A finding that nothing expects is a failure too.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from msgspec import Struct

from drano.config.arguments import config_from, parse
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus
from drano.model.settings import Config

_FLAGS = re.compile(r"(?://|#)\s*drano-flags:\s*(.*)")
_MARK = re.compile(
    r"(?://|#).*?drano:\s*(expect-none|(expect|todo)\[([\w,\s]+)\](?:\s*\"([^\"]*)\")?)"
)
_ANY_MARK = re.compile(r"drano:\s*(expect|todo)")


class Expectation(Struct, frozen=True):
    line: int
    rule: str
    text: str
    known_gap: bool


class Case(Struct, frozen=True):
    path: Path
    config: Config
    expectations: tuple[Expectation, ...]


class BadCaseError(Exception):
    """The case file itself is wrong."""


def read_case(path: Path) -> Case:
    lines = path.read_text(encoding="utf-8").splitlines()
    flags = _FLAGS.match(lines[0]) if lines else None
    arguments = shlex.split(flags[1]) if flags else []
    config = config_from(parse(["check", *arguments, str(path)]))
    return Case(path, config, read_expectations(lines, path))


def read_expectations(lines: list[str], path: Path) -> tuple[Expectation, ...]:
    found: list[Expectation] = []
    clean = False
    for number, line in enumerate(lines, start=1):
        marks = list(_MARK.finditer(line))
        if not marks and _ANY_MARK.search(line):
            raise BadCaseError(f"{path}:{number}: an annotation that cannot be read")
        for mark in marks:
            if mark[1] == "expect-none":
                clean = True
                continue
            target = number
            if line.lstrip().startswith(("//", "# ")):
                target = _next_code(lines, number)
            text, gap = mark[4] or "", mark[2] == "todo"
            found += [Expectation(target, r.strip(), text, gap) for r in mark[3].split(",")]
    if clean and any(not e.known_gap for e in found):
        raise BadCaseError(f"{path}: expect-none beside other expectations")
    if not clean and not found:
        raise BadCaseError(f"{path}: expects nothing; say expect-none")
    return tuple(found)


def _next_code(lines: list[str], number: int) -> int:
    for following in range(number, len(lines)):
        text = lines[following].strip()
        if text and not text.startswith(("//", "# ")):
            return following + 1
    return number + 1


def differences(case: Case, report: FileReport) -> list[str]:
    """One line for each expectation that is not met and each finding that none expects."""
    if report.status is not FileStatus.OK:
        return [f"cannot be analysed: {'; '.join(map(str, report.diagnostics))}"]
    findings = [f for f in report.findings if Path(f.location.span.path) == case.path]
    problems: list[str] = []
    expected: set[int] = set()
    for want in case.expectations:
        met = [i for i, f in enumerate(findings) if _meets(f, want)]
        expected |= set(met)
        where = f"{case.path.name}:{want.line}: {want.rule}"
        if want.known_gap and met:
            problems.append(f'{where} is found now: change "todo" to "expect"')
        if not want.known_gap and not met:
            text = f' with "{want.text}"' if want.text else ""
            problems.append(f"{where}{text} expected, not found")
    for index, finding in enumerate(findings):
        if index not in expected:
            span = finding.location.span
            reason = finding.access.judgement.reason if finding.access else ""
            problems.append(
                f"{case.path.name}:{span.line}:{span.column}: unexpected {finding.rule}: "
                f"{finding.message} ({reason})"
            )
    return problems


def _meets(finding: Finding, want: Expectation) -> bool:
    access = finding.access
    said = [finding.message, finding.help, *(step.text for step in finding.related)]
    if access is not None:
        said += [
            access.judgement.reason,
            access.judgement.value,
            access.judgement.stride,
            access.index_text,
        ]
        said += [finding.location.function, *(f.function for f in finding.location.inlined_at)]
    at = finding.location.span.line
    return (at, finding.rule) == (want.line, want.rule) and any(want.text in t for t in said)
