"""What suppressions and the baseline say of findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from drano.model.finding import Finding
from drano.model.report import Report

_BASELINE: Mapping[str, Literal["", "new", "unchanged"]] = {
    "": "",
    "new": "new",
    "unchanged": "unchanged",
}


class Suppression(Struct, frozen=True):
    """Why a finding does not count: by a comment in the source, or from outside of it."""

    kind: Literal["inSource", "external"]
    reason: str = ""


class Standing(Struct, frozen=True):
    """What suppressions and the baseline say of one finding."""

    suppressions: tuple[Suppression, ...] = ()
    baseline: Literal["", "new", "unchanged", "updated", "absent"] = ""


def standings_of(report: Report) -> dict[Finding, Standing]:
    """What the findings themselves say, of those that say something."""
    found = {}
    for finding in report.findings:
        silenced = finding.suppressed is not None
        if silenced or finding.baseline or finding.refuted:
            why = [Suppression("inSource", finding.suppressed or "")] if silenced else []
            if finding.confirmation and finding.refuted:
                why.append(Suppression("external", f"refuted: {finding.confirmation.evidence}"))
            found[finding] = Standing(tuple(why), _BASELINE[finding.baseline])
    return found
