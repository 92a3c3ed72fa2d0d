"""``python -m rodinia wavefronts``: predicted against measured wavefronts of shared memory.

What can be compared. For accesses of at most 4 bytes ``wavefronts_ideal`` of a row is its number
of requests with an active lane; wider ones are compared where every warp was full
(``thread_insts == lanes * warp_insts``). ``thread_insts`` by requests is then how many lanes were
on in the mean. A group of rows (kernel, kind, size, block shape of one line) is *comparable* where
that is a whole warp of its block, or just the lanes that the analysis knows to be on: then the
mean wavefronts must equal the mean of what is predicted for blocks with all lanes active
(``CountRange.expected``), to 0.5 %. Elsewhere lanes were off that the analysis cannot know: the
mean must lie between the least and the most.

A row for which the line has no access is compared by statement where that leaves no choice, and
marked: see ``line_matching``; otherwise it is *absent*. Patterns that depend on data have no one
number and are *open*: there the mean is held against the least and the most. A line is as bad as
its worst group. Block shapes as in ``sectors``: those that the source gives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from drano.model.access import Access
from drano.model.hardware import WORD_BYTES
from drano.model.judgement import Pattern, Space
from rodinia.measured import line_matching as moved
from rodinia.measured.lines import Place, base_name, place_of
from rodinia.measured.truth import HardwareRow
from rodinia.pages import show
from rodinia.programs.analyse import UnitResult
from rodinia.scoring.sectors import TOLERANCE, full_warp

Shape = tuple[int, int, int]
Shared = Mapping[Place, tuple[Access, ...]]


class Match(IntEnum):
    """How a prediction compares, best first (the order is used)."""

    EXACT = 0
    WITHIN = 1
    OPEN = 2
    ABSENT = 3
    OUTSIDE = 4


class Group(Struct, frozen=True):
    """One comparison. ``measured``: wavefronts per request; ``comparable``: see the module's text;
    ``least, most``: of one request; ``expected``: None when open or absent;
    ``line_matching``: compared by statement, not by line; ``data``: the addresses depend on data.
    """

    kernel: str
    kind: str
    bytes: int
    block: Shape
    measured: float
    comparable: bool
    least: float
    most: float
    expected: float | None
    match: Match
    moved: bool = False
    data: bool = False


class Line(Struct, frozen=True):
    """All comparisons of one line, at least one."""

    place: Place
    groups: tuple[Group, ...]

    @property
    def match(self) -> Match:
        """The worst of its groups."""
        return max(group.match for group in self.groups)

    @property
    def comparable(self) -> bool:
        """Whether some group is to be met exactly."""
        return any(group.comparable for group in self.groups)

    @property
    def data(self) -> bool:
        """Whether some group has no one number, as it depends on data."""
        return any(group.data for group in self.groups)

    @property
    def moved(self) -> bool:
        """Whether some group is compared by statement."""
        return any(group.moved for group in self.groups)


def shared_by_line(results: Iterable[UnitResult], cuda: Path) -> dict[Place, tuple[Access, ...]]:
    """Accesses to shared memory of all units, by line."""
    found: dict[Place, list[Access]] = defaultdict(list)
    for result in results:
        for access in result.report.accesses:
            place = place_of(access, cuda)
            if place and access.judgement.space is Space.SHARED:
                found[place].append(access)
    return {place: tuple(accesses) for place, accesses in found.items()}


def compare_wavefronts(rows: Iterable[HardwareRow], accesses: Shared) -> tuple[Line, ...]:
    """The lines of ``rows`` in shared memory whose block shapes the source gives, in order."""
    grouped: dict[Place, dict[moved.Key, list[HardwareRow]]] = {}
    for row in rows:
        if row.space == "shared" and row.wavefronts:
            key = (row.kernel, row.kind, row.bytes, row.block)
            place = Place(row.file, row.line)
            grouped.setdefault(place, defaultdict(list)).setdefault(key, []).append(row)
    lines = []
    gone = moved.vanished(accesses, grouped)
    for place in sorted(grouped):
        groups = tuple(_groups(place, grouped[place], accesses.get(place, ()), gone))
        if groups:
            lines.append(Line(place, groups))
    return tuple(lines)


def _groups(
    place: Place, rows: Mapping[moved.Key, list[HardwareRow]], ours: Sequence[Access],
    gone: moved.Vanished,
) -> Iterable[Group]:  # fmt: skip
    for key, members in rows.items():
        kernel, kind, size, block = key
        of_kernel = [a for a in ours if base_name(a.kernel) == kernel]
        if of_kernel and not any(_known(access, block) for access in of_kernel):
            continue
        alike = [a for a in of_kernel if _known(a, block) and a.kind == kind]
        matching: Sequence[Access] = [a for a in alike if a.bytes == size]
        elsewhere = not matching
        if elsewhere:
            matching = moved.resized(alike, size) or gone.like(place, key)
        requests = _requests(members, size, block)
        if requests is None:
            continue
        measured = sum(row.wavefronts for row in members) / requests
        threads = sum(row.thread_insts for row in members)
        lanes = {sum(offset is not None for offset in a.judgement.lanes) for a in matching}
        comparable = threads in {
            (full_warp(block) or 0) * requests,
            *(n * requests for n in lanes if len(lanes) == 1),
        }
        yield _judged(Group(
            kernel, kind, size, block, measured, comparable, 0, 0, None,
            Match.OPEN if alike else Match.ABSENT, elsewhere and bool(matching),
            any(a.judgement.pattern is Pattern.DATA_DEPENDENT for a in matching),
        ), matching)  # fmt: skip


def _requests(rows: Sequence[HardwareRow], size: int, block: Shape) -> int | None:
    """Requests with an active lane; None where that is not known."""
    if size <= WORD_BYTES:
        return sum(row.wavefronts_ideal for row in rows)
    warps, full = sum(row.warp_insts for row in rows), full_warp(block)
    whole = full and sum(row.thread_insts for row in rows) == full * warps
    return warps if whole else None


def _known(access: Access, block: Shape) -> bool:
    launch = access.launch
    return launch is not None and not launch.assumed and launch.block == block


def _judged(group: Group, accesses: Sequence[Access]) -> Group:
    counts = [a.judgement.wavefronts for a in accesses if a.judgement.wavefronts is not None]
    if not counts or len(counts) < len(accesses):
        return group
    least = min(c.minimum for c in counts)
    most = max(c.maximum for c in counts)
    known = [c.expected for c in counts if c.expected is not None]
    expected = sum(known) / len(known) if len(known) == len(counts) else None
    if expected is not None and abs(group.measured - expected) <= TOLERANCE * expected:
        match = Match.EXACT
    elif least * (1 - TOLERANCE) <= group.measured <= most * (1 + TOLERANCE):
        match = Match.WITHIN if expected is not None or not group.comparable else Match.OPEN
    else:
        match = Match.OUTSIDE
    return replace(group, least=least, most=most, expected=expected, match=match)


def report(
    console: Console, lines: Sequence[Line], title: str = "Wavefronts per request of shared memory"
) -> None:
    """Print the table of matches."""
    whole = [line for line in lines if line.comparable]
    parts = [line for line in lines if not line.comparable]
    columns = ("lines", "", *(m.name.lower() for m in Match), "exact share", "sound share")
    rows = [
        ("all lanes on: comparable", *_cells(whole)),
        ("of those, depending on no data", *_cells([x for x in whole if not x.data])),
        ("of these, compared by line alone", *_cells([
            x for x in whole if not x.data and not x.moved and x.match is not Match.ABSENT
        ])),
        ("depending on data: bounds only", *_cells([x for x in whole if x.data])),
        ("lanes off at times: bounds only", *_cells(parts)),
    ]  # fmt: skip
    console.print(show.table(title, columns, rows))


def _cells(lines: Sequence[Line]) -> tuple[show.Cell, ...]:
    matches = [line.match for line in lines]
    exact = matches.count(Match.EXACT)
    sound = len(lines) - matches.count(Match.OUTSIDE)
    return (
        len(lines), *(matches.count(m) for m in Match), show.percent(exact, len(lines)),
        show.percent(sound, len(lines)),
    )  # fmt: skip


def print_list(console: Console, lines: Sequence[Line]) -> None:
    """Each comparison that is not exact."""
    for line in lines:
        for group in line.groups:
            if group.match is not Match.EXACT:
                show.plain(console, f"{line.place} {_text(group)}")


def _text(group: Group) -> str:
    block = "x".join(map(str, group.block))
    return (
        f"{group.match.name.lower()}{'' if group.comparable else ' (bounds)'}"
        f"{' (moved)' if group.moved else ''}: {group.kernel} "
        f"{group.kind} {group.bytes} B block {block}: measured {group.measured:.3f}, "
        f"predicted {group.least:g}-{group.most:g}, all lanes on {group.expected}"
    )


def as_json(lines: Sequence[Line]) -> dict[str, object]:
    """All comparisons."""
    return {
        "requests": [
            {
                "file": line.place.file, "line": line.place.line, "kernel": g.kernel,
                "kind": g.kind, "bytes": g.bytes, "block": list(g.block),
                "measured": round(g.measured, 4), "comparable": g.comparable, "least": g.least,
                "most": g.most, "expected": g.expected, "match": g.match.name.lower(),
                "moved": g.moved, "depends_on_data": g.data,
            }
            for line in lines
            for g in line.groups
        ]
    }  # fmt: skip
