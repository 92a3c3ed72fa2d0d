"""The order of lines by cost against that by measured excess."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed

from drano.dynamic.profiles import cost_agreement
from drano.dynamic.profiles.cost_agreement import (
    agreement_json,
    agreement_text,
    order_of,
    place_text,
)
from drano.dynamic.profiles.profile import Site, read_profile
from drano.dynamic.profiles.static_against_measured import Comparison, Outcome
from drano.dynamic.reports.validate import render_comparison
from drano.model.access import Basis, Cost, Factor
from tests.accesses import access
from tests.dynamic.profiles.test_profile import profile, write


@pytest.fixture
def measured(tmp_path: Path) -> Site:
    return read_profile(write(tmp_path / "p", profile())).sites[0]


def compared(site: Site, line: int, estimate: float, excess: int) -> Comparison:
    cost = Cost(estimate, (Factor("1", 1.0, Basis.EXACT, "executions"),)) if estimate else None
    moved = changed(site, line=line, sectors=site.sectors_ideal + excess)
    return Comparison(Outcome.AGREED, replace(access(), cost=cost), moved, "")


def test_orders_are_compared_by_line(measured: Site) -> None:
    found = order_of(
        [
            compared(measured, 1, 5.0, 100),
            compared(measured, 1, 5.0, 0),
            compared(measured, 2, 8.0, 90),
            compared(measured, 3, 0.0, 0),
        ]
    )
    assert found is not None
    assert (found.lines, found.wasteful, found.spearman, found.first) == (3, 2, 1.0, True)
    assert agreement_text(found) == (
        "order of 3 lines by cost: rank correlation 1.00, first line agrees"
    )
    assert agreement_json(found, place_text)["ours"] == "/src/a.cu:1"


def test_another_first_line_is_named(measured: Site) -> None:
    rows = [compared(measured, 1, 1.0, 100), compared(measured, 2, 8.0, 50)]
    found = order_of(rows)
    assert found is not None
    assert (found.spearman, found.first, round(found.share, 3)) == (-1.0, False, 0.333)
    assert "first is /src/a.cu:2, measured /src/a.cu:1" in render_comparison(rows)


def test_without_excess_there_is_no_order(measured: Site) -> None:
    rows = [compared(measured, 1, 1.0, 0)]
    assert order_of(rows) is None
    assert "order of" not in render_comparison(rows)
    one = order_of([compared(measured, 1, 1.0, 5)])
    assert one is not None
    assert "rank correlation -, first line agrees" in agreement_text(one)


def test_doctests() -> None:
    assert doctest.testmod(cost_agreement).failed == 0
