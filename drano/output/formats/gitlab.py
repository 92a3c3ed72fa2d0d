"""GitLab's code quality report: the widget and the diff of a merge request.

A subset of Code Climate's format. GitLab takes two issues with one fingerprint for the same, so
further ones of the same fingerprint are numbered. A file that could not be analysed is an issue,
too, and so is what kernels were lost to: they must not look clean.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from drano.model.finding import Severity
from drano.model.report import Report
from drano.output.checkout import SourceRoot
from drano.output.input_problems import failures, lost_kernels, lost_text
from drano.output.sentences import plain, sentence
from drano.output.source_lines import printable

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render_gitlab(report: Report, root: SourceRoot) -> str:
    """A JSON array of issues and a newline."""
    issues: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()

    def add(severity: str, check: str, text: str, path: str, line: int, fingerprint: str) -> None:
        seen[fingerprint] += 1
        if seen[fingerprint] > 1:
            numbered = f"{fingerprint}:{seen[fingerprint]}"
            fingerprint = hashlib.sha256(numbered.encode()).hexdigest()[:32]
        issues.append(
            {
                "type": "issue",
                "check_name": check,
                "description": text,
                "categories": ["Performance"],
                "severity": severity,
                "fingerprint": fingerprint,
                "location": {
                    "path": printable(root.shown(path)),
                    "lines": {"begin": max(line, 1)},
                },
            }
        )

    for file, first in failures(report):
        key = f"not-analysed\0{root.shown(file.path)}".encode("utf-8", "surrogateescape")
        text = f"Not analysed: {sentence(first.message)}"
        digest = hashlib.sha256(key).hexdigest()[:32]
        add("blocker", "not-analysed", text, first.path or file.path, first.line, digest)
    for cause, kernels in lost_kernels(report).items():
        said = f"{root.shown(cause.path)}\0{lost_text(kernels)}"
        digest = hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        text = sentence(f"{lost_text(kernels)}: {cause.message}")
        add("blocker", "not-analysed", text, cause.path, cause.line, digest)
    for finding in report.findings:
        span = finding.location.span
        severity = _SEVERITIES[finding.severity]
        add(severity, finding.rule, plain(finding), span.path, span.line, finding.fingerprint)
    return json.dumps(issues, indent=2) + "\n"
