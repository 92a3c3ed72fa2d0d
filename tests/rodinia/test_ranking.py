from __future__ import annotations

import doctest
import io

from msgspec.structs import replace
from rich.console import Console

from drano.dynamic.profiles import cost_agreement
from drano.model.access import Access, Cost
from rodinia.measured.counted import Counts
from rodinia.measured.lines import Place
from rodinia.measured.truth import HardwareRow
from rodinia.scoring import ranking
from tests.accesses import access


def row(line: int, sectors: int, program: str = "one", ideal: int = 4) -> HardwareRow:
    return HardwareRow(
        "one/a.cu", line, "k", "load", "global", "direct", 4, "1x1x1", (32, 1, 1), 1, 32, 1,
        sectors, ideal, program=program,
    )  # fmt: skip


def costing(sectors: float, ordinal: int = 0) -> Access:
    return replace(access(ordinal=ordinal), cost=Cost(sectors))


def test_the_order_of_lines_is_compared_by_program() -> None:
    rows = [row(1, 40), row(1, 8), row(2, 12), row(3, 4), row(9, 4, "none")]
    accesses = {
        Place("one/a.cu", 1): (costing(5.0), costing(5.0), costing(2.0, 1)),
        Place("one/a.cu", 2): (costing(6.0),),
    }
    (one,) = ranking.rankings(rows, accesses)
    assert (one.program, one.found.lines, one.found.wasteful) == ("one", 3, 2)
    order = one.found
    assert (order.spearman, order.first, order.share) == (1.0, True, 40 / 48)
    (turned,) = ranking.rankings(rows, {Place("one/a.cu", 3): (costing(1.0),)})
    assert not turned.found.first
    assert turned.found.spearman is not None
    assert turned.found.spearman < 0


def test_without_any_cost_nothing_agrees() -> None:
    (found,) = ranking.rankings([row(1, 8), row(2, 9)], {})
    assert (found.found.spearman, found.found.first) == (None, False)
    assert ranking.middle([found]) is None


def test_equal_measurements_share_their_rank() -> None:
    assert cost_agreement.spearman([3, 2, 1, 0], [7, 7, 1, 0]) == 0.948683


def test_the_report_prints_both_figures() -> None:
    console = Console(record=True, width=200, file=io.StringIO())
    found = ranking.rankings([row(1, 8), row(2, 5)], {Place("one/a.cu", 1): (costing(1.0),)})
    ranking.report(console, found)
    assert "median Spearman 1.000; first line agrees in 1 of 1 programs (100.0 %)" in (
        console.export_text()
    )


def test_doctests() -> None:
    assert doctest.testmod(ranking).failed == 0


def test_runs_that_share_a_file_are_one_program() -> None:
    def counted(file: str, line: int, excess: int) -> dict[Place, Counts]:
        return {Place(file, line): Counts(32, 4 + excess, 4, 1, 1)}

    accesses = {Place("a.cu", 1): (access(cost=Cost(8.0, ())),)}
    runs = [
        ("first", counted("a.cu", 1, 8)),
        ("again", counted("a.cu", 2, 2)),
        ("other", counted("b.cu", 1, 3)),
    ]
    one, other = ranking.own_rankings(runs, accesses)
    first = one.found
    assert (one.program, first.lines, first.first, first.share) == ("first", 2, True, 0.8)
    assert (other.program, other.found.lines, other.found.first) == ("other", 1, False)
