"""The runs of GPUDrano's authors: lines of 128 bytes that a warp's access touched, by source line.

Means: their logs, by file, line, column and kind of access. Their one run counts lines as they lie
in memory (*aligned*), the other from the lowest address that the warp accesses on, whatever it is
(*unaligned*); a source line of more than one line in the mean is uncoalesced.
``Log.in_lines`` compares in that measure, which our rules do not use: they go by sectors. Of a
source line those accesses count that are in the log, by column and kind; where columns do not fit,
all of the kind.
Limits: the logs are cut off, so what is not in them proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from drano.model.access import Access
from drano.model.hardware import LINE_BYTES
from drano.model.judgement import Active
from rodinia.measured.lines import AccessesByLine, Place, Said, place_in, program_of
from rodinia.measured.truth import AuthorsRow
from rodinia.programs.manifest import Manifest
from rodinia.scoring.score import Measured, ScoredLine, TruthLine

_RUNS = {"aligned": True, "unaligned": False}


class By(StrEnum):
    """Which of our numbers is compared: the most lines that a warp may touch, which is sound when
    no line of the log is missed; or how many it is expected to.
    """

    MOST = "most"
    EXPECTED = "expected"


class Log(Struct, frozen=True):
    """The rows of their log, none where it is not there; ``data_dependent``: lines whose cost is
    decided by data.
    """

    manifest: Manifest
    rows: Sequence[AuthorsRow]
    data_dependent: frozenset[Place] = frozenset()

    def lines(self) -> dict[str, tuple[TruthLine, ...]]:
        """The source lines in it, by kind of run."""
        return {
            run: tuple(self._line(*entry) for entry in self._by_place(aligned).items())
            for run, aligned in _RUNS.items()
            if self.rows
        }

    def in_lines(self, found: AccessesByLine) -> dict[str, dict[str, tuple[ScoredLine, ...]]]:
        """What our numbers say, by kind of run and by number: flagged where a warp touches more
        than one line, clean where it does not.
        """
        return {
            run: {
                str(by): tuple(
                    ScoredLine(self._line(place, rows), _said(found, place, rows, aligned, by))
                    for place, rows in self._by_place(aligned).items()
                )
                for by in By
            }
            for run, aligned in _RUNS.items()
            if self.rows
        }

    def _by_place(self, aligned: bool) -> dict[Place, list[AuthorsRow]]:
        by_place: dict[Place, list[AuthorsRow]] = defaultdict(list)
        for row in self.rows:
            place = place_in(self.manifest, row.program, row.file, row.line)
            if place and aligned is row.aligned:
                by_place[place].append(row)
        return {place: by_place[place] for place in sorted(by_place)}

    def _line(self, place: Place, rows: Sequence[AuthorsRow]) -> TruthLine:
        worst = max(row.average_lines for row in rows)
        measured = Measured.UNCOALESCED if worst > 1 else Measured.COALESCED
        detail = "; ".join(
            f"column {row.column} {row.kind} {'' if row.aligned else 'un'}aligned: "
            f"{row.average_lines:g} lines in {row.executions} executions"
            for row in rows
        )
        program = program_of(place, self.manifest)
        return TruthLine(place, program, measured, worst, place in self.data_dependent, detail)


def _said(
    found: AccessesByLine, place: Place, rows: Sequence[AuthorsRow], aligned: bool, by: By
) -> Said:
    told = {_told(access, aligned, by) for access in _logged(found.get(place, ()), rows)}
    order = (Said.FLAGGED, Said.UNKNOWN, Said.CLEAN)
    return next((said for said in order if said in told), Said.ABSENT)


def _logged(accesses: Sequence[Access], rows: Sequence[AuthorsRow]) -> Sequence[Access]:
    """The accesses of a source line that are in the log."""

    def fits(access: Access, row: AuthorsRow) -> bool:
        return row.kind in ("", str(access.kind))

    exactly = [
        access
        for access in accesses
        if any(row.column == access.location.span.column and fits(access, row) for row in rows)
    ]
    kinds = [access for access in accesses if any(fits(access, row) for row in rows)]
    return exactly or kinds or accesses


def _told(access: Access, aligned: bool, by: By) -> Said:
    judgement = access.judgement
    if judgement.lines is None:
        return Said.UNKNOWN
    if by is By.MOST:
        return Said.FLAGGED if judgement.lines.maximum > 1 else Said.CLEAN
    if not aligned and (number := _from_the_lowest(access)) is not None:
        return Said.FLAGGED if number > 1 else Said.CLEAN
    expected = judgement.lines.expected
    if expected is None:
        return Said.FLAGGED if judgement.lines.maximum > 1 else Said.CLEAN
    if expected <= 1:
        return Said.CLEAN
    # Together the lanes fit into one line: whether they lay in two is up to those that data chose.
    chosen = judgement.active is Active.CHOSEN_BY_DATA and _from_the_lowest(access) == 1
    return Said.UNKNOWN if chosen else Said.FLAGGED


def _from_the_lowest(access: Access) -> int | None:
    """Lines that begin at the lowest address; None where not all lanes' distances are known.

    Lanes without a distance are off or at another, unknown place. All are known where those that
    are, wherever they begin, explain the most lines that the access may touch.
    """
    judgement = access.judgement
    offsets = [offset for offset in judgement.lanes if offset is not None]
    if not offsets or judgement.lines is None:
        return None
    low = min(offsets)
    ends = {part for o in offsets for part in (o - low, o - low + access.bytes - 1)}
    numbers = [
        len({(start + end) // LINE_BYTES for end in ends})
        for start in range(0, LINE_BYTES, access.bytes)
    ]
    return numbers[0] if max(numbers) >= judgement.lines.maximum else None
