"""One result of a SARIF log for each finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sarif_om as om
from msgspec import Struct

from drano.model.access import Access
from drano.model.finding import Confirmation, Finding, SourceFix
from drano.model.judgement import CountRange
from drano.model.span import Span
from drano.output.access_context import Kernels, ScopeKind, scopes
from drano.output.formats.sarif.flows import code_flows, context_flow
from drano.output.formats.sarif.objects import Json, message
from drano.output.formats.sarif.places import Places
from drano.output.formats.sarif.standings import Standing
from drano.output.sentences import advice, explanation, headline, sentence
from drano.output.source_lines import printable
from drano.rules import RULES

# GitHub shows 100 related places of a result; a message that names them all is not read.
_MAX_RELATED = 100
_MAX_LINKS = 12


class Results(Struct, frozen=True):
    """``suppressing``: whether the log speaks of suppressions."""

    places: Places
    standings: Mapping[Finding, Standing]
    suppressing: bool
    kernels: Kernels

    def result(self, finding: Finding, hashes: Sequence[str]) -> Any:
        """Of one finding; ``hashes``: of its file's lines."""
        related, links = self._related(finding)
        said = [headline(finding), *explanation(finding), *links, advice(finding)]
        standing = self.standings.get(finding, Standing())
        return om.Result(
            rule_id=finding.rule,
            rule_index=list(RULES).index(finding.rule) if finding.rule in RULES else -1,
            level=str(finding.severity),
            message=message(" ".join(filter(None, said))),
            locations=[self._primary(finding)],
            related_locations=related or None,
            code_flows=[
                *(code_flows(finding, self.places) or ()),
                *context_flow(finding, self.kernels, self.places),
            ]
            or None,
            partial_fingerprints=_fingerprints(finding, hashes),
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
            first, last = (
                self.places.column(edit.path, *place) for place in (edit.start, edit.end)
            )
            region_ = om.Region(
                start_line=edit.start[0], start_column=first, end_line=edit.end[0], end_column=last
            )
            inserted = om.ArtifactContent(text=edit.text)
            changes[edit.path].append(
                om.Replacement(deleted_region=region_, inserted_content=inserted)
            )
        return om.Fix(
            description=message(sentence(said)),
            artifact_changes=[
                om.ArtifactChange(artifact_location=self.places.artifact(path), replacements=edits)
                for path, edits in changes.items()
            ],
        )

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
        location = self.places.location(span, finding.end_column, surroundings=True)
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
        hidden = len(places) - _MAX_LINKS
        del places[_MAX_RELATED:]
        locations = [
            self.places.location(span, message=sentence(text), number=n)
            for n, (text, span) in enumerate(places, 1)
        ]
        links = [f"{_link(text, n)}." for n, (text, _) in enumerate(places[:_MAX_LINKS], 1)]
        links += [sentence(step.text) for step in finding.related if step.span is None]
        links += [f"And in {hidden} more places."] * (hidden > 0)
        return locations, links


def _link(text: str, number: int) -> str:
    """``text`` as a link to the related location ``number``."""
    escaped = sentence(text).rstrip(".")
    for char in "\\[]":
        escaped = escaped.replace(char, "\\" + char)
    return f"[{escaped}]({number})"


def _fingerprints(finding: Finding, hashes: Sequence[str]) -> Json:
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
