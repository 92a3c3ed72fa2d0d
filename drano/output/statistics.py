"""``--statistics``: how many findings of each rule, and in which files most."""

from __future__ import annotations

from collections import Counter

from drano.model.report import Report
from drano.output.source_lines import printable, shown_path
from drano.rules import RULES

MAX_FILES = 20


def render_statistics(report: Report) -> str:
    """A line for each rule, most findings first, and then for each file."""
    findings = report.findings
    rules = Counter(finding.rule for finding in findings)
    files = Counter(finding.location.span.path for finding in findings)
    lines = [f"{number:7}  {code}  {RULES[code].name}" for code, number in _sorted(rules)]
    if findings:
        lines.append("")
    by_file = _sorted(files)
    lines += [f"{number:7}  {printable(shown_path(path))}" for path, number in by_file[:MAX_FILES]]
    if len(by_file) > MAX_FILES:
        rest = sum(number for _, number in by_file[MAX_FILES:])
        lines.append(f"{rest:7}  in {len(by_file) - MAX_FILES} more files")
    return "".join(f"{line}\n" for line in lines)


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
