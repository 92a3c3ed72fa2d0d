"""Static facts against measured counts: the analysis's answers, checked by a run.

A site is the same on both sides when kernel, ordinal and place are. Of an access that was executed:

* *missed*: the analysis proved it coalesced, but it moved 1.3 times what it needed or more; or a
  request took more lines, or fewer, than the analysis allows;
* *spurious*: it was flagged, but moved no more than it needed (up to 2 %: misalignment);
* *agreed*: all else that the analysis decided; *undecided*: where it gave no answer.

Assumption: the run launches the kernels with the block shapes that the analysis saw. Accesses of
shared, local and constant memory are not compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from drano.dynamic.profile import Profile, Site
from drano.finding import Access, Report, Space, Verdict

UNCOALESCED = 1.3
COALESCED = 1.02


class Outcome(StrEnum):
    """How an access fared, worst first."""

    MISSED = "missed"
    SPURIOUS = "spurious"
    AGREED = "agreed"
    UNDECIDED = "undecided"
    NEVER = "never executed"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One access: ``access``: what the analysis says; ``site``: what was measured."""

    outcome: Outcome
    access: Access
    site: Site | None
    reason: str

    @property
    def ratio(self) -> float | None:
        """Sectors moved for each that was needed."""
        if self.site is None or not self.site.sectors_ideal:
            return None
        return self.site.sectors / self.site.sectors_ideal


def compare(report: Report, profile: Profile) -> list[Comparison]:
    """Every compared access of the report, worst outcome first."""
    measured: dict[tuple[str, int | None, int, int], Site] = {}
    for site in profile.sites:
        measured[site.kernel, site.ordinal, site.line, site.column] = site
    found = [
        _judge(access, measured.get(_key(access)))
        for access in _accesses(report)
        if access.space in {Space.GLOBAL, Space.GENERIC}
    ]
    order = list(Outcome)
    return sorted(
        found,
        key=lambda c: (
            order.index(c.outcome),
            c.access.location.span,
            c.access.kernel,
            c.access.ordinal,
        ),
    )


def _accesses(report: Report) -> Iterable[Access]:
    unique: dict[tuple[str, str, int], Access] = {}
    for file in report.files:
        for access in file.accesses:
            unique.setdefault((file.path, access.kernel_symbol, access.ordinal), access)
    return unique.values()


def _key(access: Access) -> tuple[str, int | None, int, int]:
    span = access.location.span
    return access.kernel_symbol, access.ordinal, span.line, span.column


def _judge(access: Access, site: Site | None) -> Comparison:
    if site is None or not site.executions:
        return Comparison(Outcome.NEVER, access, site, "not reached by this run")
    if access.verdict is Verdict.UNKNOWN:
        return Comparison(Outcome.UNDECIDED, access, site, access.reason)
    outside = _outside(access, site)
    if outside:
        return Comparison(Outcome.MISSED, access, site, outside)
    if not site.sectors_ideal:
        return Comparison(Outcome.AGREED, access, site, "")
    ratio = site.sectors / site.sectors_ideal
    if access.verdict is Verdict.COALESCED and ratio >= UNCOALESCED:
        reason = f"proved coalesced, but moved {ratio:.2f} times what it needed"
        return Comparison(Outcome.MISSED, access, site, reason)
    if access.verdict is Verdict.UNCOALESCED and ratio <= COALESCED:
        reason = f"flagged, but moved only {ratio:.2f} times what it needed"
        return Comparison(Outcome.SPURIOUS, access, site, reason)
    return Comparison(Outcome.AGREED, access, site, "")


def _outside(access: Access, site: Site) -> str:
    """Why a measured request is not one that the analysis allows; "" when all are."""
    if access.lines is None or site.shared_executions or not site.most:
        return ""
    if site.most > access.lines.maximum:
        return f"a request took {site.most} lines, the analysis allows {access.lines.maximum}"
    return ""


def counts(comparisons: Iterable[Comparison]) -> dict[Outcome, int]:
    """How many of each outcome, all of them named."""
    total = dict.fromkeys(Outcome, 0)
    for comparison in comparisons:
        total[comparison.outcome] += 1
    return total
