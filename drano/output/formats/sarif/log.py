"""The SARIF log of a report: its one run, the results, and what is said about the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sarif_om as om
from msgspec import Struct

from drano.model.finding import Finding, Severity
from drano.model.report import Diagnostic, FileReport, FileStatus, NotAnalysed, Report
from drano.model.span import Span
from drano.output.access_context import kernels_of
from drano.output.checkout import SourceRoot
from drano.output.formats.sarif.objects import message, plain
from drano.output.formats.sarif.places import ROOT_ID, Places
from drano.output.formats.sarif.results import Results
from drano.output.formats.sarif.rules import NOTIFICATIONS, notification_object, rule_object
from drano.output.formats.sarif.standings import Standing, standings_of
from drano.output.formats.text import cause_text, not_analysed_text
from drano.output.input_problems import run_notes
from drano.output.line_hash import line_hashes
from drano.output.sentences import sentence
from drano.output.source_lines import Sources
from drano.rules import RULES
from drano.support.fast_json import indented

SCHEMA_URI = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# The method's paper.
INFORMATION_URI = "https://doi.org/10.1007/978-3-319-63387-9_25"
MAX_RESULTS = 5000
_MAX_NOTIFICATIONS = 20  # of one file


def render_sarif(
    report: Report,
    sources: Sources,
    root: SourceRoot,
    standings: Mapping[Finding, Standing] | None = None,
) -> str:
    """The report as one SARIF log and a newline.

    ``standings``: of findings in the report, and of further ones that count no more (of the
    baseline only), which are listed, too; by default what the findings themselves say. With any,
    all results say where they stand.
    """
    known = standings_of(report) if standings is None else standings
    every = dict.fromkeys([*report.findings, *known])
    kept = _most_important(tuple(every))
    suppressing = any(standing.suppressions for standing in known.values())
    places = Places(sources, root)
    results = Results(places, known, suppressing, kernels_of(report))
    run = _Run(report, places, results, len(every) - len(kept))
    log = om.SarifLog(version="2.1.0", schema_uri=SCHEMA_URI, runs=[run.build(kept)])
    whole = plain(log)
    ordered = {key: whole[key] for key in ("$schema", "version", "runs")}
    return indented(ordered)


def _most_important(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """As many as are taken, those of the highest rank, in the order given."""
    if len(findings) <= MAX_RESULTS:
        return findings
    by_rank = sorted(range(len(findings)), key=lambda n: (-findings[n].rank, n))
    return tuple(findings[n] for n in sorted(by_rank[:MAX_RESULTS]))


class _Run(Struct, frozen=True):
    report: Report
    places: Places
    results: Results
    left_out: int

    def build(self, findings: Sequence[Finding]) -> Any:
        report = self.report
        hashes = {path: self._hashes(path) for path in {f.location.span.path for f in findings}}
        driver = om.ToolComponent(
            name="drano",
            semantic_version=report.version,
            information_uri=INFORMATION_URI,
            rules=[rule_object(rule) for rule in RULES.values()],
            notifications=[notification_object(code) for code in NOTIFICATIONS],
        )
        domain = f"Memory coalescing of CUDA kernels, analysed with the domain '{report.domain}'."
        return om.Run(
            tool=om.Tool(driver=driver),
            invocations=[
                om.Invocation(
                    execution_successful=not report.incomplete,
                    tool_execution_notifications=self._notifications(),
                )
            ],
            automation_details=om.RunAutomationDetails(
                id=f"drano/{report.domain}/", description=message(domain)
            ),
            version_control_provenance=self._provenance(),
            original_uri_base_ids={
                ROOT_ID: om.ArtifactLocation(
                    uri=self.places.root.uri, description=message("The root of the sources.")
                )
            },
            column_kind="utf16CodeUnits",
            newline_sequences=None,
            results=[
                self.results.result(finding, hashes[finding.location.span.path])
                for finding in findings
            ],
        )

    def _hashes(self, path: str) -> tuple[str, ...]:
        content = self.places.sources.content(path)
        return line_hashes(content) if content else ()

    def _provenance(self) -> list[Any] | None:
        revision = self.places.root.revision
        if revision is None:
            return None
        return [
            om.VersionControlDetails(
                repository_uri=revision.uri,
                revision_id=revision.commit,
                branch=revision.branch or None,
                mapped_to=om.ArtifactLocation(uri_base_id=ROOT_ID),
            )
        ]

    # --- what is said about the inputs ---

    def _notifications(self) -> list[Any]:
        said = [n for file in self.report.files for n in self._of_file(file)]
        said += [self._lost(kernel) for kernel in self.report.not_analysed]
        said += [self._notification("DRN952", Severity.NOTE, n) for n in run_notes(self.report)]
        if self.left_out:
            text = (
                f"only the {MAX_RESULTS} highest-ranked results are listed; "
                f"{self.left_out} more are omitted"
            )
            said.append(self._notification("DRN953", Severity.WARNING, text))
        return said

    def _of_file(self, file: FileReport) -> list[Any]:
        failed = file.status is not FileStatus.OK
        level = Severity.ERROR if failed else Severity.NOTE
        chosen = [d for d in file.diagnostics if d.severity is level][:_MAX_NOTIFICATIONS]
        if failed and not chosen:
            chosen = [Diagnostic(file.path, 0, 0, level, f"not analysed: {file.status}")]
        code = "DRN951" if failed else "DRN952"
        return [self._notification(code, level, d.message, d) for d in chosen]

    def _lost(self, kernel: NotAnalysed) -> Any:
        """At the kernel, with its cause as text; at the cause where its place is unknown."""
        if kernel.location is None:
            return self._notification(
                "DRN954", Severity.ERROR, not_analysed_text(kernel), kernel.cause
            )
        span = kernel.location.span
        about = Diagnostic(span.path, span.line, span.column, Severity.ERROR, "")
        text = f"kernel {kernel.kernel} not analysed: {cause_text(kernel)}"
        return self._notification("DRN954", Severity.ERROR, text, about)

    def _notification(
        self, code: str, level: Severity, text: str, about: Diagnostic | None = None
    ) -> Any:
        return om.Notification(
            descriptor=om.ReportingDescriptorReference(
                id=code, index=list(NOTIFICATIONS).index(code)
            ),
            level=str(level),
            message=message(sentence(text)),
            locations=[self._diagnosed(about)] if about else None,
        )

    def _diagnosed(self, about: Diagnostic) -> Any:
        if about.line:
            return self.places.location(Span(about.path, about.line, about.column))
        place = om.PhysicalLocation(artifact_location=self.places.artifact(about.path))
        return om.Location(physical_location=place)
