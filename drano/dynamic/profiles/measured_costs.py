"""Measured counts instead of the analysis's estimates: ``check --profile``.

They replace costs, and how often blocks read arrays (DRN402). ``site_matching`` says which site an
access is. Profiles that know lines only (imported ones) share a line's counts evenly among its
accesses of that kind. An access of a measured kernel that has no site, or was not executed, costs
nothing; accesses of kernels that are not in the profile keep their estimate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from msgspec.structs import replace

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Profile, Site
from drano.dynamic.profiles.site_matching import sites_of
from drano.model.access import Access, Basis, Cost, Factor
from drano.model.finding import Finding
from drano.model.judgement import Space
from drano.model.report import FileReport, Report
from drano.model.settings import MeasuredReads, View
from drano.rules.base import rank_of

_Line = tuple[str, int, str]
_Place = tuple[str, int, int, int]


def block_reads(profile: Profile) -> tuple[MeasuredReads, ...] | None:
    """How blocks read the arrays that they only read; None where the profile does not say."""
    shared = {kernel.name: kernel.static_shared_bytes for kernel in profile.kernels}
    found = tuple(
        MeasuredReads(
            one.kernel, one.sites, one.blocks, one.reads, one.words, one.most_words,
            shared.get(one.kernel, 0),
        )
        for one in profile.reuse
        if one.sites and one.words and one.blocks and not one.written
    )  # fmt: skip
    return found if profile.reuse else None


def view_of(profile: Profile) -> View:
    """Which accesses the profile counts, and an analysis has to judge beside it."""
    compiled = any(kernel.view == "compiled" for kernel in profile.kernels)
    return View.COMPILED if compiled else View.WRITTEN


def with_measured(report: Report, profile: Profile) -> Report:
    """The report with measured costs, and findings that follow them."""
    cost = _costs(report, profile)
    measured = frozenset(_name(kernel.name) for kernel in profile.kernels)
    return replace(report, files=tuple(_file(file, cost, measured) for file in report.files))


def _file(
    file: FileReport, cost: Callable[[Access], Cost | None], measured: frozenset[str]
) -> FileReport:
    accesses = tuple(replace(access, cost=cost(access)) for access in file.accesses)
    wasted: dict[_Place, float] = defaultdict(float)
    for access in accesses:
        if access.cost is not None:
            wasted[_place(access)] += access.cost.excess_bytes
    findings = tuple(
        _finding(finding, wasted, cost)
        if finding.access is not None and _name(finding.access.kernel_symbol) in measured
        else finding
        for finding in file.findings
    )
    return replace(file, accesses=accesses, findings=findings)


def _finding(
    finding: Finding, wasted: dict[_Place, float], cost: Callable[[Access], Cost | None]
) -> Finding:
    if finding.access is None:
        return finding
    access = replace(finding.access, cost=cost(finding.access))
    total = wasted.get(_place(access), 0.0)
    return replace(finding, access=access, excess_bytes=total, rank=rank_of(total))


def _place(access: Access) -> _Place:
    span = access.location.span
    return span.path, span.line, access.start_column or span.column, access.end_column


def _costs(report: Report, profile: Profile) -> Callable[[Access], Cost | None]:
    accesses = [access for file in report.files for access in file.accesses]
    exact = sites_of(accesses, profile.sites)
    by_line: dict[_Line, list[Site]] = defaultdict(list)
    for site in profile.sites:
        if site.ordinal is None:
            by_line[_name(site.kernel), site.line, site.kind].append(site)
    sharing = Counter(_line(access) for access in accesses if _counts(access))
    measured = {_name(kernel.name) for kernel in profile.kernels}

    def cost(access: Access) -> Cost | None:
        if not _counts(access) or _name(access.kernel_symbol) not in measured:
            return access.cost
        site = exact(access)
        if site is not None:
            return _cost([site], access, 1)
        return _cost(by_line.get(_line(access), []), access, sharing[_line(access)])

    return cost


def _cost(sites: list[Site], access: Access, sharers: int) -> Cost | None:
    executions = sum(site.executions for site in sites) / sharers
    shared = access.judgement.space is Space.SHARED
    moved = sum(s.wavefronts if shared else s.sectors for s in sites)
    ideal = sum(s.wavefronts_ideal if shared else s.sectors_ideal for s in sites)
    if executions <= 0 or moved <= ideal:
        return None
    sectors = (moved - ideal) / sharers / executions
    count = Factor(f"{executions:.0f}", executions, Basis.MEASURED, "executions")
    return Cost(round(sectors, 6), (count,))


def _counts(access: Access) -> bool:
    return access.judgement.space in {Space.GLOBAL, Space.GENERIC, Space.SHARED}


def _line(access: Access) -> _Line:
    return _name(access.kernel_symbol), access.location.span.line, str(access.kind)


def _name(symbol: str) -> str:
    """Kernels by their bare name: imported profiles have that, ours the symbol."""
    return kernel_name(symbol).split("<", 1)[0].rsplit("::", 1)[-1]
