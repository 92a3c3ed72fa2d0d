"""Code flows of a result: how its index comes about, and the way from the launch to the line."""

from __future__ import annotations

from typing import Any

import sarif_om as om

from drano.model.finding import Finding
from drano.model.judgement import Step
from drano.model.span import Span
from drano.output.access_context import Kernels, ScopeKind, scopes
from drano.output.formats.sarif.objects import message
from drano.output.formats.sarif.places import Places
from drano.output.sentences import sentence
from drano.output.source_lines import printable

_MAX_STEPS = 100


def code_flows(finding: Finding, places: Places) -> list[Any] | None:
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
        location = places.location(here, message=sentence(step.text))
        locations.append(om.ThreadFlowLocation(location=location))
    locations[-1].importance = "essential"
    flow = om.ThreadFlow(locations=locations)
    text = f"Derivation of the addresses of {len(access.judgement.lanes) or 'all'} lanes."
    return [om.CodeFlow(thread_flows=[flow], message=message(text))]


def context_flow(finding: Finding, kernels: Kernels, places: Places) -> list[Any]:
    """The way from the launch to the line, each level inside the one before."""
    levels = [s for s in scopes(finding, kernels) if s.span is not None and s.span.line]
    if len(levels) < 3:
        return []
    locations = []
    for depth, scope in enumerate(levels):
        # A function's name stays as it is.
        call = scope.kind is ScopeKind.CALL
        said = f"{printable(scope.text)}." if call else sentence(scope.text)
        location = places.location(scope.span or Span("", 0, 0), message=said)
        locations.append(om.ThreadFlowLocation(location=location, nesting_level=depth))
    flow = om.ThreadFlow(locations=locations)
    text = "Context of the access: launch, kernel, calls, loops."
    return [om.CodeFlow(thread_flows=[flow], message=message(text))]
