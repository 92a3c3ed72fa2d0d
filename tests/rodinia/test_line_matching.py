"""Rows of shared memory at a line that has no such access in the source."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from drano.model.access import Access, AccessKind
from drano.model.judgement import CountRange, Pattern, Space
from rodinia.measured.line_matching import resized, vanished
from rodinia.measured.lines import Place
from rodinia.measured.truth import HardwareRow
from rodinia.scoring.wavefronts import Line, Match, compare_wavefronts
from tests.accesses import changed
from tests.rodinia.samples import access, at, hardware_row

BLOCK = (64, 1, 1)
LOAD = ("k", "load", 4, BLOCK)


def row(line: int, wavefronts: int, ideal: int = 100, size: int = 4) -> HardwareRow:
    base = hardware_row(line, 0, 0, size=size, warps=ideal, threads=32 * ideal)
    return replace(base, space="shared", wavefronts=wavefronts, wavefronts_ideal=ideal)


def load(
    expected: float | None,
    size: int = 4,
    lanes: tuple[int | None, ...] = (),
    pattern: Pattern = Pattern.UNKNOWN,
) -> Access:
    counts = CountRange(1, int(expected or 32), 1, expected)
    return changed(
        access("/x", 1, size=size, block=BLOCK), space=Space.SHARED, kind=AccessKind.LOAD,
        wavefronts=counts, lanes=lanes, pattern=pattern,
    )  # fmt: skip


def compare(
    rows: list[HardwareRow], accesses: dict[Place, tuple[Access, ...]]
) -> dict[Place, Line]:
    return {line.place: line for line in compare_wavefronts(rows, accesses)}


def test_a_row_is_held_against_the_accesses_that_vanished() -> None:
    rows = [row(1, 100), row(5, 200)]
    found = compare(rows, {at(1): (load(1.0),), at(3): (load(2.0),), at(4): (load(2.0),)})
    assert found[at(5)].match is Match.EXACT
    assert found[at(5)].moved
    assert not found[at(1)].moved


def test_a_moved_row_may_differ() -> None:
    found = compare([row(5, 200)], {at(3): (load(1.0),)})
    assert found[at(5)].match is Match.OUTSIDE


@pytest.mark.parametrize(
    "others",
    [
        (load(1.0), load(2.0)),
        (load(2.0), load(None)),
        (replace(load(2.0), kind=AccessKind.STORE),),
        (replace(load(2.0), kernel="another"),),
        (load(2.0, size=8),),
    ],
)
def test_without_one_number_the_row_stays_absent(others: tuple[Access, ...]) -> None:
    found = compare([row(5, 200)], {at(3): others})
    assert found[at(5)].match is Match.ABSENT
    assert not found[at(5)].moved


def test_accesses_measured_on_their_own_line_have_not_moved() -> None:
    gone = vanished({at(1): (load(1.0),), at(2): (load(2.0),)}, {at(1): [LOAD]})
    assert [a.judgement.wavefronts for a in gone.like(at(9), LOAD)] == [CountRange(1, 2, 1, 2.0)]
    assert gone.like(Place("another/file.cu", 9), LOAD) == ()


def test_a_part_of_a_word_is_served_as_the_word() -> None:
    (narrow,) = resized([load(2.0)], 1)
    assert (narrow.bytes, narrow.judgement.wavefronts) == (1, CountRange(1, 2, 1, 2.0))
    assert resized([load(2.0, size=8)], 4) == ()


def test_elements_side_by_side_are_taken_together() -> None:
    broadcast = load(1.0, lanes=tuple(64 * (lane // 16) for lane in range(32)))
    contiguous = load(1.0, lanes=tuple(4 * lane for lane in range(32)))
    (wide,) = resized([contiguous, broadcast], 16)
    assert (wide.bytes, wide.judgement.wavefronts) == (16, CountRange(2, 2, 4, 2.0))
    assert resized([contiguous], 16) == ()
    assert resized([load(1.0, lanes=(None, *range(0, 496, 16)))], 16) == ()
    # Two that would take different numbers: which of them it is, nobody knows.
    rows = load(1.0, lanes=tuple(16 * lane for lane in range(32)))
    assert resized([broadcast, rows], 16) == ()


def test_lines_that_depend_on_data_are_told_apart() -> None:
    found = compare([row(1, 217)], {at(1): (load(None, pattern=Pattern.DATA_DEPENDENT),)})
    assert found[at(1)].match is Match.OPEN
    assert found[at(1)].data
    assert not compare([row(1, 100)], {at(1): (load(1.0),)})[at(1)].data
