"""The picture of one access: which lane of the warp reads or writes which 32-byte sector.

Columns are the 32 lanes, rows the sectors that are touched, in the order of their addresses: a
coalesced access of 4-byte elements is a staircase of 4 rows, a scattered one a slope of 32. Heavy
rules part 128-byte lines, a dotted one says that memory between two rows is not touched.

The lanes' offsets are known relative to each other, not always where they lie in a sector: the
picture takes the first of the alignments that natural alignment allows that costs what was counted.
"""

from __future__ import annotations

from msgspec import Struct

from drano.model.access import Access
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import CountRange

_MAX_BYTES = 128


class Row(Struct, frozen=True):
    """One sector. ``offset``: of its first byte from the 128-byte line in which lane 0 begins;
    ``lanes``: who touches it; ``new_line``: it is in another line than the row before; ``gap``: it
    does not follow the row before.
    """

    offset: int
    lanes: tuple[int, ...]
    new_line: bool
    gap: bool


class Picture(Struct, frozen=True):
    """Rows from the lowest address on, the first of them the ``ideal`` ones; ``exact``: as many as
    the analysis expects.
    """

    rows: tuple[Row, ...]
    ideal: int
    exact: bool


def expected_sectors(counts: CountRange) -> float:
    """What is expected of a request, else the most that it may be."""
    return counts.maximum if counts.expected is None else counts.expected


def picture(access: Access) -> Picture | None:
    """The picture of ``access``; None where the lanes' addresses are not known."""
    judgement = access.judgement
    known = [(lane, offset) for lane, offset in enumerate(judgement.lanes) if offset is not None]
    if not known or judgement.sectors is None or not 0 < access.bytes <= _MAX_BYTES:
        return None
    if len(judgement.lanes) > WARP_SIZE:
        return None
    wanted = round(expected_sectors(judgement.sectors))
    candidates = [_touched(known, access.bytes, shift) for shift in _shifts(access.bytes)]
    chosen = next((c for c in candidates if len(c) == wanted), None)
    if chosen is None and len(known) == 1:
        return None  # lanes an unknown distance apart: one of them says nothing
    rows: list[Row] = []
    before: int | None = None
    for sector, lanes in sorted((chosen or candidates[0]).items()):
        line = sector * SECTOR_BYTES // LINE_BYTES
        new_line = before is not None and line != before * SECTOR_BYTES // LINE_BYTES
        gap = before is not None and sector != before + 1
        rows.append(Row(sector * SECTOR_BYTES, tuple(lanes), new_line, gap))
        before = sector
    return Picture(tuple(rows), judgement.sectors.ideal, chosen is not None)


def _shifts(size: int) -> range:
    """Where lane 0 may begin in a line, the line's start first."""
    return range(0, LINE_BYTES, max(1, min(size & -size, SECTOR_BYTES)))


def _touched(known: list[tuple[int, int]], size: int, shift: int) -> dict[int, list[int]]:
    """Lanes by number of sector."""
    sectors: dict[int, list[int]] = {}
    for lane, offset in known:
        first = (offset + shift) // SECTOR_BYTES
        last = (offset + shift + size - 1) // SECTOR_BYTES
        for sector in range(first, last + 1):
            sectors.setdefault(sector, []).append(lane)
    return sectors


# --- as SVG ----------------------------------------------------------------------------------

_CELL = 9
_LABEL = 52
_TOP = 14


def size(shown: Picture) -> tuple[int, int]:
    """Width and height of the picture in pixels."""
    return _LABEL + WARP_SIZE * _CELL + 2, _TOP + len(shown.rows) * _CELL + 2


def svg(shown: Picture) -> str:
    """The inside of an SVG element: digits, paths and fixed words only, nothing of the source.

    Colours come from the page's style: ``.cell``, ``.over`` (rows beyond the ideal), ``.frame``,
    ``.rule``, ``.label``.
    """
    within = [_cells(n, row) for n, row in enumerate(shown.rows[: shown.ideal])]
    beyond = [_cells(n, row) for n, row in enumerate(shown.rows[shown.ideal :], shown.ideal)]
    frame = f"M{_LABEL} {_TOP}h{WARP_SIZE * _CELL}v{len(shown.rows) * _CELL}h-{WARP_SIZE * _CELL}z"
    parts = [
        f'<path class="frame" d="{frame}"/>',
        f'<path class="cell" d="{"".join(within)}"/>',
        f'<path class="cell over" d="{"".join(beyond)}"/>',
        *(_rule(n, row) for n, row in enumerate(shown.rows) if row.new_line or row.gap),
        *(_row_label(n, row) for n, row in enumerate(shown.rows)),
        *(
            f'<text class="label" x="{_LABEL + lane * _CELL}" y="{_TOP - 4}">{lane}</text>'
            for lane in range(0, WARP_SIZE, 8)
        ),
    ]
    return "".join(parts)


def _cells(number: int, row: Row) -> str:
    y = _TOP + number * _CELL + 1
    side = _CELL - 2
    return "".join(f"M{_LABEL + lane * _CELL + 1} {y}h{side}v{side}h-{side}z" for lane in row.lanes)


def _rule(number: int, row: Row) -> str:
    kind = "rule gap" if row.gap else "rule"
    return f'<path class="{kind}" d="M{_LABEL} {_TOP + number * _CELL}h{WARP_SIZE * _CELL}"/>'


def _row_label(number: int, row: Row) -> str:
    y = _TOP + number * _CELL + _CELL - 1
    return f'<text class="label end" x="{_LABEL - 4}" y="{y}">{row.offset:+d}</text>'
