"""Wavefronts of shared memory that a run has counted against those that the analysis allows."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed

from drano.dynamic.profiles.profile import Profile, read_profile
from drano.dynamic.profiles.static_against_measured import Comparison, Outcome, compare
from drano.model.access import Access, Launch
from drano.model.judgement import CountRange, Pattern, Space, Verdict
from drano.model.report import FileReport, FileStatus, Report
from tests.accesses import access
from tests.dynamic.profiles.test_profile import profile, write

BLOCK = (32, 8, 1)


@pytest.fixture
def read(tmp_path: Path) -> Profile:
    return read_profile(write(tmp_path / "p", profile()))


def compared(
    read: Profile, counts: CountRange | None, measured: tuple[int, int, int], *, lanes: int = 32,
    block: tuple[int, int, int] = BLOCK,
) -> Comparison:  # fmt: skip
    """One access with ``measured``: least, most and all wavefronts of 100 requests."""
    least, most, total = measured
    site = changed(
        read.sites[0], space="shared", executions=100, shared_executions=100, least=least,
        most=most, wavefronts=total, wavefronts_ideal=100, active_lanes=lanes * 100,
    )  # fmt: skip
    shape = changed(read.kernels[0].shapes[0], block=block)
    kernel = changed(read.kernels[0], name=site.kernel, shapes=(shape,))
    ours: Access = access(
        kernel_symbol=site.kernel, ordinal=site.ordinal, space=Space.SHARED, wavefronts=counts,
        launch=Launch(BLOCK, assumed=False), verdict=Verdict.UNCOALESCED,
    )  # fmt: skip
    span = replace(ours.location.span, line=site.line, column=site.column)
    ours = replace(ours, location=replace(ours.location, span=span))
    report = Report((FileReport("/src/a.cu", FileStatus.OK, accesses=(ours,)),), "warp", "0")
    (found,) = compare(report, changed(read, sites=(site,), kernels=(kernel,)))
    return found


@pytest.mark.parametrize(
    ("counts", "measured", "lanes", "outcome"),
    [
        (CountRange(8, 8, 1, 8.0), (8, 8, 800), 32, Outcome.AGREED),
        (CountRange(1, 1, 1, 1.0), (1, 1, 100), 32, Outcome.AGREED),
        (CountRange(1, 1, 1, 1.0), (1, 2, 101), 32, Outcome.MISSED),
        (CountRange(8, 8, 1, 8.0), (7, 8, 799), 32, Outcome.MISSED),
        (CountRange(1, 8, 1, 8.0), (1, 1, 100), 32, Outcome.SPURIOUS),
        (CountRange(1, 8, 1, 8.0), (1, 1, 100), 8, Outcome.AGREED),
        (CountRange(1, 32, 1, None), (2, 9, 400), 32, Outcome.UNDECIDED),
        (CountRange(1, 8, 1, None), (2, 9, 400), 32, Outcome.MISSED),
        (None, (2, 9, 400), 32, Outcome.UNDECIDED),
    ],
)
def test_wavefronts_are_held_against_bounds(
    read: Profile, counts: CountRange | None, measured: tuple[int, int, int], lanes: int,
    outcome: Outcome,
) -> None:  # fmt: skip
    assert compared(read, counts, measured, lanes=lanes).outcome is outcome


def test_the_least_holds_for_the_block_that_was_analysed(read: Profile) -> None:
    found = compared(read, CountRange(8, 8, 1, 8.0), (4, 4, 400), block=(16, 1, 1))
    assert found.outcome is Outcome.AGREED


def test_the_ratio_is_that_of_wavefronts(read: Profile) -> None:
    found = compared(read, CountRange(8, 8, 1, 8.0), (7, 8, 799))
    assert found.ratio == 7.99
    assert "took 7 to 8 wavefronts, the analysis allows 8 to 8" in found.reason


@pytest.mark.parametrize(
    ("verdict", "pattern", "condition", "sectors", "outcome"),
    [
        (Verdict.COALESCED, Pattern.CONTIGUOUS, "", 4, Outcome.AGREED),
        (Verdict.COALESCED, Pattern.CONTIGUOUS, "", 8, Outcome.MISSED),
        (Verdict.COALESCED, Pattern.CONTIGUOUS, "w >= 32", 8, Outcome.UNDECIDED),
        (Verdict.COALESCED, Pattern.UNKNOWN_START, "", 8, Outcome.AGREED),
        (Verdict.COALESCED, Pattern.UNKNOWN_START, "w >= 32", 8, Outcome.UNDECIDED),
        (Verdict.UNCOALESCED, Pattern.COLUMN_MAJOR, "", 4, Outcome.SPURIOUS),
        (Verdict.UNCOALESCED, Pattern.COLUMN_MAJOR, "w >= 32", 4, Outcome.UNDECIDED),
    ],
)
def test_verdicts_are_held_against_sectors(
    read: Profile, verdict: Verdict, pattern: Pattern, condition: str, sectors: int,
    outcome: Outcome,
) -> None:  # fmt: skip
    site = changed(
        read.sites[0], executions=100, sectors=100 * sectors, sectors_ideal=400, least=1, most=2
    )
    ours = access(
        kernel_symbol=site.kernel, ordinal=site.ordinal, verdict=verdict, pattern=pattern,
        condition=condition, lines=CountRange(1, 2, 1), sectors=CountRange(4, 8, 4),
    )  # fmt: skip
    span = replace(ours.location.span, line=site.line, column=site.column)
    ours = replace(ours, location=replace(ours.location, span=span))
    report = Report((FileReport("/src/a.cu", FileStatus.OK, accesses=(ours,)),), "warp", "0")
    (found,) = compare(report, changed(read, sites=(site,)))
    assert found.outcome is outcome
