"""The rules of drano, and kinds of notifications, as SARIF describes them."""

from __future__ import annotations

from typing import Any

import sarif_om as om

from drano.model.finding import Severity
from drano.output.sentences import sentence
from drano.rules import Rule

HELP_URI = (
    "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#coalesced-access-to-global-memory"
)
_PROBLEM_SEVERITY = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "recommendation",
}
NOTIFICATIONS = {
    "DRN951": ("FileNotAnalysed", "A file could not be analysed, so it has no results."),
    "DRN952": ("Remark", "A note on how a file was analysed."),
    "DRN953": ("ResultsLeftOut", "The number of results exceeds the limit of the report."),
    "DRN954": (
        "KernelNotAnalysed",
        "A kernel could not be analysed because device code that it reaches does not compile.",
    ),
}


def rule_object(rule: Rule) -> Any:
    """A rule with its page."""
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


def notification_object(code: str) -> Any:
    """What notifications of a code are about."""
    name, text = NOTIFICATIONS[code]
    description = om.MultiformatMessageString(text=text)
    return om.ReportingDescriptor(
        id=code,
        name=name,
        short_description=description,
        full_description=description,
        help=om.MultiformatMessageString(text=text, markdown=text),
    )
