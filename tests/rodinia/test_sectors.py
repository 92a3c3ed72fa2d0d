"""Predicted against measured sectors: what is compared, and how it is judged."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from drano.model.access import Access
from drano.model.judgement import Pattern
from rodinia.measured.truth import HardwareRow
from rodinia.scoring.sectors import Match, Prediction, SectorLine, compare_sectors, full_warp
from tests.rodinia.samples import access, at, hardware_row


def compare(rows: list[HardwareRow], accesses: list[Access]) -> SectorLine | None:
    lines = compare_sectors(rows, {at(1): tuple(accesses)} if accesses else {})
    assert len(lines) <= 1
    return lines[0] if lines else None


def load(
    low: int,
    high: int,
    *,
    size: int = 4,
    block: tuple[int, int, int] = (64, 1, 1),
    assumed: bool = False,
    lanes: Sequence[int | None] = (),
) -> Access:
    return access(
        "/x", 1, sectors=(low, high, 4), size=size, block=block, assumed=assumed, lanes=lanes
    )


@pytest.mark.parametrize(
    ("sectors", "low", "high", "match"),
    [
        (400, 4, 4, Match.STRICT),
        (401, 4, 4, Match.STRICT),  # within half a per cent
        (400, 1, 4, Match.EXACT),  # a guard: full warps take the most
        (400, 4, 5, Match.LEAST),
        (450, 4, 5, Match.WITHIN),
        (500, 4, 5, Match.EXACT),
        (600, 4, 5, Match.OUTSIDE),
        (100, 4, 4, Match.OUTSIDE),
    ],
)
def test_one_access(sectors: int, low: int, high: int, match: Match) -> None:
    line = compare([hardware_row(1, sectors, 400)], [load(low, high)])
    assert line is not None
    assert line.match is match
    assert line.varies is (sectors == 450)


def test_one_address_is_asked_for_once_however_many_lanes_are_on() -> None:
    rows = [hardware_row(1, 100, 100, threads=2500)]
    lanes = [0] * 32
    load_ = access("/x", 1, sectors=(1, 1, 1), pattern=Pattern.UNIFORM, lanes=lanes)
    line = compare(rows, [load_])
    assert line is not None
    assert (line.match, line.groups[0].measured) == (Match.STRICT, 1.0)


def test_several_loads_of_a_line_are_compared_by_their_mean() -> None:
    rows = [hardware_row(1, 1000, 800, warps=200, threads=6400)]
    line = compare(rows, [load(2, 2), load(8, 8)])
    assert line is not None
    assert line.match is Match.STRICT
    assert line.groups[0].predicted == Prediction(2, 8, 5.0, 5.0)


def test_sizes_kinds_and_shapes_are_compared_apart() -> None:
    rows = [
        hardware_row(1, 400, 400),
        hardware_row(1, 800, 800, size=8),
        hardware_row(1, 400, 400, block=(16, 4, 1)),
    ]
    accesses = [load(4, 4), load(8, 8, size=8), load(2, 2, block=(16, 4, 1))]
    line = compare(rows, accesses)
    assert line is not None
    assert sorted(g.match for g in line.groups) == [Match.STRICT, Match.STRICT, Match.OUTSIDE]
    assert line.match is Match.OUTSIDE


def test_no_number_is_open_and_no_access_absent() -> None:
    row = hardware_row(1, 400, 400)
    unknown = compare([row], [access("/x", 1)])
    absent = compare([row], [])
    assert unknown is not None
    assert absent is not None
    assert (unknown.match, absent.match) == (Match.OPEN, Match.ABSENT)


def test_an_assumed_or_other_block_shape_is_not_compared() -> None:
    row = hardware_row(1, 400, 400)
    assert compare([row], [load(4, 4, assumed=True)]) is None
    assert compare([row], [load(4, 4, block=(32, 1, 1))]) is None


def test_partial_warps_are_compared_only_where_the_lanes_are_known() -> None:
    row = hardware_row(1, 100, 100, warps=400, threads=800)
    assert compare([row], [load(1, 4)]) is None
    lanes = [0, 4, *[None] * 30]
    line = compare([row], [load(1, 1, lanes=lanes)])
    assert line is not None
    assert line.groups[0].measured == 100 * 2 / 800
    # 801 lanes are no whole number of requests of two.
    odd = hardware_row(1, 100, 100, warps=400, threads=801)
    assert compare([odd], [load(1, 1, lanes=lanes)]) is None


def test_rows_without_an_active_lane_say_nothing() -> None:
    assert compare([hardware_row(1, 0, 0, warps=10, threads=0)], [load(4, 4)]) is None


def test_a_small_block_is_full_with_its_own_threads() -> None:
    row = hardware_row(1, 200, 200, block=(16, 1, 1), threads=1600)
    line = compare([row], [load(2, 2, block=(16, 1, 1))])
    assert line is not None
    assert line.match is Match.STRICT


@pytest.mark.parametrize(
    ("block", "lanes"), [((64, 1, 1), 32), ((16, 16, 1), 32), ((4, 4, 1), 16), ((48, 1, 1), None)]
)
def test_lanes_of_a_full_warp(block: tuple[int, int, int], lanes: int | None) -> None:
    assert full_warp(block) == lanes
