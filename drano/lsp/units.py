"""What is known of each unit: its last analysis, its failure since, and who wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from lsprotocol import types
from msgspec import Struct, field

from drano.lsp.answers.diagnostics import Texts, greyed, to_diagnostic, to_failure, to_lost
from drano.lsp.positions import Encoding, Text, moved_lines
from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.report import FileReport, NotAnalysed
from drano.output.input_problems import by_cause


class Unit(Struct):
    """``report``: of the last text that could be analysed, ``text``; ``failure``: of the present
    one, when that could not. ``wanted``: paths of open files that need this unit, and
    ``WORKSPACE``; a unit that nobody wants is forgotten. ``proofs``: analyses of ``text`` as it
    would be after an edit that is offered, by the edited text.
    """

    path: str
    report: FileReport | None = None
    text: Text = field(default_factory=lambda: Text(""))
    failure: FileReport | None = None
    failed_text: Text = field(default_factory=lambda: Text(""))
    wanted: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    last_change: float = 0.0
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    accesses: dict[str, list[Access]] = field(default_factory=dict)
    proofs: dict[str, asyncio.Task[FileReport]] = field(default_factory=dict)

    def succeeded(self, report: FileReport, text: Text) -> None:
        """Store an analysis; what came before is gone."""
        self.report, self.text, self.failure = report, text, None
        self.findings, self.accesses, self.proofs = {}, {}, {}
        for finding in report.findings:
            if not finding.counts:
                continue
            self.findings.setdefault(finding.location.span.path, []).append(finding)
        for access in dict.fromkeys(report.accesses):
            self.accesses.setdefault(access.location.span.path, []).append(access)

    def failed(self, report: FileReport, text: Text) -> None:
        """Store a failure; the last analysis stays, to be shown as such."""
        self.failure, self.failed_text = report, text

    @property
    def paths(self) -> set[str]:
        """Files that something is said about."""
        return {self.path, *self.findings, *(kernel.cause.path for kernel in self.lost)}

    @property
    def lost(self) -> tuple[NotAnalysed, ...]:
        """Kernels that device code with errors cost, as of the last analysis."""
        return () if self.report is None else self.report.not_analysed

    def depends_on(self, path: str) -> bool:
        """Whether the analysis would change with that file's content."""
        return self.report is not None and path in self.report.dependencies

    def diagnostics(
        self, path: str, texts: Texts, encoding: Encoding
    ) -> Iterable[types.Diagnostic]:
        """What this unit says about the file at ``path``."""

        def analysed(wanted: str) -> Text:
            return self.text if wanted == self.path else texts(wanted)

        found = [to_diagnostic(f, analysed, encoding) for f in self.findings.get(path, ())]
        if self.failure is None:
            return found + [
                to_lost(cause, kernels, analysed, encoding)
                for cause, kernels in by_cause(self.lost).items()
                if cause.path == path
            ]
        now = self.failed_text if path == self.path else texts(path)
        old = self.text if path == self.path else now
        found = greyed(found, moved_lines(old, now)) if found else []
        if path == self.path:
            found.append(to_failure(self.failure, now, encoding))
        return found


WORKSPACE = "workspace"
