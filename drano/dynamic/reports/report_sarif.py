"""A profile as SARIF 2.1.0: a result for each line that moves more than it needs, or has conflicts.

For code scanning of a measured program. Levels go by the ratio: a warning from 1.3 times the ideal
(below it is mere misalignment: a note). A result's rank is its share of the worst line's excess.
"""

from __future__ import annotations

from typing import Any

from drano.dynamic.profiles.line_ranking import LineTotal, ranked_lines
from drano.dynamic.profiles.profile import Profile
from drano.dynamic.reports.report import remarks
from drano.model.hardware import UNCOALESCED_FROM
from drano.output.checkout import SourceRoot, source_root
from drano.output.cost_text import size_text
from drano.output.source_lines import printable
from drano.support.fast_json import indented

_MOST = 5000
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_RULES = {
    "DRN-measured-excess": "Accesses that were measured to move more sectors than they need.",
    "DRN-measured-conflicts": "Accesses of shared memory that were measured to conflict.",
}


def render_sarif(profile: Profile, version: str) -> str:
    """One SARIF log; ``version``: of drano."""
    totals = [t for t in ranked_lines(profile) if t.excess_bytes or t.excess_wavefronts][:_MOST]
    root = source_root([total.path for total in totals])
    most = max((total.excess_bytes for total in totals), default=0) or 1
    most_conflicts = max((total.excess_wavefronts for total in totals), default=0) or 1
    results = []
    for total in totals:
        if total.excess_bytes:
            results.append(_excess(total, root, total.excess_bytes / most))
        if total.excess_wavefronts:
            results.append(_conflicts(total, root, total.excess_wavefronts / most_conflicts))
    driver = {
        "name": "drano",
        "version": version,
        "rules": [
            {"id": code, "shortDescription": {"text": text}} for code, text in _RULES.items()
        ],
    }
    invocation = {
        "executionSuccessful": not profile.faults,
        "toolExecutionNotifications": [
            {"level": "note", "message": {"text": printable(note)}} for note in remarks(profile)
        ],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "utf16CodeUnits",
        "results": results,
    }
    return indented({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _excess(total: LineTotal, root: SourceRoot, share: float) -> dict[str, Any]:
    level = "warning" if total.ratio >= UNCOALESCED_FROM else "note"
    text = (
        f"Measured: {total.sectors:,} sectors of 32 bytes for {total.sectors_ideal:,} needed "
        f"({total.ratio:.2f} times), {size_text(total.excess_bytes)} in excess, in "
        f"{', '.join(total.kernels)}."
    )
    return _result("DRN-measured-excess", level, text, total, root, share)


def _conflicts(total: LineTotal, root: SourceRoot, share: float) -> dict[str, Any]:
    text = (
        f"Measured: {total.wavefronts:,} wavefronts of shared memory for "
        f"{total.wavefronts_ideal:,} needed, in {', '.join(total.kernels)}."
    )
    return _result("DRN-measured-conflicts", "note", text, total, root, share)


def _result(
    rule: str, level: str, text: str, total: LineTotal, root: SourceRoot, share: float
) -> dict[str, Any]:
    uri, _ = root.uri_of(total.path)
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": printable(text)},
        "rank": round(100 * share, 2),
        "occurrenceCount": max(1, total.executions),
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": {"startLine": max(1, total.line)},
                }
            }
        ],
    }
