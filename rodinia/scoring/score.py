"""``python -m rodinia score``: our verdicts against what was measured, line by line.

The measured side (``rodinia_hardware.csv``; Nsight Compute's
``memory_l2_theoretical_sectors_global`` and ``…_ideal``), as the data itself shows:

* ``sectors_ideal`` of a request is ``min(sectors, ceil(active lanes * access bytes / 32))``: it
  counts lanes, not distinct addresses. So a broadcast is ideal (1 of 1), and so is any access that
  repeats addresses so much that it needs no more sectors than its active lanes' bytes would fill:
  two half-warps reading the same 16 misaligned words: 3 sectors, ideal 3 (backprop:102). Partial
  warps are measured by their active lanes: 25 lanes of 8 bytes, 32 bytes apart: 25 sectors, ideal
  ceil(25*8/32) = 7 (lavaMD:84). 16-byte accesses: ideal up to 16, byte accesses: 1. All 561 rows
  of full warps obey this; rows that sum over unlike loads obey it load by load.
* ``warp_insts`` counts warps with no active lane (b+tree kernel_gpu_cuda_2.cu:49: 54000 warps,
  12000 lanes), so requests are counted only where each warp is full: 561 of the 988 rows that
  executed, some row of 463 of the 789 lines. ``sectors`` says what can be compared.
* Of 797 lines with global loads or stores 789 executed with an active lane: 272 uncoalesced (185
  of them myocyte's), 453 coalesced, 64 between; 63 are data-dependent.

A line is *uncoalesced* when, over all its rows, sectors / ideal >= 1.3, *coalesced* when <= 1.02;
between, it counts neither way. Against it stands what the analysis says of the line (``Said``):
flagged is right on an uncoalesced line, wrong on a coalesced one; on an uncoalesced line anything
else, an absent access too, is a miss. *Unknown* is counted over lines that are not data-dependent
(the manifest's hand-read list: indices that come from, or are selected by, loaded lane-varying
data), whatever was measured there. Nothing static proves a gather scattered, so an honest verdict
on it is unknown; the row "warp, any finding" also counts a line as flagged when some rule, notes
included, complains of it: data-dependent and misaligned accesses as well.

The authors' side (``rodinia_authors.csv``): average 128-byte *lines* per warp access in their
dynamic runs; a line of source is uncoalesced there when some row has more than one. Their logs are
truncated; two rows of 16 lanes count as uncoalesced there, and not above. The row "warp, in lines"
judges by our number of lines instead: it is sound, and flags what only may touch two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from drano.model.hardware import COALESCED_TO, UNCOALESCED_FROM
from rodinia.measured.lines import AccessesByLine, Place, Said, place_in, program_of, said
from rodinia.measured.truth import HardwareRow, OriginalFlag
from rodinia.pages import show
from rodinia.programs.manifest import Manifest


class Measured(StrEnum):
    """What the measurement says about a line."""

    UNCOALESCED = "uncoalesced"
    COALESCED = "coalesced"
    BETWEEN = "between"


class TruthLine(Struct, frozen=True):
    """A measured line. ``ratio``: sectors by ideal, or lines per access; ``detail`` for lists."""

    place: Place
    program: str
    measured: Measured
    ratio: float
    data_dependent: bool
    detail: str


class ScoredLine(Struct, frozen=True):
    """A measured line and what an analysis says of it."""

    truth: TruthLine
    said: Said


class Kind(StrEnum):
    """What ``--list`` can list."""

    FALSE_POSITIVE = "fp"
    FALSE_NEGATIVE = "fn"
    UNKNOWN = "unknown"
    INEXACT = "inexact"
    ABSENT = "absent"


class Score(Struct, frozen=True):
    """The figures of one analysis over some lines. ``unknown_open``: unknown lines that are not
    data-dependent, ``decidable``: all lines that are not; ``unknown_of``: those unknown lines by
    what was measured.
    """

    lines: int
    uncoalesced: int
    coalesced: int
    found: int
    false_alarms: int
    missed_unknown: int
    missed_clean: int
    missed_absent: int
    decidable: int
    unknown_open: int
    unknown_of: Mapping[Measured, int]

    @property
    def recall(self) -> float | None:
        """Flagged share of the uncoalesced lines."""
        return show.share(self.found, self.uncoalesced)

    @property
    def precision(self) -> float | None:
        """Uncoalesced share of the flagged lines that are uncoalesced or coalesced."""
        return show.share(self.found, self.found + self.false_alarms)

    @property
    def unknown_share(self) -> float | None:
        """Unknown share of the lines that are not data-dependent."""
        return show.share(self.unknown_open, self.decidable)


def hardware_lines(
    manifest: Manifest, rows: Iterable[HardwareRow], data_dependent: frozenset[Place]
) -> tuple[TruthLine, ...]:
    """The measured lines of the manifest's programs; without those that no active lane reached."""
    by_place: dict[Place, list[HardwareRow]] = defaultdict(list)
    for row in global_rows(rows):
        by_place[Place(row.file, row.line)].append(row)
    lines: list[TruthLine] = []
    for place in sorted(by_place):
        members = by_place[place]
        program = program_of(place, manifest)
        ideal = sum(row.ideal for row in members)
        if not ideal or not program:
            continue
        ratio = sum(row.sectors for row in members) / ideal
        detail = "; ".join(_row_text(row) for row in members)
        lines.append(
            TruthLine(place, program, _measured(ratio), ratio, place in data_dependent, detail)
        )
    return tuple(lines)


def global_rows(rows: Iterable[HardwareRow]) -> tuple[HardwareRow, ...]:
    """Global loads and stores only."""
    return tuple(row for row in rows if row.space == "global" and row.kind in ("load", "store"))


def _row_text(row: HardwareRow) -> str:
    block = "x".join(map(str, row.block))
    lanes = row.thread_insts / row.warp_insts if row.warp_insts else 0
    per_warp = row.sectors / row.warp_insts if row.warp_insts else 0
    return (
        f"{row.kernel} {row.kind} {row.bytes} B block {block} grid {row.grid}: {row.sectors} "
        f"sectors, ideal {row.ideal}; a warp: {lanes:.1f} lanes, {per_warp:.2f} sectors"
    )


def _measured(ratio: float) -> Measured:
    if ratio >= UNCOALESCED_FROM:
        return Measured.UNCOALESCED
    return Measured.COALESCED if ratio <= COALESCED_TO else Measured.BETWEEN


def counted_lines(
    manifest: Manifest,
    ratios: Mapping[Place, float],
    data_dependent: frozenset[Place],
) -> tuple[TruthLine, ...]:
    """The lines that our own runs counted, by their sectors by ideal."""
    return tuple(
        TruthLine(place, program, _measured(ratio), ratio, place in data_dependent, "counted")
        for place, ratio in sorted(ratios.items())
        if (program := program_of(place, manifest))
    )


def judge(lines: Iterable[TruthLine], accesses: AccessesByLine) -> tuple[ScoredLine, ...]:
    """What our analysis says of each measured line."""
    return tuple(ScoredLine(line, said(accesses.get(line.place, ()))) for line in lines)


def with_findings(
    lines: Iterable[ScoredLine], complained: frozenset[Place]
) -> tuple[ScoredLine, ...]:
    """The same lines, those that any rule complains of flagged: what a user sees with notes on."""
    return tuple(
        ScoredLine(line.truth, Said.FLAGGED) if line.truth.place in complained else line
        for line in lines
    )


def judge_other(
    lines: Iterable[TruthLine], verdicts: Mapping[tuple[str, int], str]
) -> tuple[ScoredLine, ...]:
    """What another tool says of each line; of one that it does not name, nothing is known."""
    words = {"uncoalesced": Said.FLAGGED, "coalesced": Said.CLEAN}
    return tuple(
        ScoredLine(line, words.get(verdicts.get((place.file, place.line), ""), Said.UNKNOWN))
        for line in lines
        for place in (line.place,)
    )


def judge_original(
    manifest: Manifest, lines: Iterable[TruthLine], flags: Iterable[OriginalFlag], inter: bool
) -> tuple[ScoredLine, ...]:
    """What the original pass says of each: flagged or, silently, clean."""
    flagged = {
        place_in(manifest, flag.program, flag.file, flag.line)
        for flag in flags
        if (flag.inter if inter else flag.intra)
    }
    return tuple(
        ScoredLine(line, Said.FLAGGED if line.place in flagged else Said.CLEAN) for line in lines
    )


def count(lines: Sequence[ScoredLine]) -> Score:
    """The figures over these lines."""
    cells = Counter((line.truth.measured, line.said) for line in lines)
    missed = Measured.UNCOALESCED
    decidable = [line for line in lines if not line.truth.data_dependent]
    unknown = [line for line in decidable if line.said is Said.UNKNOWN]
    return Score(
        lines=len(lines),
        uncoalesced=sum(line.truth.measured is Measured.UNCOALESCED for line in lines),
        coalesced=sum(line.truth.measured is Measured.COALESCED for line in lines),
        found=cells[missed, Said.FLAGGED],
        false_alarms=cells[Measured.COALESCED, Said.FLAGGED],
        missed_unknown=cells[missed, Said.UNKNOWN],
        missed_clean=cells[missed, Said.CLEAN],
        missed_absent=cells[missed, Said.ABSENT],
        decidable=len(decidable),
        unknown_open=len(unknown),
        unknown_of=dict(Counter(line.truth.measured for line in unknown)),
    )


def without(lines: Iterable[ScoredLine], program: str) -> tuple[ScoredLine, ...]:
    """The lines of all other programs."""
    return tuple(line for line in lines if line.truth.program != program)


def listed(lines: Iterable[ScoredLine], kind: Kind) -> tuple[ScoredLine, ...]:
    """The lines of one kind; ``INEXACT`` is not of this table and gives none."""
    return tuple(line for line in lines if _is(line, kind))


def _is(line: ScoredLine, kind: Kind) -> bool:
    truth = line.truth
    match kind:
        case Kind.FALSE_POSITIVE:
            return line.said is Said.FLAGGED and truth.measured is Measured.COALESCED
        case Kind.FALSE_NEGATIVE:
            return line.said is not Said.FLAGGED and truth.measured is Measured.UNCOALESCED
        case Kind.UNKNOWN:
            return line.said is Said.UNKNOWN and not truth.data_dependent
        case Kind.ABSENT:
            return line.said is Said.ABSENT
        case Kind.INEXACT:
            return False
        case _:
            assert_never(kind)
