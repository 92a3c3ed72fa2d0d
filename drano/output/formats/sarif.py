"""SARIF 2.1.0, for GitHub's code scanning and every other viewer of that format.

A pure function of the report, the source lines, and the root that paths are relative to; the same
input gives the same bytes: no times, no random ids. Objects are ``sarif_om``'s, which knows the
format's names and defaults; nothing outside this module knows ``sarif_om``.

Choices where the standard leaves some: columns count UTF-16 code units; a result has one location
of one line; several call paths, instances and launches of a line are one result with its
``occurrenceCount``; places are linked from the message, as GitHub shows only those; code flows are
inline. GitHub takes 5,000 results: the rest, by rank, is left out, and a notification says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sarif_om as om

from drano.model.access import Access
from drano.model.finding import Confirmation, Finding, Severity, SourceFix
from drano.model.judgement import CountRange, Step
from drano.model.report import Diagnostic, FileReport, FileStatus, NotAnalysed, Report
from drano.model.span import Span
from drano.output.access_context import Kernels, ScopeKind, kernels_of, scopes
from drano.output.checkout import SourceRoot
from drano.output.formats.text import cause_text, not_analysed_text
from drano.output.input_problems import run_notes
from drano.output.line_hash import line_hashes
from drano.output.sentences import advice, explanation, headline, sentence
from drano.output.source_lines import Sources, printable
from drano.output.utf16_regions import context, region, units
from drano.rules import RULES, Rule
from drano.support.fast_json import indented

SCHEMA_URI = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# The method's paper, and NVIDIA's guide to what the rules are about.
INFORMATION_URI = "https://doi.org/10.1007/978-3-319-63387-9_25"
HELP_URI = (
    "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#coalesced-access-to-global-memory"
)
MAX_RESULTS = 5000
ROOT_ID = "%SRCROOT%"
_MAX_STEPS = 100
_MAX_RELATED = 20
_MAX_NOTIFICATIONS = 20  # of one file

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding does not count: by a comment in the source, or from outside of it."""

    kind: Literal["inSource", "external"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What suppressions and the baseline say of one finding."""

    suppressions: tuple[Suppression, ...] = ()
    baseline: Literal["", "new", "unchanged", "updated", "absent"] = ""


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
    known = _standings(report) if standings is None else standings
    every = dict.fromkeys([*report.findings, *known])
    kept = _most_important(tuple(every))
    suppressing = any(standing.suppressions for standing in known.values())
    run = _Run(
        report, sources, root, known, len(every) - len(kept), suppressing, kernels_of(report)
    )
    log = om.SarifLog(version="2.1.0", schema_uri=SCHEMA_URI, runs=[run.build(kept)])
    plain = _plain(log)
    ordered = {key: plain[key] for key in ("$schema", "version", "runs")}
    return indented(ordered)


_BASELINE: Mapping[str, Literal["", "new", "unchanged"]] = {
    "": "",
    "new": "new",
    "unchanged": "unchanged",
}


def _standings(report: Report) -> dict[Finding, Standing]:
    found = {}
    for finding in report.findings:
        silenced = finding.suppressed is not None
        if silenced or finding.baseline or finding.refuted:
            why = [Suppression("inSource", finding.suppressed or "")] if silenced else []
            if finding.confirmation and finding.refuted:
                why.append(Suppression("external", f"refuted: {finding.confirmation.evidence}"))
            found[finding] = Standing(tuple(why), _BASELINE[finding.baseline])
    return found


def _most_important(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """As many as are taken, those of the highest rank, in the order given."""
    if len(findings) <= MAX_RESULTS:
        return findings
    by_rank = sorted(range(len(findings)), key=lambda n: (-findings[n].rank, n))
    return tuple(findings[n] for n in sorted(by_rank[:MAX_RESULTS]))


# --- objects to JSON -------------------------------------------------------------------------

# Said even where they are the format's defaults: readers differ in which ones they know.
_ALWAYS = frozenset({"level", "version"})


def _plain(value: Any) -> Any:
    """``sarif_om`` objects as dicts, without what is absent or at the format's default."""
    fields = getattr(type(value), "__attrs_attrs__", None)
    if fields is not None:
        named = [(f, getattr(value, f.name)) for f in fields]
        return {
            field.metadata["schema_property_name"]: _plain(item)
            for field, item in named
            if item is not None and (item != field.default or field.name in _ALWAYS)
        }
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _message(text: str) -> Any:
    return om.Message(text=text)


# --- rules -----------------------------------------------------------------------------------

_PROBLEM_SEVERITY = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "recommendation",
}
_NOTIFICATIONS = {
    "DRN951": ("FileNotAnalysed", "A file could not be analysed, so it has no results."),
    "DRN952": ("Remark", "A note on how a file was analysed."),
    "DRN953": ("ResultsLeftOut", "The number of results exceeds the limit of the report."),
    "DRN954": (
        "KernelNotAnalysed",
        "A kernel could not be analysed because device code that it reaches does not compile.",
    ),
}


def _rule(rule: Rule) -> Any:
    page = rule.page.strip()
    what = page.split("## What it does", 1)[-1].split("\n## ", 1)[0]
    return om.ReportingDescriptor(
        id=rule.code,
        name=pascal_case(rule.name),
        short_description=om.MultiformatMessageString(text=sentence(rule.summary)),
        full_description=om.MultiformatMessageString(text=sentence(what)),
        help=om.MultiformatMessageString(text=page, markdown=f"# {page}"),
        help_uri=HELP_URI,
        default_configuration=om.ReportingConfiguration(level=str(rule.level)),
        properties={
            "tags": ["cuda", "gpu", "memory", "performance"],
            # Notes are of what was not proved.
            "precision": "medium" if rule.level is Severity.NOTE else "high",
            "problem.severity": _PROBLEM_SEVERITY[rule.level],
        },
    )


def pascal_case(name: str) -> str:
    """A rule's name as SARIF wants it.

    >>> pascal_case("uncoalesced-access")
    'UncoalescedAccess'
    """
    return "".join(word.capitalize() for word in name.split("-"))


def _notification_rule(code: str) -> Any:
    name, text = _NOTIFICATIONS[code]
    description = om.MultiformatMessageString(text=text)
    return om.ReportingDescriptor(
        id=code,
        name=name,
        short_description=description,
        full_description=description,
        help=om.MultiformatMessageString(text=text, markdown=text),
    )


# --- the run ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    report: Report
    sources: Sources
    root: SourceRoot
    standings: Mapping[Finding, Standing]
    left_out: int
    suppressing: bool
    kernels: Kernels

    def build(self, findings: Sequence[Finding]) -> Any:
        report = self.report
        hashes = {path: self._hashes(path) for path in {f.location.span.path for f in findings}}
        driver = om.ToolComponent(
            name="drano",
            semantic_version=report.version,
            information_uri=INFORMATION_URI,
            rules=[_rule(rule) for rule in RULES.values()],
            notifications=[_notification_rule(code) for code in _NOTIFICATIONS],
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
                id=f"drano/{report.domain}/", description=_message(domain)
            ),
            version_control_provenance=self._provenance(),
            original_uri_base_ids={
                ROOT_ID: om.ArtifactLocation(
                    uri=self.root.uri, description=_message("The root of the sources.")
                )
            },
            column_kind="utf16CodeUnits",
            newline_sequences=None,
            results=[self._result(finding, hashes) for finding in findings],
        )

    def _hashes(self, path: str) -> tuple[str, ...]:
        content = self.sources.content(path)
        return line_hashes(content) if content else ()

    def _provenance(self) -> list[Any] | None:
        revision = self.root.revision
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
                id=code, index=list(_NOTIFICATIONS).index(code)
            ),
            level=str(level),
            message=_message(sentence(text)),
            locations=[self._diagnosed(about)] if about else None,
        )

    def _diagnosed(self, about: Diagnostic) -> Any:
        if about.line:
            return self._location(Span(about.path, about.line, about.column))
        place = om.PhysicalLocation(artifact_location=self._artifact(about.path))
        return om.Location(physical_location=place)

    # --- one result ---

    def _result(self, finding: Finding, hashes: Mapping[str, tuple[str, ...]]) -> Any:
        related, links = self._related(finding)
        said = [headline(finding), *explanation(finding), *links, advice(finding)]
        standing = self.standings.get(finding, Standing())
        return om.Result(
            rule_id=finding.rule,
            rule_index=list(RULES).index(finding.rule) if finding.rule in RULES else -1,
            level=str(finding.severity),
            message=_message(" ".join(filter(None, said))),
            locations=[self._primary(finding)],
            related_locations=related or None,
            code_flows=[*(self._code_flows(finding) or ()), *self._context_flow(finding)] or None,
            partial_fingerprints=_fingerprints(finding, hashes[finding.location.span.path]),
            rank=float(finding.rank),
            occurrence_count=finding.count if finding.count > 1 else None,
            suppressions=self._suppressions(standing),
            baseline_state=standing.baseline or None,
            properties=_properties(finding.access, finding.confirmation)
            if finding.access
            else None,
            fixes=[self._fix(fix) for fix in finding.fixes] or None,
        )

    def _fix(self, fix: SourceFix) -> Any:
        unsafe = f"; unsafe: {fix.unproved}" if fix.unproved else ""
        said = f"{fix.title} ({fix.promise}){unsafe}"
        changes = {edit.path: [] for edit in fix.edits}  # type: dict[str, list[Any]]
        for edit in fix.edits:
            first, last = (self._column(edit.path, *place) for place in (edit.start, edit.end))
            region_ = om.Region(
                start_line=edit.start[0], start_column=first, end_line=edit.end[0], end_column=last
            )
            inserted = om.ArtifactContent(text=edit.text)
            changes[edit.path].append(
                om.Replacement(deleted_region=region_, inserted_content=inserted)
            )
        return om.Fix(
            description=_message(sentence(said)),
            artifact_changes=[
                om.ArtifactChange(artifact_location=self._artifact(path), replacements=edits)
                for path, edits in changes.items()
            ],
        )

    def _column(self, path: str, line: int, column: int) -> int:
        """In UTF-16 code units, from bytes."""
        before = self.sources.line(path, line)[: column - 1]
        return 1 + units(before.decode("utf-8", "replace"))

    def _suppressions(self, standing: Standing) -> list[Json] | None:
        """An empty list says "not suppressed", but only in logs that speak of suppressions."""
        if not self.suppressing:
            return None
        # Not sarif_om.Suppression: that one is a draft's, which had another name for the status.
        return [
            {"kind": each.kind, "status": "accepted"}
            | ({"justification": printable(each.reason)} if each.reason else {})
            for each in standing.suppressions
        ]

    def _primary(self, finding: Finding) -> Any:
        span = finding.location.span
        location = self._location(span, finding.end_column, surroundings=True)
        if not finding.kernel:
            return location
        kernel = printable(finding.kernel)
        symbol = finding.access.kernel_symbol if finding.access else ""
        location.logical_locations = [
            om.LogicalLocation(
                name=kernel.rsplit("::", 1)[-1],
                fully_qualified_name=kernel,
                decorated_name=printable(symbol) if symbol and symbol != kernel else None,
                kind="function",
            )
        ]
        levels = scopes(finding, self.kernels)
        names = [printable(s.name) for s in levels if s.kind is ScopeKind.KERNEL]
        for scope in levels:
            if scope.kind not in {ScopeKind.CALL, ScopeKind.LOOP}:
                continue
            names.append(printable(scope.name))
            kind = "function" if scope.kind is ScopeKind.CALL else "loop"
            full = "/".join(names)
            location.logical_locations.append(
                om.LogicalLocation(name=names[-1], fully_qualified_name=full, kind=kind)
            )
        return location

    def _related(self, finding: Finding) -> tuple[list[Any], list[str]]:
        """Places besides the result's own, and the sentences of the message that link to them."""
        places: list[tuple[str, Span]] = []
        callee = finding.location.function
        for frame in finding.location.inlined_at:
            places.append((f"'{callee}' is called by '{frame.function}' here", frame.span))
            callee = frame.function
        derivation = finding.access.judgement.derivation if finding.access else ()
        here = finding.location.span
        before = [(s.text, s.span) for s in derivation if s.span and s.span.line != here.line]
        places += [(f"the index: {text}", span) for text, span in before[-1:]]
        places += [(step.text, step.span) for step in finding.related if step.span is not None]
        del places[_MAX_RELATED:]
        locations = [
            self._location(span, message=sentence(text), number=n)
            for n, (text, span) in enumerate(places, 1)
        ]
        links = [f"{_link(text, n)}." for n, (text, _) in enumerate(places, 1)]
        links += [sentence(step.text) for step in finding.related if step.span is None]
        return locations, links

    def _code_flows(self, finding: Finding) -> list[Any] | None:
        """How the index comes about, step by step, the access itself last."""
        access = finding.access
        if access is None or not access.judgement.derivation:
            return None
        derivation = access.judgement.derivation[:_MAX_STEPS]
        steps = [*derivation, Step(finding.location.span, finding.message)]
        here = next((s.span for s in steps if s.span is not None), finding.location.span)
        locations = []
        for step in steps:
            here = step.span or here  # a step without a place happens where the last one did
            location = self._location(here, message=sentence(step.text))
            locations.append(om.ThreadFlowLocation(location=location))
        locations[-1].importance = "essential"
        flow = om.ThreadFlow(locations=locations)
        text = f"Derivation of the addresses of {len(access.judgement.lanes) or 'all'} lanes."
        return [om.CodeFlow(thread_flows=[flow], message=_message(text))]

    def _context_flow(self, finding: Finding) -> list[Any]:
        """The way from the launch to the line, each level inside the one before."""
        levels = [s for s in scopes(finding, self.kernels) if s.span is not None and s.span.line]
        if len(levels) < 3:
            return []
        locations = []
        for depth, scope in enumerate(levels):
            # A function's name stays as it is.
            call = scope.kind is ScopeKind.CALL
            said = f"{printable(scope.text)}." if call else sentence(scope.text)
            location = self._location(scope.span or Span("", 0, 0), message=said)
            locations.append(om.ThreadFlowLocation(location=location, nesting_level=depth))
        flow = om.ThreadFlow(locations=locations)
        text = "Context of the access: launch, kernel, calls, loops."
        return [om.CodeFlow(thread_flows=[flow], message=_message(text))]

    # --- places ---

    def _location(
        self,
        span: Span,
        end_column: int = 0,
        *,
        message: str = "",
        number: int = -1,
        surroundings: bool = False,
    ) -> Any:
        found = region(self.sources, span, end_column)
        around = context(self.sources, found, span.path) if surroundings else None
        place = om.PhysicalLocation(
            artifact_location=self._artifact(span.path),
            region=om.Region(
                start_line=found.line,
                start_column=found.start or None,
                end_line=found.line if found.start else None,
                end_column=found.end or None,
                snippet=om.ArtifactContent(text=found.text) if found.text else None,
            ),
        )
        if around is not None:
            place.context_region = om.Region(
                start_line=around.first,
                end_line=around.last,
                snippet=om.ArtifactContent(text=around.text),
            )
        return om.Location(
            id=number,
            physical_location=place,
            message=_message(message) if message else None,
        )

    def _artifact(self, path: str) -> Any:
        uri, relative = self.root.uri_of(path)
        return om.ArtifactLocation(uri=uri, uri_base_id=ROOT_ID if relative else None)


def _link(text: str, number: int) -> str:
    """``text`` as a link to the related location ``number``."""
    escaped = sentence(text).rstrip(".")
    for char in "\\[]":
        escaped = escaped.replace(char, "\\" + char)
    return f"[{escaped}]({number})"


def _fingerprints(finding: Finding, hashes: tuple[str, ...]) -> Json:
    line = max(finding.location.span.line, 1)
    prints = {"drano/v1": finding.fingerprint}
    if line <= len(hashes):
        prints["primaryLocationLineHash"] = hashes[line - 1]
    return prints


def _properties(access: Access, said: Confirmation | None) -> Json:
    judgement = access.judgement
    bag: Json = {
        "access": str(access.kind),
        "space": str(judgement.space),
        "bytes": access.bytes,
        "verdict": str(judgement.verdict),
        "pattern": judgement.pattern,
    }
    for name, counts in (
        ("lines", judgement.lines),
        ("sectors", judgement.sectors),
        ("wavefronts", judgement.wavefronts),
    ):
        if counts is not None:
            bag[name] = _counts(counts)
    if access.launch is not None:
        bag["block"] = list(access.launch.block)
        bag["blockAssumed"] = access.launch.assumed
    if said is not None:
        bag["confirmation"] = {"outcome": str(said.outcome), "evidence": printable(said.evidence)}
    return bag


def _counts(counts: CountRange) -> Json:
    said = {"minimum": counts.minimum, "maximum": counts.maximum, "ideal": counts.ideal}
    return said if counts.expected is None else said | {"expected": counts.expected}
