"""The authors' log against our numbers of lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Access, AccessKind
from drano.model.judgement import Active, CountRange
from drano.model.span import Location, Span
from rodinia.measured.authors import Log
from rodinia.measured.lines import Said
from rodinia.measured.truth import AuthorsRow
from rodinia.programs import manifest
from rodinia.programs.manifest import Manifest
from tests.accesses import changed
from tests.rodinia.samples import access, at, write_checkout

SIDE_BY_SIDE = tuple(range(0, 128, 4))


@pytest.fixture
def suite(tmp_path: Path) -> Manifest:
    return manifest.load(write_checkout(tmp_path))


def row(line: int, average: float, *, aligned: bool = True, column: int = 5) -> AuthorsRow:
    return AuthorsRow("one", "main.cu", line, column, "k", "load", aligned, average, 10)


def some(
    expected: float | None = 1,
    most: int = 1,
    *,
    active: Active = Active.UNKNOWN,
    column: int = 5,
    kind: AccessKind = AccessKind.LOAD,
    lanes: tuple[int | None, ...] = (),
) -> Access:
    made = access("main.cu", 1, kind=kind, lanes=lanes)
    return changed(
        made,
        active=active,
        lines=CountRange(1, most, 1, expected),
        location=Location(Span("main.cu", 1, column), "k"),
    )


def test_lines_of_both_runs(suite: Manifest) -> None:
    rows = (row(1, 1.0), row(1, 1.5), row(1, 1.0, aligned=False), row(2, 2.0, aligned=False))
    lines = Log(suite, rows).lines()
    assert {
        run: [(x.place.line, str(x.measured)) for x in found] for run, found in lines.items()
    } == {
        "aligned": [(1, "uncoalesced")],
        "unaligned": [(1, "coalesced"), (2, "uncoalesced")],
    }
    assert Log(suite, ()).lines() == {}


@pytest.mark.parametrize(
    ("accesses", "expected", "most"),
    [
        ([], Said.ABSENT, Said.ABSENT),
        ([some(), some(2, 2)], Said.FLAGGED, Said.FLAGGED),
        ([some(1, 2)], Said.CLEAN, Said.FLAGGED),
        ([some(None, 32)], Said.FLAGGED, Said.FLAGGED),
        (
            [some(2, 2, active=Active.CHOSEN_BY_DATA, lanes=SIDE_BY_SIDE)],
            Said.UNKNOWN,
            Said.FLAGGED,
        ),
        ([some(8, 8, active=Active.CHOSEN_BY_DATA)], Said.FLAGGED, Said.FLAGGED),
        ([some(), access("main.cu", 1)], Said.UNKNOWN, Said.UNKNOWN),  # no number at all
        # what is not in the log tells nothing: another column, another kind
        ([some(), some(9, 9, column=7)], Said.CLEAN, Said.CLEAN),
        ([some(), some(9, 9, kind=AccessKind.STORE)], Said.CLEAN, Said.CLEAN),
        # columns that do not fit: all of the kind
        ([some(2, 2, column=7), some(9, 9, kind=AccessKind.STORE)], Said.FLAGGED, Said.FLAGGED),
    ],
)
def test_what_our_numbers_say(
    suite: Manifest, accesses: list[Access], expected: Said, most: Said
) -> None:
    numbers = Log(suite, (row(1, 1.5),)).in_lines({at(1): tuple(accesses)})["aligned"]
    assert [line.said for line in numbers["expected"]] == [expected]
    assert [line.said for line in numbers["most"]] == [most]


@pytest.mark.parametrize(
    ("lanes", "most", "said"),
    [
        (SIDE_BY_SIDE, 2, Said.CLEAN),  # where it begins does not count
        (tuple(-4 * k for k in range(32)), 2, Said.CLEAN),
        (tuple(range(0, 256, 8)), 3, Said.FLAGGED),
        ((*SIDE_BY_SIDE[:31], 125), 2, Said.FLAGGED),  # its last byte
        ((*SIDE_BY_SIDE[:16], *[None] * 16), 2, Said.CLEAN),  # the others are off
        ((*SIDE_BY_SIDE[:16], *[None] * 16), 4, Said.FLAGGED),  # elsewhere: what is expected
        ((), 2, Said.FLAGGED),
    ],
)
def test_the_other_run_counts_from_the_lowest_address(
    suite: Manifest, lanes: tuple[int | None, ...], most: int, said: Said
) -> None:
    log = Log(suite, (row(1, 1.0, aligned=False),))
    (line,) = log.in_lines({at(1): (some(2, most, lanes=lanes),)})["unaligned"]["expected"]
    assert line.said == said
