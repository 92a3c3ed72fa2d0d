"""How well costs order lines: the static ranking against measured excess sectors, by program.

A line's measure is ``sectors - sectors_ideal``, summed over its rows (global loads and stores);
ours is the cost of its accesses, in excess bytes over all executions. Per program that was run:
Spearman's rank correlation over all executed lines (ties share their mean rank; None where all of
one side are equal), and whether our first line is the measured first (one of them, where several
are equal).
Programs whose lines all have no excess have no order and are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from msgspec import Struct
from rich.console import Console

from drano.dynamic.profiles.cost_agreement import Agreement, agreement, agreement_json
from drano.model.access import Access
from drano.rules.base import excess_bytes
from rodinia.measured.counted import Counts
from rodinia.measured.lines import AccessesByLine, Place
from rodinia.measured.truth import HardwareRow
from rodinia.pages import show

Measured = defaultdict[str, dict[Place, float]]
COLUMNS = ("program", "lines", "with excess", "spearman", "first", "ours", "measured", "its share")


class Ranking(Struct, frozen=True):
    """How the order of one program's lines agrees."""

    program: str
    found: Agreement[Place]


def rankings(rows: Iterable[HardwareRow], accesses: AccessesByLine) -> tuple[Ranking, ...]:
    """All programs with excess, by name."""
    measured: Measured = defaultdict(lambda: defaultdict(float))
    for row in rows:
        if row.space == "global" and row.kind in {"load", "store"} and row.sectors:
            place = Place(row.file, row.line)
            measured[row.program][place] += max(0, row.sectors - row.ideal)
    return _rankings(measured, accesses)


def own_rankings(
    runs: Iterable[tuple[str, Mapping[Place, Counts]]], accesses: AccessesByLine
) -> tuple[Ranking, ...]:
    """The same by the counts of our own runs, each with its name: of all launches, and of lines of
    the source, where the hardware's are of some launches, and of lines that its compiler moved
    loads to. Runs that share a file are one program, of the first one's name.
    """
    programs: list[tuple[str, set[str], dict[Place, float]]] = []
    for name, counts in runs:
        files = {place.file for place, count in counts.items() if count.sectors}
        known = next((entry for entry in programs if entry[1] & files), None)
        if known is None:
            programs.append(known := (name, set(), defaultdict(float)))
        known[1].update(files)
        for place, count in counts.items():
            if count.sectors:
                known[2][place] += max(0, count.sectors - count.ideal)
    return _rankings({name: lines for name, _, lines in programs}, accesses)


def _rankings(
    measured: Mapping[str, Mapping[Place, float]], accesses: AccessesByLine
) -> tuple[Ranking, ...]:
    found = (_ranking(program, lines, accesses) for program, lines in sorted(measured.items()))
    return tuple(ranking for ranking in found if ranking is not None)


def _ranking(
    program: str, measured: Mapping[Place, float], accesses: AccessesByLine
) -> Ranking | None:
    places = sorted(measured)
    ours = {place: line_cost(accesses.get(place, ())) for place in places}
    found = agreement(ours, measured, places)
    return Ranking(program, found) if found is not None else None


def line_cost(accesses: Iterable[Access]) -> float:
    """Excess bytes of a line: each access of each kernel once, though several units have it."""
    unique = {(a.kernel_symbol, a.ordinal): excess_bytes(a) for a in accesses}
    return sum(unique.values())


def middle(found: Sequence[Ranking]) -> float | None:
    """The median correlation."""
    known = [each.found.spearman for each in found if each.found.spearman is not None]
    return median(known) if known else None


def report(console: Console, found: Sequence[Ranking]) -> None:
    """The table, and one line with both figures."""
    rows = [
        (
            name, each.lines, each.wasteful, each.spearman, "yes" if each.first else "no",
            str(each.ours), "" if each.first else str(each.measured), f"{100 * each.share:.0f} %",
        )
        for name, each in ((ranking.program, ranking.found) for ranking in found)
    ]  # fmt: skip
    console.print(show.table("Static ranking against measured excess sectors", COLUMNS, rows))
    agreed = sum(ranking.found.first for ranking in found)
    correlation = middle(found)
    said = "-" if correlation is None else f"{correlation:.3f}"
    show.plain(
        console,
        f"median Spearman {said}; first line agrees in {agreed} of {len(found)} programs "
        f"({show.percent(agreed, len(found))})",
    )


def as_json(found: Sequence[Ranking]) -> object:
    """The same figures."""
    return {
        "median_spearman": middle(found),
        "first_agrees": show.share(sum(ranking.found.first for ranking in found), len(found)),
        "programs": [
            {"program": ranking.program, **agreement_json(ranking.found, str)} for ranking in found
        ],
    }
