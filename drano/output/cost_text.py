"""What findings cost, in words, and the order that follows from it."""

from __future__ import annotations

from dataclasses import replace

from drano.model.access import Basis, Cost
from drano.model.finding import Finding
from drano.model.judgement import Space
from drano.model.report import Report
from drano.output.entries import entries_of

_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")


def ranked(report: Report) -> list[Finding]:
    """The findings, what costs most first; what costs the same by place."""
    return sorted(report.findings, key=lambda f: (-f.excess_bytes, f.location.span, f.rule))


def costliest(report: Report, number: int) -> Report:
    """The report with the findings of its ``number`` first entries only."""
    entries = entries_of(report.findings)[:number]
    kept = {id(finding) for entry in entries for finding in entry.findings}
    return replace(
        report,
        files=tuple(
            replace(file, findings=tuple(f for f in file.findings if id(f) in kept))
            for file in report.files
        ),
    )


def size_text(count: float) -> str:
    """Bytes for people.

    >>> size_text(512), size_text(1536), size_text(3 << 30)
    ('512 B', '1.5 KB', '3.0 GB')
    """
    value = float(count)
    for unit in _UNITS:
        if value < 1024 or unit == _UNITS[-1]:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError


def formula(cost: Cost, unit: str = "sectors") -> str:
    """As in ``(n/32)·rows·28 sectors``.

    >>> from drano.model.access import Factor
    >>> warps = Factor("(n/32)", 32.0, Basis.SYMBOLIC, "warps", (("n", 1024.0),))
    >>> formula(Cost(28.0, (warps, Factor("rows", 8.0, Basis.SYMBOLIC, "loop"))))
    '(n/32)·rows·28 sectors'
    """
    return "·".join([*(factor.text for factor in cost.factors), f"{cost.sectors:g} {unit}"])


def taken(cost: Cost) -> str:
    """What was taken where the source does not say: ``n = 1024, 32 for the loop over `i```."""
    names = {name: value for factor in cost.factors for name, value in factor.taken}
    said = [f"{name} = {value:g}" for name, value in names.items()]
    said += [
        f"{factor.text} for the {factor.named}"
        for factor in cost.factors
        if factor.basis is Basis.ASSUMED
    ]
    if cost.gathered:
        said.append("half of the worst case for the unknown index")
    return ", ".join(said)


def cost_text(finding: Finding) -> str:
    """One line: formula, bytes, and what was taken; "" where nothing was counted."""
    access = finding.access
    if access is None or access.cost is None:
        return ""
    cost = access.cost
    unit = "wavefronts" if access.judgement.space is Space.SHARED else "sectors"
    size = size_text(cost.excess_bytes)
    if any(factor.basis is Basis.MEASURED for factor in cost.factors):
        each = f"{cost.sectors:.3g} {unit}"
        said = f"{size} beyond the ideal (measured): {cost.executions:.0f} executions, {each} each"
    else:
        guesses = taken(cost)
        said = f"{formula(cost, unit)} beyond the ideal"
        said += f", about {size} if {guesses}" if guesses else f" = {size}"
    if finding.count > 1 and finding.excess_bytes > cost.excess_bytes:
        said += f"; {size_text(finding.excess_bytes)} for all {finding.count} cases"
    return said
