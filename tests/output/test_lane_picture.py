from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.model.judgement import CountRange
from drano.output.lane_picture import picture, size, svg
from tests.accesses import access


def counted(sectors: int, ideal: int, lanes: tuple[int | None, ...], **changes: Any) -> Any:
    counts = CountRange(1, sectors, ideal, float(sectors))
    return picture(access(sectors=counts, lanes=lanes, **changes))


def test_coalesced_is_a_staircase_of_four() -> None:
    shown = counted(4, 4, tuple(range(0, 128, 4)))
    assert shown.exact
    assert [row.lanes for row in shown.rows] == [
        tuple(range(n, n + 8)) for n in range(0, 32, 8)
    ]  # fmt: skip
    assert not any(row.gap or row.new_line for row in shown.rows)


def test_strided_is_a_slope() -> None:
    shown = counted(32, 4, tuple(range(0, 32 * 128, 128)))
    assert [row.lanes for row in shown.rows] == [(lane,) for lane in range(32)]
    assert all(row.gap and row.new_line for row in shown.rows[1:])


def test_the_alignment_that_costs_what_was_counted_is_drawn() -> None:
    shown = counted(5, 4, tuple(range(0, 128, 4)))
    assert (len(shown.rows), shown.exact) == (5, True)
    assert sum(len(row.lanes) for row in shown.rows) == 32


def test_uniform_and_wide_and_backwards() -> None:
    assert [row.lanes for row in counted(1, 1, (0,) * 32).rows] == [tuple(range(32))]
    wide = counted(64, 64, tuple(range(0, 64 * 32, 64)), bytes=64)
    assert len(wide.rows) == 64
    back = counted(4, 4, tuple(range(0, -128, -4)))
    assert [row.offset for row in back.rows] == sorted(row.offset for row in back.rows)


def test_inactive_lanes_touch_nothing() -> None:
    half = tuple(4 * lane if lane % 2 else None for lane in range(32))
    assert sum(len(row.lanes) for row in counted(4, 2, half).rows) == 16


@pytest.mark.parametrize(
    "changes",
    [
        {"lanes": ()},
        {"lanes": (None,) * 32},
        {"sectors": None},
        {"bytes": 0},
        {"bytes": 1 << 40},
        {"lanes": (0,) * 64},
        {"lanes": (0, *(None,) * 31), "sectors": CountRange(1, 32, 4)},
    ],
)
def test_no_picture_of_what_is_not_known(changes: dict[str, Any]) -> None:
    assert picture(access(**changes)) is None


@given(
    st.lists(st.none() | st.integers(-(2**40), 2**40), min_size=1, max_size=32),
    st.sampled_from([1, 2, 4, 8, 12, 16]),
    st.integers(0, 64),
)
def test_every_picture_is_drawn(lanes: list[int | None], width: int, sectors: int) -> None:
    shown = counted(sectors, 4, tuple(lanes), bytes=width)
    if shown is None:
        return
    drawn = {lane for row in shown.rows for lane in row.lanes}
    assert drawn == {lane for lane, offset in enumerate(lanes) if offset is not None}
    assert size(shown)[1] >= 9 * len(shown.rows)
    ET.fromstring(f"<svg>{svg(shown)}</svg>")
