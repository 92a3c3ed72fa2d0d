"""How well estimated costs order the lines of a program that was run.

A line's measure is its excess sectors of global memory, summed over its accesses; the estimate is
their cost. Over all executed lines: Spearman's rank correlation (ties share their mean rank; None
where all of one side are equal), and whether the line that the estimate puts first is the measured
first (one of them, where several are equal). A program whose lines all have no excess has no order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct

from drano.dynamic.profiles.static_against_measured import Comparison
from drano.output.source_lines import shown_path
from drano.rules.base import excess_bytes

Place = TypeVar("Place")


class Agreement(Struct, Generic[Place], frozen=True):
    """``wasteful``: lines with measured excess; ``first``: whether the first lines agree;
    ``share``: of the measured excess that lies on our first line.
    """

    lines: int
    wasteful: int
    spearman: float | None
    first: bool
    ours: Place
    measured: Place
    share: float


def agreement(
    estimated: Mapping[Place, float], measured: Mapping[Place, float], places: Sequence[Place]
) -> Agreement[Place] | None:
    """Of the lines ``places``, in order; None where nothing was measured in excess."""
    ours = [estimated.get(place, 0.0) for place in places]
    theirs = [measured[place] for place in places]
    if not any(theirs):
        return None
    best = max(range(len(places)), key=ours.__getitem__)
    worst = max(range(len(places)), key=theirs.__getitem__)
    return Agreement(
        lines=len(places),
        wasteful=sum(excess > 0 for excess in theirs),
        spearman=spearman(ours, theirs),
        first=ours[best] > 0 and theirs[best] == theirs[worst],
        ours=places[best],
        measured=places[worst],
        share=theirs[best] / sum(theirs),
    )


def order_of(comparisons: Iterable[Comparison]) -> Agreement[tuple[str, int]] | None:
    """Of the executed lines of a report that a run was held against."""
    estimated: dict[tuple[str, int], float] = defaultdict(float)
    measured: dict[tuple[str, int], float] = defaultdict(float)
    for each in comparisons:
        site = each.site
        if site is None or site.executions == site.shared_executions:
            continue
        place = (site.path, site.line)
        estimated[place] += excess_bytes(each.access)
        measured[place] += max(0, site.sectors - site.sectors_ideal)
    return agreement(estimated, measured, sorted(measured))


def agreement_text(found: Agreement[tuple[str, int]]) -> str:
    """One line, as in "order of 9 lines by cost: rank correlation 0.93, first line agrees"."""
    said = "-" if found.spearman is None else f"{found.spearman:.2f}"
    first = "first line agrees"
    if not found.first:
        first = f"first is {place_text(found.ours)}, measured {place_text(found.measured)}"
    return f"order of {found.lines} lines by cost: rank correlation {said}, {first}"


def agreement_json(found: Agreement[Place], shown: Callable[[Place], str]) -> dict[str, object]:
    """The same figures; ``shown``: a place as text."""
    return {
        "lines": found.lines, "with_excess": found.wasteful, "spearman": found.spearman,
        "first": found.first, "ours": shown(found.ours), "measured": shown(found.measured),
        "share": round(found.share, 4),
    }  # fmt: skip


def place_text(place: tuple[str, int]) -> str:
    """``file:line``, the file as users see it."""
    return f"{shown_path(place[0])}:{place[1]}"


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """The correlation of ranks.

    >>> spearman([1, 2, 3], [10, 20, 40]), spearman([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    >>> spearman([1, 1, 1], [1, 2, 3]) is None
    True
    """
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    return round(float(np.corrcoef(_ranks(left), _ranks(right))[0, 1]), 6)


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = np.sort(np.asarray(values, dtype=float))
    low = np.searchsorted(ordered, values, side="left")
    high = np.searchsorted(ordered, values, side="right")
    return [float(rank) for rank in (low + high + 1) / 2]
