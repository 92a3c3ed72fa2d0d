"""What findings cost, in words, and the order that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from drano.model.access import Basis, Cost
from drano.model.finding import Finding
from drano.model.judgement import Space
from drano.model.report import KernelInfo, Report
from drano.output.entries import entries_of

_UNITS = ("B", "KB", "MB", "GB", "TB")
_LAUNCH = ("gridDim.", "blockDim.", "num_programs(")
_BLOCK = "blockIdx."
_MAX_NAMES = 3
_MOST = 1 << 50  # bytes: five minutes of the fastest memory there is


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

    >>> size_text(512), size_text(1536), size_text(3 << 30), size_text(1e18)
    ('512 B', '1.5 KB', '3.0 GB', 'over 1024 TB')
    """
    if count > _MOST:
        return "over 1024 TB"
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
    return ", ".join([*(f"{name} = {value:g}" for name, value in names.items()), *_guesses(cost)])


def _guesses(cost: Cost) -> list[str]:
    """What was taken of that which has no name."""
    said = [
        f"{factor.text} for the {factor.named}"
        for factor in cost.factors
        if factor.basis is Basis.ASSUMED
    ]
    if cost.gathered:
        said.append("half of the worst case for what is unknown")
    return said


def share_text(findings: Iterable[Finding], kernel: KernelInfo | None) -> str:
    """How much of what their kernel moves findings move in vain: "87 % of this kernel's bytes"; ""
    where that is not known. ``kernel``: that of the first of them.
    """
    percent = share(findings, kernel)
    if percent is None:
        return ""
    shown = "less than 1" if percent < 1 else f"{min(percent, 99):.0f}"
    return f"{shown} % of this kernel's bytes"


def share(findings: Iterable[Finding], kernel: KernelInfo | None) -> float | None:
    """See ``share_text``; a number of percent."""
    if kernel is None or kernel.bytes <= 0:
        return None
    own = [f for f in findings if f.access and f.access.kernel_symbol == kernel.symbol]
    wasted = sum(f.kernel_excess for f in own if _is_global(f))
    return 100 * wasted / kernel.bytes if wasted > 0 else None


def _is_global(finding: Finding) -> bool:
    return finding.access is not None and finding.access.judgement.space is not Space.SHARED


def cost_text(findings: Sequence[Finding], kernel: KernelInfo | None) -> str:
    """One line about the first of the findings: the share of its kernel's traffic that all of them
    are, if sizes are large that are not known; the formula; bytes only where nothing is guessed.
    "" where nothing was counted.
    """
    lead = findings[0]
    access = lead.access
    if access is None or access.cost is None:
        return ""
    cost = access.cost
    unit = "wavefronts" if access.judgement.space is Space.SHARED else "sectors"
    if any(factor.basis is Basis.MEASURED for factor in cost.factors):
        size = size_text(cost.excess_bytes)
        each = f"{cost.sectors:.3g} {unit}"
        said = f"{size} beyond the ideal (measured): {cost.executions:.0f} executions, {each} each"
        return said + _all_cases(lead)
    portion = share_text(findings, kernel)
    values = {name: value for factor in cost.factors for name, value in factor.taken}
    # An index of a block is no size: it is all from 0 on, and the middle is taken.
    names = [name for name in values if not name.startswith(_BLOCK)]
    middle = [f"{values[name]:g} for {name}" for name in values if name.startswith(_BLOCK)]
    guesses = [*middle, *_guesses(cost)]
    counted = f"{formula(cost, unit)} beyond the ideal"
    if not names and not guesses:
        known = f"{counted} = {size_text(cost.excess_bytes)}{_all_cases(lead)}"
        return "; ".join(filter(None, [known, portion]))
    # The launch is the same for all that a kernel moves: it does not change a share.
    names = [name for name in names if not (portion and name.startswith(_LAUNCH))]
    large = f", if {_listed(names)} {'are' if len(names) > 1 else 'is'} large" if names else ""
    taking = f", taking {', '.join(guesses)}" if guesses else ""
    return f"{portion}{large}: {counted}{taking}" if portion else f"{counted}{large}{taking}"


def _all_cases(finding: Finding) -> str:
    cost = finding.access.cost if finding.access else None
    if cost is None or finding.count < 2 or finding.excess_bytes <= cost.excess_bytes:
        return ""
    return f"; {size_text(finding.excess_bytes)} for all {finding.count} cases"


def _listed(names: Sequence[str]) -> str:
    """Names as words.

    >>> _listed(["n"]), _listed(["n", "m"]), _listed(list("abcde"))
    ('n', 'n and m', 'a, b, c …')
    """
    if len(names) > _MAX_NAMES:
        return f"{', '.join(names[:_MAX_NAMES])} …"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
