"""Findings that the source's own comments silence, and comments that silence nothing.

A silenced finding stays in the report, marked with the comment's reason. A comment, or one of its
rules, that silences nothing in any unit of the run is a finding itself (DRN901), as far as the run
can tell: not for rules that were not asked, nor in headers when a unit or a kernel failed.

Assumption: files have not changed since they were compiled. Only the user's files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from drano.model.finding import Finding, Severity
from drano.model.report import FileReport, Report
from drano.model.settings import Config, Domain
from drano.model.source_files import SourceFiles
from drano.model.span import Location, Span
from drano.model.system_headers import is_system_header
from drano.rules import (
    RULES,
    AccessRule,
    CommentRule,
    ControlRule,
    KernelRule,
    Rule,
    active_rules,
    is_ignored_in,
)
from drano.rules.unused_suppression import RULE as UNUSED
from drano.support.regular_files import regular_or_empty
from drano.triage.comments import Directive, Scope, directives

MAX_BYTES = 64 << 20
Read = Callable[[str], bytes]


def read_file(path: str) -> bytes:
    """The file's content; empty when it cannot be read or is too large to be anybody's source."""
    return regular_or_empty(path, MAX_BYTES)


def reader(texts: Mapping[str, str], among: SourceFiles) -> Read:
    """``read_file`` of the files ``among`` which reading is allowed, with texts in the place of
    some.
    """

    def read(path: str) -> bytes:
        text = texts.get(path)
        if text is not None:
            return text.encode("utf-8", "surrogateescape")
        return read_file(path) if path in among else b""

    return read


def suppress(report: Report, settings: Callable[[str], Config], read: Read) -> Report:
    """The report with silenced findings marked, and those of unused comments added."""
    state = _State(read)
    files = [_marked(file, state) for file in report.files]
    unused: dict[str, list[Finding]] = {}
    for path, unit in _judged_files(files).items():
        found = _unused(path, state, settings(unit)) if state.of(path) else []
        if found:
            unused.setdefault(unit, []).extend(found)
    return replace(
        report,
        files=tuple(
            replace(file, findings=_sorted((*file.findings, *unused.get(file.path, ()))))
            for file in files
        ),
    )


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (f.location.span, f.rule)))


class _State(Struct):
    """Comments by file, and what of them has silenced something: (path, number, code)."""

    read: Read
    comments: dict[str, tuple[Directive, ...]] = field(default_factory=dict)
    used: set[tuple[str, int, str]] = field(default_factory=set)

    def of(self, path: str) -> tuple[Directive, ...]:
        if path not in self.comments:
            content = b"" if is_system_header(path) else self.read(path)
            self.comments[path] = directives(content, path)
        return self.comments[path]


def _marked(file: FileReport, state: _State) -> FileReport:
    return replace(file, findings=tuple(_mark(finding, state) for finding in file.findings))


def _mark(finding: Finding, state: _State) -> Finding:
    span = finding.location.span
    reason: str | None = None
    for number, directive in enumerate(state.of(span.path)):
        if directive.scope in (None, Scope.END):
            continue
        if not directive.first <= span.line <= directive.last:
            continue
        for code in directive.codes or ("",):
            if _fits(code, finding.rule):
                state.used.add((span.path, number, code))
                reason = reason or directive.reason
    return finding if reason is None else replace(finding, suppressed=reason)


def _fits(code: str, rule: str) -> bool:
    """Whether a comment's word means the rule: by code, prefix or name; "" means all."""
    return rule.startswith(code) or code == RULES[rule].name.upper()


# --- comments that silence nothing -----------------------------------------------------------


def _judged_files(files: Iterable[FileReport]) -> Mapping[str, str]:
    """Files all of whose units were analysed, each with the unit that its comments are told in."""
    files = tuple(files)
    good = [file for file in files if not file.incomplete]
    if len(good) < len(files):
        return {file.path: file.path for file in good}
    found = {file.path: file.path for file in good}
    for file in good:
        for path in file.dependencies:
            found.setdefault(path, file.path)
    return found


def _unused(path: str, state: _State, config: Config) -> list[Finding]:
    rules = active_rules(config)
    if UNUSED not in rules or is_ignored_in(UNUSED.code, path, config):
        return []
    active = {rule.code for rule in rules if _judges(rule, config.analysis.domain)}
    found = []
    for number, directive in enumerate(state.of(path)):
        idle = [
            code
            for code in directive.codes or ("",)
            if (path, number, code) not in state.used and _judgeable(code, active)
        ]
        message = _complaint(directive, idle)
        if message:
            found.append(_finding(path, directive, message, config))
    return found


def _judges(rule: Rule, domain: Domain) -> bool:
    """Whether the rule has judged what the domain found."""
    match rule:
        case AccessRule():
            return rule.paper or domain is Domain.WARP
        case ControlRule() | KernelRule():
            return domain is Domain.WARP
        case CommentRule():
            return True
        case other:
            assert_never(other)


def _judgeable(code: str, active: set[str]) -> bool:
    """Whether all rules that the word means were asked, those that are off by default only when it
    means no others; a word for none is never of use.
    """
    meant = [rule for rule in RULES if _fits(code, rule)]
    needed = [rule for rule in meant if RULES[rule].default] or meant
    return all(rule in active for rule in needed)


def _complaint(directive: Directive, idle: list[str]) -> str:
    word = f"`{directive.word}`"
    if directive.problem:
        return f"unused suppression {word}: {directive.problem}"
    if not idle:
        return ""
    unknown = [code for code in idle if not any(_fits(code, rule) for rule in RULES)]
    if unknown:
        return f"unused suppression {word}: no such rule: {', '.join(unknown)}"
    said = [code if code.startswith("DRN") else code.lower() for code in idle]
    what = ", ".join(code or "any rule" for code in said)
    hint = ""
    if directive.scope is Scope.LINE and directive.alone:
        hint = "; to cover the next line, use `ignore-next-line`"
    return f"unused suppression {word}: no finding of {what} here{hint}"


def _finding(path: str, directive: Directive, message: str, config: Config) -> Finding:
    level = config.rule(UNUSED.code).level
    return Finding(
        rule=UNUSED.code,
        severity=Severity(level) if level else UNUSED.level,
        message=message,
        location=Location(Span(path, directive.line, directive.column), ""),
        end_column=directive.end_column,
        kernel="",
        help="remove the comment, or remove the rule from it",
    )
