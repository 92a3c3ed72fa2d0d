"""Static facts against measured counts: the analysis's answers, checked by a run.

``site_matching`` says which site an access is. An access that was executed is one of:

* *missed*: the analysis proved it coalesced, but it moved 1.3 times what it needed or more; or a
  request took more lines than the analysis allows;
* *spurious*: it was flagged, but moved no more than it needed (up to 2 %: misalignment);
* *agreed*: everything else that the analysis decided; *undecided*: where it gave no answer.

For shared memory, wavefronts are compared: *missed* is a request that took more, or fewer, than the
analysis allows; *spurious* a conflict that no request of whole warps had; *undecided* an access
with bounds only, which hold.

Assumption: the run launches the kernels with the block shapes that the analysis saw; the least that
a request takes is compared only where that is so. Accesses of local and constant memory are not
compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from drano.dynamic.profiles.profile import Profile, Site
from drano.dynamic.profiles.site_matching import sites_of
from drano.model.access import Access
from drano.model.hardware import COALESCED_TO, UNCOALESCED_FROM, WARP_SIZE
from drano.model.judgement import Pattern, Space, Verdict
from drano.model.report import Report


class Outcome(StrEnum):
    """How an access fared, worst first."""

    MISSED = "missed"
    SPURIOUS = "spurious"
    AGREED = "agreed"
    UNDECIDED = "undecided"
    NEVER = "never executed"


class Comparison(Struct, frozen=True):
    """One access: ``access``: what the analysis says; ``site``: what was measured."""

    outcome: Outcome
    access: Access
    site: Site | None
    reason: str

    @property
    def ratio(self) -> float | None:
        """Sectors moved for each that was needed; wavefronts, of shared memory."""
        if self.site is None:
            return None
        if self.access.judgement.space is Space.SHARED:
            return self.site.wavefronts / max(1, self.site.wavefronts_ideal)
        return self.site.sectors / self.site.sectors_ideal if self.site.sectors_ideal else None


def compare(report: Report, profile: Profile) -> list[Comparison]:
    """Every compared access of the report, worst outcome first."""
    accesses = list(_accesses(report))
    measured = sites_of(accesses, profile.sites)
    blocks = {k.name: {shape.block for shape in k.shapes} for k in profile.kernels}
    found = []
    for access in accesses:
        site = measured(access)
        if access.judgement.space in {Space.GLOBAL, Space.GENERIC}:
            found.append(_judge(access, site))
        elif access.judgement.space is Space.SHARED:
            shapes = blocks.get(access.kernel_symbol, set())
            found.append(_judge_shared(access, site, shapes))
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


def _judge(access: Access, site: Site | None) -> Comparison:
    judgement = access.judgement
    if site is None or not site.executions:
        return Comparison(Outcome.NEVER, access, site, "not reached by this run")
    if judgement.verdict is Verdict.UNKNOWN:
        return Comparison(Outcome.UNDECIDED, access, site, judgement.reason)
    outside = _outside(access, site)
    if outside:
        return Comparison(Outcome.MISSED, access, site, outside)
    if not site.sectors_ideal:
        return Comparison(Outcome.AGREED, access, site, "")
    ratio = site.sectors / site.sectors_ideal
    outcome, reason = Outcome.AGREED, ""
    if judgement.verdict is Verdict.COALESCED and ratio >= UNCOALESCED_FROM:
        # Where runs start is left open by that pattern; its bound was looked at above.
        if judgement.pattern is not Pattern.UNKNOWN_START or judgement.condition:
            outcome = Outcome.MISSED
            reason = f"proved coalesced, but moved {ratio:.2f} times what it needed"
    elif judgement.verdict is Verdict.UNCOALESCED and ratio <= COALESCED_TO:
        outcome = Outcome.SPURIOUS
        reason = f"flagged, but moved only {ratio:.2f} times what it needed"
    if judgement.condition and outcome is not Outcome.AGREED:
        # The profile does not say what sizes the run had.
        return Comparison(Outcome.UNDECIDED, access, site, f"said if {judgement.condition}")
    return Comparison(outcome, access, site, reason)


def _judge_shared(
    access: Access, site: Site | None, blocks: set[tuple[int, int, int]]
) -> Comparison:
    """``blocks``: with which the kernel was launched."""
    judgement = access.judgement
    if site is None or not site.executions:
        return Comparison(Outcome.NEVER, access, site, "not reached by this run")
    counts = judgement.wavefronts
    if counts is None or site.shared_executions != site.executions or not site.most:
        return Comparison(Outcome.UNDECIDED, access, site, judgement.reason)
    launch = access.launch
    alike = launch is not None and launch.partly is None and blocks == {launch.block}
    if site.most > counts.maximum or (alike and site.least < counts.minimum):
        allowed = f"{counts.minimum} to {counts.maximum}"
        reason = (
            f"requests took {site.least} to {site.most} wavefronts, the analysis allows {allowed}"
        )
        return Comparison(Outcome.MISSED, access, site, reason)
    if counts.expected is None:
        return Comparison(Outcome.UNDECIDED, access, site, judgement.reason)
    if counts.expected > counts.ideal and alike and site.wavefronts <= site.wavefronts_ideal:
        reason = f"{counts.expected:g} wavefronts expected, but no request had a conflict"
        full = site.active_lanes == WARP_SIZE * site.executions
        return Comparison(Outcome.SPURIOUS if full else Outcome.AGREED, access, site, reason)
    return Comparison(Outcome.AGREED, access, site, "")


def _outside(access: Access, site: Site) -> str:
    """Why a measured request is not one that the analysis allows; "" when all are."""
    judgement = access.judgement
    if judgement.lines is None or site.shared_executions or not site.most:
        return ""
    if site.most > judgement.lines.maximum:
        return f"a request took {site.most} lines, the analysis allows {judgement.lines.maximum}"
    return ""


def counts(comparisons: Iterable[Comparison]) -> dict[Outcome, int]:
    """How many of each outcome, all of them named."""
    total = dict.fromkeys(Outcome, 0)
    for comparison in comparisons:
        total[comparison.outcome] += 1
    return total
