"""The JSON report: one stable schema, ``schema.json`` beside this module.

``findings`` and ``entries``, which fold them, are always complete; ``accesses`` and ``removed``,
which are a hundred times as much, are there when all was asked to be shown. Paths are relative to
the working directory where they lie below it; columns are the compiler's, 1-based bytes of the
line. A field of what is not known is null, or "" for text. Adding a field keeps
``schema_version``; changing or removing one raises it. Each record has a line of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from drano.model.access import Access, Cost, Launch, Reuse
from drano.model.finding import Confirmation, Finding
from drano.model.judgement import CountRange, Step
from drano.model.report import (
    Diagnostic,
    FileReport,
    FileStatus,
    KernelInfo,
    MissingHeader,
    NotAnalysed,
    Report,
)
from drano.model.source_access import Origin, RemovedAccess
from drano.model.span import Frame, Location, Span
from drano.output.access_context import Kernels, Scope, kernels_of, scopes
from drano.output.cost_text import formula
from drano.output.entries import Entry, entries_of, parts_text
from drano.output.formats.closing import all_accesses
from drano.output.formats.text import all_removed
from drano.output.input_problems import run_notes
from drano.output.source_lines import shown_path

SCHEMA_VERSION = 2

Json = dict[str, Any]


def render_json(report: Report, *, show_all: bool = False) -> str:
    """The report as one JSON document and a newline; the same report gives the same bytes."""
    document = to_json(report, show_all=show_all)
    members = (f"{json.dumps(name)}: {_lines(value)}" for name, value in document.items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: Any) -> str:
    """A value as JSON, the members of a list on a line each."""
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"


def render_jsonl(report: Report, *, show_all: bool = False) -> str:
    """The records of ``jsonl_lines`` as one text."""
    return "".join(jsonl_lines(report, show_all=show_all))


def jsonl_lines(report: Report, *, show_all: bool = False) -> Iterator[str]:
    """JSON Lines, for tools that read a stream: an object for each file that could not be analysed
    (``"record": "failure"``), for each kernel that could not (``"record": "not_analysed"``), then
    one for each finding (``"record": "finding"``), as in the document's ``files``,
    ``not_analysed`` and ``findings``; with all shown, one for each access (``"record": "access"``).
    """
    failed = [file for file in report.files if file.status is not FileStatus.OK]
    for file in failed:
        yield _record("failure", _file(file))
    for lost in report.not_analysed:
        yield _record("not_analysed", _not_analysed(lost))
    for finding in _findings(report, _entries(report)):
        yield _record("finding", finding)
    for access in all_accesses(report) if show_all else ():
        yield access_line(access)


def access_line(access: Access) -> str:
    """The line of one access."""
    return _record("access", access_json(access))


def _record(name: str, content: Json) -> str:
    return f"{json.dumps({'record': name, **content})}\n"


def to_json(report: Report, *, show_all: bool = False) -> Json:
    """The report as plain dicts and lists. ``show_all``: with all accesses."""
    entries = _entries(report)
    document: Json = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "drano", "version": report.version, "domain": report.domain},
        "notes": run_notes(report),
        "missing_headers": [_missing(header) for header in report.missing_headers],
        "files": [_file(file) for file in report.files],
        "kernels": [_kernel(kernel, file.path) for file in report.files for kernel in file.kernels],
        "not_analysed": [_not_analysed(kernel) for kernel in report.not_analysed],
        "entries": [_entry(entry) for entry in entries],
        "findings": list(_findings(report, entries)),
    }
    if show_all:
        document["accesses"] = [access_json(access) for access in all_accesses(report)]
        document["removed"] = [_removed(access) for access in all_removed(report)]
    return document


def _entries(report: Report) -> list[Entry]:
    return entries_of(finding for finding in report.findings if finding.counts)


def _findings(report: Report, entries: Sequence[Entry]) -> Iterator[Json]:
    kernels = kernels_of(report)
    number = {id(f): n for n, entry in enumerate(entries) for f in entry.findings}
    for finding in report.findings:
        yield {"entry": number.get(id(finding)), **_finding(finding, kernels)}


def _entry(entry: Entry) -> Json:
    lead = entry.lead
    return {
        "rule": lead.rule,
        "severity": str(lead.severity),
        "message": lead.message,
        "help": lead.help,
        **_span(lead.location.span),
        "function": lead.location.function,
        "kernel": lead.kernel,
        "kernels": len(entry.kernels),
        "also": parts_text(entry),
        "findings": len(entry.findings),
        "excess_bytes": entry.excess_bytes,
    }


def access_json(access: Access) -> Json:
    """One access."""
    judgement = access.judgement
    return {
        **_location(access.location),
        "start_column": access.start_column,
        "end_column": access.end_column,
        "kernel": access.kernel,
        "kernel_symbol": access.kernel_symbol,
        "ordinal": access.ordinal,
        "kind": str(access.kind),
        "space": str(judgement.space),
        "bytes": access.bytes,
        "verdict": str(judgement.verdict),
        "reason": judgement.reason,
        "condition": judgement.condition,
        "domain_value": judgement.value,
        "address": judgement.address,
        "pattern": judgement.pattern,
        "array": judgement.array,
        "index_text": access.index_text,
        "stride": judgement.stride,
        "active": judgement.active,
        "otherwise": None if access.otherwise is None else list(access.otherwise),
        "lines": _range(judgement.lines),
        "sectors": _range(judgement.sectors),
        "wavefronts": _range(judgement.wavefronts),
        "lanes": list(judgement.lanes),
        "vector": access.vector,
        "vector_needs": access.vector_needs,
        "reuse": _reuse(access.reuse) if access.reuse else None,
        "origins": list(judgement.origins),
        "loops": access.loops,
        "launch": _launch(access.launch) if access.launch else None,
        "derivation": [_step(step) for step in judgement.derivation],
        "fix": judgement.fix,
        "cost": _cost(access.cost) if access.cost else None,
        "nest": [
            {"counter": loop.counter, "trips": loop.trips, **_location(loop.location)}
            for loop in access.nest
        ],
        "callers": [_frame(frame) for frame in access.callers],
        "recursive": access.recursive,
        "compiled": _origin(access.origin) if access.origin else None,
    }


def _origin(origin: Origin) -> Json:
    return {
        "fate": str(origin.fate),
        "copies": origin.copies,
        "written_bytes": origin.written_bytes,
        "loops_left": origin.loops_left,
        "parts": [_span(part) for part in origin.parts],
    }


def _removed(access: RemovedAccess) -> Json:
    return {
        **_location(access.location),
        "start_column": access.start_column,
        "end_column": access.end_column,
        "kernel": access.kernel,
        "kernel_symbol": access.kernel_symbol,
        "kind": access.kind,
        "bytes": access.bytes,
        "text": access.text,
        "private": access.private,
    }


def _cost(cost: Cost) -> Json:
    return {
        "sectors": cost.sectors,
        "executions": cost.executions,
        "excess_bytes": cost.excess_bytes,
        "formula": formula(cost),
        "guessed_index": cost.gathered,
        "factors": [
            {
                "text": factor.text,
                "value": factor.value,
                "basis": str(factor.basis),
                "what": factor.named,
                "taken": dict(factor.taken),
            }
            for factor in cost.factors
        ],
    }


def _reuse(counted: Reuse) -> Json:
    return {
        "reads": counted.reads,
        "elements": counted.elements,
        "bytes": counted.bytes,
        "loads": counted.loads,
        "in_loop": counted.in_loop,
        "measured_blocks": counted.blocks,
    }


def _file(file: FileReport) -> Json:
    return {
        "path": shown_path(file.path),
        "status": str(file.status),
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in file.diagnostics],
        "kernels": len(file.kernels),
        "accesses": file.tally.accesses,
        "findings": len(file.findings),
        "not_analysed": len(file.not_analysed),
    }


def _missing(header: MissingHeader) -> Json:
    return {
        "name": header.name,
        "path": shown_path(header.path),
        "line": header.line,
        "stand_in": header.stand_in,
    }


def _not_analysed(kernel: NotAnalysed) -> Json:
    span = kernel.location.span if kernel.location else Span(kernel.cause.path, 0, 0)
    return {
        "kernel": kernel.kernel,
        "symbol": kernel.symbol,
        **_span(span),
        "cause": _diagnostic(kernel.cause),
    }


def _diagnostic(diagnostic: Diagnostic) -> Json:
    return {
        "path": shown_path(diagnostic.path),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
    }


def _kernel(kernel: KernelInfo, path: str) -> Json:
    span = kernel.location.span if kernel.location else Span(path, 0, 0)
    return {
        "name": kernel.name,
        "symbol": kernel.symbol,
        "file": shown_path(path),
        **_span(span),
        "launches": [_launch(launch) for launch in kernel.launches],
        "accesses": kernel.accesses,
        "operations": kernel.operations,
        "bytes": kernel.bytes,
        "operation_bits": kernel.operation_bits,
    }


def _finding(finding: Finding, kernels: Kernels) -> Json:
    access = finding.access
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "help": finding.help,
        **_location(finding.location),
        "end_column": finding.end_column,
        "kernel": finding.kernel,
        "kernels": len(finding.kernels),
        "access_ordinal": access.ordinal if access else None,
        "access": _accessed(access) if access else None,
        "sectors": _range(access.judgement.sectors) if access else None,
        "wavefronts": _range(access.judgement.wavefronts) if access else None,
        "related": [_step(step) for step in finding.related],
        "context": [_scope(scope) for scope in scopes(finding, kernels)],
        "count": finding.count,
        "rank": finding.rank,
        "excess_bytes": finding.excess_bytes,
        "cost": _cost(access.cost) if access and access.cost else None,
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
        "baseline": finding.baseline or None,
        "confirmation": _confirmation(finding.confirmation) if finding.confirmation else None,
    }


def _confirmation(said: Confirmation) -> Json:
    return {"outcome": str(said.outcome), "evidence": said.evidence}


def _accessed(access: Access) -> Json:
    """What of an access a finding needs to be understood."""
    judgement = access.judgement
    return {
        "kind": str(access.kind),
        "space": str(judgement.space),
        "bytes": access.bytes,
        "verdict": str(judgement.verdict),
        "pattern": judgement.pattern,
        "array": judgement.array,
        "index_text": access.index_text,
        "address": judgement.address,
        "stride": judgement.stride,
        "reason": judgement.reason,
        "condition": judgement.condition,
        "launch": _launch(access.launch) if access.launch else None,
    }


def _span(span: Span) -> Json:
    return {"path": shown_path(span.path), "line": span.line, "column": span.column}


def _location(location: Location) -> Json:
    return {
        **_span(location.span),
        "function": location.function,
        "inlined_at": [_frame(frame) for frame in location.inlined_at],
    }


def _frame(frame: Frame) -> Json:
    return {"function": frame.function, **_span(frame.span)}


def _step(step: Step) -> Json:
    span = step.span or Span("", 0, 0)
    place = {"path": shown_path(span.path) if span.path else ""}
    return {**place, "line": span.line, "column": span.column, "text": step.text}


def _scope(scope: Scope) -> Json:
    span = scope.span or Span("", 0, 0)
    path = shown_path(span.path) if span.path else ""
    return {
        "kind": scope.kind, "text": scope.text,
        "path": path, "line": span.line, "column": span.column,
    }  # fmt: skip


def _range(counts: CountRange | None) -> Json | None:
    if counts is None:
        return None
    return {
        "min": counts.minimum,
        "max": counts.maximum,
        "ideal": counts.ideal,
        "expected": counts.expected,
    }


def _launch(launch: Launch) -> Json:
    said: Json = {"block": list(launch.block), "assumed": launch.assumed}
    return said if launch.partly is None else {**said, "known": list(launch.partly)}
