"""Counts of our own runs against those of the hardware, line by line.

All rows of a line are joined. Of the hardware only some launches were profiled, and its compiler
(``-O3``) hoists and merges accesses, so totals differ; what is compared is a line's sectors per
active thread, and beside it its sectors by the ideal. Lines that only one side has say nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rodinia.lines import Place
from rodinia.score import global_rows
from rodinia.truth import HardwareRow

NEAR = 0.02


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals of one line: active threads of all requests, sectors, ideal sectors; requests with
    an active lane, 0 where that is not known.
    """

    threads: int = 0
    sectors: int = 0
    ideal: int = 0
    requests: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.threads + other.threads,
            self.sectors + other.sectors,
            self.ideal + other.ideal,
            self.requests + other.requests,
        )

    @property
    def per_thread(self) -> float:
        """Sectors by active thread."""
        return self.sectors / self.threads if self.threads else 0.0

    @property
    def ratio(self) -> float:
        """Sectors by ideal."""
        return self.sectors / self.ideal if self.ideal else 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """One line on both sides."""

    place: Place
    ours: Counts
    theirs: Counts

    @property
    def same_count(self) -> bool:
        """Whether sectors per active thread agree within 2 %."""
        return _near(self.ours.per_thread, self.theirs.per_thread)

    @property
    def same_ratio(self) -> bool:
        """Whether sectors by ideal agree within 2 %."""
        return _near(self.ours.ratio, self.theirs.ratio)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= NEAR * max(abs(a), abs(b))


def counts(profiles: Iterable[Path], cuda: Path) -> dict[Place, Counts]:
    """Global loads and stores of several profiles, by line of the checkout."""
    root = str(cuda.resolve())
    found: dict[Place, Counts] = defaultdict(Counts)
    for profile in profiles:
        data = json.loads(profile.read_text(encoding="utf-8"))
        for site in data["sites"]:
            if site["kind"] not in ("load", "store") or not site["sectors"]:
                continue
            path = site["path"]
            if not path.startswith(root + "/"):
                continue
            place = Place(path[len(root) + 1 :], site["line"])
            requests = site["executions"] - site["shared_executions"]
            found[place] += Counts(
                site["active_lanes"], site["sectors"], site["sectors_ideal"], requests
            )
    return dict(found)


def measured(rows: Iterable[HardwareRow]) -> dict[Place, Counts]:
    """The same of the hardware."""
    found: dict[Place, Counts] = defaultdict(Counts)
    for row in global_rows(rows):
        if row.sectors:
            found[Place(row.file, row.line)] += Counts(row.thread_insts, row.sectors, row.ideal)
    return dict(found)


def pairs(ours: Mapping[Place, Counts], theirs: Mapping[Place, Counts]) -> tuple[Pair, ...]:
    """The lines that both sides have."""
    return tuple(
        Pair(place, ours[place], theirs[place]) for place in sorted(ours) if place in theirs
    )
