"""The paper's own misses and false alarms, line by line, and what we say of the same lines.

The paper tells numbers, not lines; the classes are derived by rule from the tables:

* *missed*: an access with more than one line of 128 bytes a warp in the authors' dynamic run, which
  the original pass (its intraprocedural mode, the paper's) does not flag.
  - *alignment*: in one of the authors' two runs, with arrays aligned and not, it has exactly one
    line: only where the array starts decides.
  - *second dimension*: else, where blocks have fewer than 32 threads in x and more than one in y.
  - *condition*: the rest.
* *false alarm*: a line that the original pass flags and that the hardware counts as coalesced, or
  as misaligned only (sectors by ideal, ``score``).

Against them stands our default analysis. A line is *found* when some rule complains of it. Where no
rule does, we may still predict more than one line: two rows of 16 lanes take two lines and no
sector more than they need, which is nothing to complain of, and which ``--show all`` tells.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from drano.model.hardware import WARP_SIZE
from rodinia.measured.lines import AccessesByLine, Place, place_in
from rodinia.measured.truth import AuthorsRow, HardwareRow, OriginalFlag
from rodinia.programs.manifest import Manifest
from rodinia.scoring.score import Measured, TruthLine

_BUILT_IN_CALL = re.compile(r"__u?mul24")


class Missed(StrEnum):
    """Why the original pass misses an access."""

    SECOND_DIMENSION = "second dimension"
    ALIGNMENT = "alignment"
    CONDITION = "condition"


class Now(StrEnum):
    """What we say of it."""

    FOUND = "a rule complains"
    TOLD = "more than one line predicted, no rule complains"
    RANGE = "one line or two predicted, as where it starts is not known"
    SILENT = "not told"


class Miss(Struct, frozen=True):
    """One missed line of the authors' run. ``accesses``: how many of its accesses are missed;
    ``average``: lines of 128 bytes by access, the most of both runs; ``ratio``: sectors by ideal on
    our hardware, None where it has no row.
    """

    place: Place
    why: Missed
    accesses: int
    average: float
    ratio: float | None
    now: Now


class FalseAlarm(Struct, frozen=True):
    """A coalesced line that the original pass flags. ``group``: where the paper would put it."""

    place: Place
    group: str
    gone: bool


class Claims(Struct, frozen=True):
    """Both lists."""

    misses: tuple[Miss, ...]
    false_alarms: tuple[FalseAlarm, ...]


def misses(
    manifest: Manifest,
    authors: Iterable[AuthorsRow],
    flags: Iterable[OriginalFlag],
    hardware: Sequence[HardwareRow],
    ours: AccessesByLine,
    findings: frozenset[Place],
) -> tuple[Miss, ...]:
    """Lines that the original pass misses, with the reason by the rules above."""
    flagged = {place_in(manifest, f.program, f.file, f.line) for f in flags if f.intra}
    by_access: dict[tuple[Place, int, str], dict[bool, float]] = {}
    for row in authors:
        place = place_in(manifest, row.program, row.file, row.line)
        # rows without a kind sum up others
        if place and place not in flagged and row.kind:
            runs = by_access.setdefault((place, row.column, row.kind), {})
            runs[row.aligned] = max(runs.get(row.aligned, 0.0), row.average_lines)
    narrow = _narrow(hardware, ours)
    missed: dict[tuple[Place, Missed], list[float]] = defaultdict(list)
    for (place, _, _), runs in sorted(by_access.items()):
        if max(runs.values()) > 1:
            missed[place, _why(runs, place in narrow)].append(max(runs.values()))
    ratios = _ratios(hardware)
    return tuple(
        Miss(place, why, len(lines), max(lines), ratios.get(place), _now(place, ours, findings))
        for (place, why), lines in missed.items()
    )


def _why(runs: Mapping[bool, float], narrow: bool) -> Missed:
    if min(runs.values()) <= 1:
        return Missed.ALIGNMENT
    return Missed.SECOND_DIMENSION if narrow else Missed.CONDITION


def _now(place: Place, ours: AccessesByLine, findings: frozenset[Place]) -> Now:
    if place in findings:
        return Now.FOUND
    lines = [access.judgement.lines for access in ours.get(place, ()) if access.judgement.lines]
    if any(count.expected is not None and count.expected > 1 for count in lines):
        return Now.TOLD
    if any(count.maximum > 1 for count in lines):
        return Now.RANGE
    return Now.SILENT


def _narrow(hardware: Iterable[HardwareRow], ours: AccessesByLine) -> frozenset[Place]:
    """Lines that run in blocks whose rows are shorter than a warp."""
    shapes: dict[Place, set[tuple[int, int, int]]] = defaultdict(set)
    for row in hardware:
        shapes[Place(row.file, row.line)].add(row.block)
    for place, accesses in ours.items():
        if place not in shapes:
            shapes[place] = {a.launch.block for a in accesses if a.launch}
    return frozenset(
        place
        for place, blocks in shapes.items()
        if any(x < WARP_SIZE and y > 1 for x, y, _ in blocks)
    )


def _ratios(hardware: Iterable[HardwareRow]) -> dict[Place, float]:
    sums: dict[Place, tuple[int, int]] = {}
    for row in hardware:
        place = Place(row.file, row.line)
        sectors, ideal = sums.get(place, (0, 0))
        if row.space == "global":
            sums[place] = sectors + row.sectors, ideal + row.ideal
    return {place: sectors / ideal for place, (sectors, ideal) in sums.items() if ideal}


def false_alarms(
    manifest: Manifest,
    cuda: Path,
    flags: Iterable[OriginalFlag],
    truth: Iterable[TruthLine],
    findings: frozenset[Place],
) -> tuple[FalseAlarm, ...]:
    """Lines that are not uncoalesced and that the original pass flags: by program, by the call of
    ``__mul24``, those that are misaligned only apart.
    """
    truth = tuple(truth)
    coalesced = {
        line.place: line.program for line in truth if line.measured is not Measured.UNCOALESCED
    }
    only_unaligned = {line.place for line in truth if line.measured is Measured.BETWEEN}
    flagged = {place_in(manifest, f.program, f.file, f.line) for f in flags if f.intra}
    texts: dict[str, bool] = {}
    found = []
    for place, program in sorted(coalesced.items()):
        if place not in flagged:
            continue
        if place.file not in texts:
            texts[place.file] = _calls_mul24(cuda / place.file)
        group = f"{program} (__mul24)" if texts[place.file] else program
        group += ", misaligned only" if place in only_unaligned else ""
        found.append(FalseAlarm(place, group, place not in findings))
    return tuple(found)


def _calls_mul24(path: Path) -> bool:
    try:
        return bool(_BUILT_IN_CALL.search(path.read_text(errors="replace")))
    except OSError:
        return False


# --- as tables -------------------------------------------------------------------------------

MISS_COLUMNS = ("line", "why it was missed", "accesses", "lines by access then", "sectors by ideal",
                "now")  # fmt: skip


def miss_rows(found: Iterable[Miss]) -> list[tuple[str, ...]]:
    """Each missed line."""
    return [
        (
            str(m.place), str(m.why), str(m.accesses), f"{m.average:.2f}",
            "-" if m.ratio is None else f"{m.ratio:.2f}", str(m.now),
        )
        for m in found
    ]  # fmt: skip


SUMMARY_COLUMNS = ("class", "the paper says", "accesses here", *map(str, Now))


def miss_summary(found: Sequence[Miss], paper: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Accesses by class, and what became of them."""
    said = {
        Missed.SECOND_DIMENSION: paper.get("missed_second_dimension"),
        Missed.ALIGNMENT: paper.get("missed_alignment"),
        Missed.CONDITION: paper.get("missed_conditional"),
    }
    rows = []
    for why, number in said.items():
        mine = [m for m in found if m.why is why]
        counts = [sum(m.accesses for m in mine if m.now is now) for now in Now]
        everything = sum(m.accesses for m in mine)
        rows.append((str(why), str(number or "-"), str(everything), *map(str, counts)))
    return rows


ALARM_COLUMNS = ("program", "false alarms of the original", "gone", "still there")


def alarm_rows(found: Sequence[FalseAlarm]) -> list[tuple[str, ...]]:
    """By group, those that are gone and those that are not."""
    groups = sorted({alarm.group for alarm in found})
    rows = []
    for group in groups:
        mine = [alarm for alarm in found if alarm.group == group]
        gone = sum(alarm.gone for alarm in mine)
        rows.append((group, str(len(mine)), str(gone), str(len(mine) - gone)))
    gone = sum(alarm.gone for alarm in found)
    return [*rows, ("total", str(len(found)), str(gone), str(len(found) - gone))]
