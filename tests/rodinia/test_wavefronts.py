"""Predicted against measured wavefronts: what is compared, and how it is judged."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from drano.model.access import Access
from drano.model.judgement import CountRange, Space
from rodinia.measured.truth import HardwareRow
from rodinia.scoring.wavefronts import Line, Match, compare_wavefronts
from tests.accesses import changed
from tests.rodinia.samples import access, at, hardware_row


def row(wavefronts: int, ideal: int, threads: int, size: int = 4) -> HardwareRow:
    base = hardware_row(1, 0, 0, size=size, warps=ideal, threads=threads)
    return replace(base, space="shared", wavefronts=wavefronts, wavefronts_ideal=ideal)


def ours(least: int, most: int, expected: float | None, size: int = 4) -> Access:
    found = access("/x", 1, size=size, block=(64, 1, 1))
    counts = CountRange(least, most, max(1, size // 4), expected)
    return changed(found, space=Space.SHARED, wavefronts=counts)


def compare(rows: list[HardwareRow], accesses: list[Access]) -> Line | None:
    lines = compare_wavefronts(rows, {at(1): tuple(accesses)} if accesses else {})
    return lines[0] if lines else None


@pytest.mark.parametrize(
    ("wavefronts", "threads", "predicted", "match", "comparable"),
    [
        (800, 3200, (8, 8, 8.0), Match.EXACT, True),
        (802, 3200, (8, 8, 8.0), Match.EXACT, True),
        (400, 3200, (1, 8, 8.0), Match.WITHIN, True),
        (400, 1600, (1, 8, 8.0), Match.WITHIN, False),
        (900, 3200, (8, 8, 8.0), Match.OUTSIDE, True),
        (217, 3200, (1, 32, None), Match.OPEN, True),
        (217, 1600, (1, 32, None), Match.WITHIN, False),
    ],
)
def test_one_access(
    wavefronts: int, threads: int, predicted: tuple[int, int, float | None], match: Match,
    comparable: bool,
) -> None:  # fmt: skip
    line = compare([row(wavefronts, 100, threads)], [ours(*predicted)])
    assert line is not None
    assert (line.match, line.comparable) == (match, comparable)


def test_loads_of_one_line_are_compared_by_their_mean() -> None:
    line = compare([row(900, 200, 6400)], [ours(1, 1, 1.0), ours(8, 8, 8.0)])
    assert line is not None
    assert line.match is Match.EXACT


def test_wide_accesses_need_whole_warps() -> None:
    assert compare([row(100, 200, 1600, size=8)], [ours(2, 2, 2.0, size=8)]) is None
    whole = replace(row(200, 200, 3200, size=8), warp_insts=100)
    line = compare([whole], [ours(2, 2, 2.0, size=8)])
    assert line is not None
    assert line.match is Match.EXACT


def test_no_access_is_absent_and_global_rows_are_left_out() -> None:
    line = compare([row(100, 100, 3200)], [])
    assert line is not None
    assert line.match is Match.ABSENT
    assert compare([hardware_row(1, 400, 400)], []) is None
