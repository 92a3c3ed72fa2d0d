"""Counts of our own runs against those of the hardware, line by line.

Of the hardware only some launches were profiled, and its compiler (``-O3``) hoists and merges
accesses, so totals differ; what is compared is a line's sectors per active thread, and beside it
its sectors by the ideal. Lines that only one side has say nothing. Where a line as a whole differs,
``explain`` looks for the accesses of ours that the hardware's compiler must have merged, hoisted or
moved: the fewest without which the line agrees.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from msgspec import Struct

from rodinia.measured.lines import Place
from rodinia.measured.truth import HardwareRow
from rodinia.scoring.score import global_rows

NEAR = 0.02
# beyond so many accesses on a line no subsets are tried
_MANY = 14
_ABOUT = 0.1


class Counts(Struct, frozen=True):
    """Totals of one line: active threads of all requests, sectors, ideal sectors; requests, of
    ours those with an active lane, of the hardware's all; 128-byte lines.
    """

    threads: int = 0
    sectors: int = 0
    ideal: int = 0
    requests: int = 0
    lines: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.threads + other.threads,
            self.sectors + other.sectors,
            self.ideal + other.ideal,
            self.requests + other.requests,
            self.lines + other.lines,
        )

    @property
    def per_thread(self) -> float:
        """Sectors by active thread."""
        return self.sectors / self.threads if self.threads else 0.0

    @property
    def per_request(self) -> float:
        """Sectors by warp request."""
        return self.sectors / self.requests if self.requests else 0.0

    @property
    def ratio(self) -> float:
        """Sectors by ideal."""
        return self.sectors / self.ideal if self.ideal else 0.0


class Site(Struct, frozen=True, order=True):
    """One access of a line: where in it, and what it is."""

    column: int
    kind: str
    bytes: int

    def __str__(self) -> str:
        return f"{self.kind} of {self.bytes} B at column {self.column}"


BySite = Mapping[Site, Counts]


class Pair(Struct, frozen=True):
    """One line on both sides; ``sites`` are ours, ``kinds`` what the hardware has on it."""

    place: Place
    ours: Counts
    theirs: Counts
    sites: tuple[tuple[Site, Counts], ...] = ()
    kinds: frozenset[tuple[str, int]] = frozenset()

    @property
    def same_count(self) -> bool:
        """Whether sectors per active thread agree within 2 %."""
        return _near(self.ours.per_thread, self.theirs.per_thread)

    @property
    def same_ratio(self) -> bool:
        """Whether sectors by ideal agree within 2 %."""
        return _near(self.ours.ratio, self.theirs.ratio)


class Cause(StrEnum):
    """Why a line agrees or does not."""

    SAME = "agree as they are"
    MERGED = "agree without accesses that the hardware's compiler merges or hoists"
    LANES = "agree by request: the hardware's compiler leaves out lanes that need nothing"
    PARTED = (
        "differ by further lines that requests touch on the hardware, of warps that stay parted"
    )
    DATA = "differ, and what they cost depends on the data"
    OTHER = "differ"


class Explained(Struct, frozen=True):
    """A pair, why it is as it is, and without which accesses of ours."""

    pair: Pair
    cause: Cause
    without: tuple[Site, ...] = ()


def explain(pair: Pair, dependent: Iterable[Place] = ()) -> Explained:
    """The first cause that holds."""
    if pair.same_count:
        return Explained(pair, Cause.SAME)
    kept = [(site, counts) for site, counts in pair.sites if (site.kind, site.bytes) in pair.kinds]
    foreign = tuple(site for site, _ in pair.sites if (site.kind, site.bytes) not in pair.kinds)
    if len(kept) <= _MANY:
        for number in range(len(kept)):
            for gone in combinations(kept, number):
                left = [entry for entry in kept if entry not in gone]
                if _near(_sum(left).per_thread, pair.theirs.per_thread):
                    sites = (*foreign, *(site for site, _ in gone))
                    return Explained(pair, Cause.MERGED, tuple(sorted(sites)))
    if _near(pair.ours.per_request, pair.theirs.per_request):
        return Explained(pair, Cause.LANES)
    if _parted(pair.ours, pair.theirs):
        return Explained(pair, Cause.PARTED)
    return Explained(pair, Cause.DATA if pair.place in set(dependent) else Cause.OTHER)


def _parted(ours: Counts, theirs: Counts) -> bool:
    """Whether each sector that the hardware counts beyond ours lies on a line beyond ours.

    After ``if (threadIdx.x == 0)`` a warp may stay parted, with thread 0 an iteration of the next
    loop behind: its requests touch one sector more, far from the others'.
    """
    sectors = theirs.per_thread - ours.per_thread
    lines = theirs.lines / theirs.threads - ours.lines / ours.threads
    return sectors > 0 and abs(sectors - lines) <= _ABOUT * sectors


def _sum(entries: Sequence[tuple[Site, Counts]]) -> Counts:
    return sum((counts for _, counts in entries), Counts())


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= NEAR * max(abs(a), abs(b))


def counts_by_site(profiles: Iterable[Path], cuda: Path) -> dict[Place, dict[Site, Counts]]:
    """Global loads and stores of several profiles, by line of the checkout and access."""
    root = str(cuda.resolve())
    found: dict[Place, dict[Site, Counts]] = defaultdict(lambda: defaultdict(Counts))
    for profile in profiles:
        data = json.loads(profile.read_text(encoding="utf-8"))
        for site in data["sites"]:
            if site["kind"] not in ("load", "store") or not site["sectors"]:
                continue
            path = site["path"]
            # constant memory has a cache of its own, which no sector is counted in
            if site["space"] == "constant" or not path.startswith(root + "/"):
                continue
            place = Place(path[len(root) + 1 :], site["line"])
            requests = site["executions"] - site["shared_executions"]
            found[place][Site(site["column"], site["kind"], site["bytes"])] += Counts(
                site["active_lanes"], site["sectors"], site["sectors_ideal"], requests,
                site["lines"],
            )  # fmt: skip
    return {place: dict(sites) for place, sites in found.items()}


def counts(profiles: Iterable[Path], cuda: Path) -> dict[Place, Counts]:
    """The same by line."""
    return {place: total(sites) for place, sites in counts_by_site(profiles, cuda).items()}


def total(sites: BySite) -> Counts:
    """All accesses of a line."""
    return _sum(tuple(sites.items()))


def measured(rows: Iterable[HardwareRow]) -> dict[Place, Counts]:
    """The same of the hardware."""
    found: dict[Place, Counts] = defaultdict(Counts)
    for row in global_rows(rows):
        if row.sectors:
            found[Place(row.file, row.line)] += Counts(
                row.thread_insts, row.sectors, row.ideal, row.warp_insts, row.tags
            )
    return dict(found)


def pairs(ours: Mapping[Place, BySite], rows: Iterable[HardwareRow]) -> tuple[Pair, ...]:
    """The lines that both sides have."""
    rows = tuple(rows)
    theirs = measured(rows)
    kinds: dict[Place, set[tuple[str, int]]] = defaultdict(set)
    for row in global_rows(rows):
        kinds[Place(row.file, row.line)].add((row.kind, row.bytes))
    found = []
    for place in sorted(ours):
        if place in theirs:
            sites = tuple(sorted(ours[place].items()))
            found.append(Pair(place, _sum(sites), theirs[place], sites, frozenset(kinds[place])))
    return tuple(found)
