"""Score arithmetic on a confusion matrix known by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import AccessKind
from drano.model.judgement import Space, Verdict
from rodinia.measured import truth
from rodinia.measured.lines import (
    Place,
    Said,
    accesses_by_line,
    base_name,
    data_dependent_places,
    said,
)
from rodinia.measured.truth import OriginalFlag
from rodinia.programs import manifest
from rodinia.programs.analyse import UnitResult
from rodinia.programs.manifest import Manifest
from rodinia.scoring import score
from rodinia.scoring.score import Kind, Measured, count, judge, listed
from tests.rodinia.samples import access, at, hardware_row, write_checkout

U, C, N = Verdict.UNCOALESCED, Verdict.COALESCED, Verdict.UNKNOWN


@pytest.fixture
def suite(tmp_path: Path) -> Manifest:
    return manifest.load(write_checkout(tmp_path))


# (line, sectors, ideal, verdicts); lines 3, 4 and 9 are data-dependent in the sample manifest.
MATRIX: list[tuple[int, int, int, list[Verdict]]] = [
    (1, 400, 100, [U]),  # found
    (2, 130, 100, [C, U]),  # found: one flagged access is enough
    (3, 400, 100, [N]),  # missed, unknown, data-dependent
    (5, 400, 100, [N, C]),  # missed, unknown
    (6, 400, 100, [C]),  # missed, clean
    (7, 400, 100, []),  # missed, absent
    (8, 100, 100, [U]),  # false alarm
    (9, 102, 100, [U]),  # false alarm, data-dependent
    (10, 100, 100, [N]),  # unknown
    (11, 100, 100, [C]),
    (12, 110, 100, [U]),  # between: counts neither way
    (13, 0, 0, [U]),  # never executed
]


def scored(suite: Manifest) -> tuple[score.ScoredLine, ...]:
    rows = [hardware_row(line, sectors, ideal) for line, sectors, ideal, _ in MATRIX]
    rows.append(hardware_row(6, 999, 1, space="shared"))
    rows.append(hardware_row(6, 999, 1, kind="atomic"))
    rows.append(hardware_row(1, 999, 1, file="elsewhere/a.cu"))
    found = {
        at(line): tuple(access("/x", line, verdict) for verdict in verdicts)
        for line, _, _, verdicts in MATRIX
        if verdicts
    }
    lines = score.hardware_lines(suite, rows, data_dependent_places(suite))
    return judge(lines, found)


def test_a_known_confusion_matrix(suite: Manifest) -> None:
    result = count(scored(suite))
    assert (result.lines, result.uncoalesced, result.coalesced) == (11, 6, 4)
    assert (result.found, result.false_alarms) == (2, 2)
    assert (result.missed_unknown, result.missed_clean, result.missed_absent) == (2, 1, 1)
    assert result.recall == pytest.approx(2 / 6, abs=1e-4)
    assert result.precision == 0.5
    assert (result.decidable, result.unknown_open) == (9, 2)
    assert result.unknown_of == {Measured.UNCOALESCED: 1, Measured.COALESCED: 1}
    assert result.unknown_share == pytest.approx(2 / 9, abs=1e-4)


def test_nothing_measured_gives_no_share() -> None:
    empty = count(())
    assert (empty.recall, empty.precision, empty.unknown_share) == (None, None, None)


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (Kind.FALSE_POSITIVE, [8, 9]),
        (Kind.FALSE_NEGATIVE, [3, 5, 6, 7]),
        (Kind.UNKNOWN, [5, 10]),
        (Kind.ABSENT, [7]),
        (Kind.INEXACT, []),
    ],
)
def test_lists(suite: Manifest, kind: Kind, lines: list[int]) -> None:
    assert [line.truth.place.line for line in listed(scored(suite), kind)] == lines


def test_rows_of_a_line_are_summed_before_the_threshold(suite: Manifest) -> None:
    rows = [hardware_row(1, 150, 100), hardware_row(1, 100, 100, kind="store")]
    (line,) = score.hardware_lines(suite, rows, frozenset())
    assert (line.measured, line.ratio) == (Measured.BETWEEN, 1.25)


def test_a_finding_flags_its_line_whatever_the_verdict(suite: Manifest) -> None:
    lines = score.with_findings(scored(suite), frozenset({at(3), at(5), at(11)}))
    result = count(lines)
    assert (result.found, result.false_alarms, result.missed_unknown) == (4, 3, 0)


def test_the_original_is_flagged_or_clean(suite: Manifest) -> None:
    lines = score.hardware_lines(
        suite, [hardware_row(1, 400, 100), hardware_row(2, 100, 100)], frozenset()
    )
    flag = OriginalFlag("one", "main.cu", 1, 3, "k", "load", 4, "*>1", True, False, True)
    inter = score.judge_original(suite, lines, [flag], inter=True)
    intra = score.judge_original(suite, lines, [flag], inter=False)
    assert [line.said for line in inter] == [Said.FLAGGED, Said.CLEAN]
    assert [line.said for line in intra] == [Said.CLEAN, Said.CLEAN]


def test_a_header_intrinsic_counts_where_the_suite_calls_it(
    suite: Manifest, tmp_path: Path
) -> None:
    from drano.model.report import FileReport, FileStatus

    cuda = tmp_path / "cuda"
    file = str(cuda / "one" / "." / "main.cu")
    accesses = (
        access(file, 5, U),
        access("/sdk/include/ldg.h", 99, U, via=(file, 6)),
        access("/sdk/include/ldg.h", 99, U),
        access(file, 7, U, space=Space.SHARED),
        access(file, 8, U, kind=AccessKind.ATOMIC),
        access(file, 9, N, space=Space.GENERIC),
        access(f"{cuda}2/one/main.cu", 5, U),
    )
    unit = suite.programs[0].units[0]
    report = FileReport(file, FileStatus.OK, accesses=accesses)
    found = accesses_by_line([UnitResult("one", unit, report)], cuda)
    assert sorted(found) == [Place("one/main.cu", line) for line in (5, 6, 9)]


def test_words_for_a_line() -> None:
    def word(*verdicts: Verdict) -> Said:
        return said(access("/x", 1, verdict) for verdict in verdicts)

    assert word() is Said.ABSENT
    assert word(C, N) is Said.UNKNOWN
    assert word(N, U, C) is Said.FLAGGED
    assert word(C, C) is Said.CLEAN


@pytest.mark.parametrize(
    "name", ["k", "k<int>", "void k<int, 3>(float*)", "ns::k<a::b>", "k(int, float)"]
)
def test_base_names(name: str) -> None:
    assert base_name(name) == "k"


def test_another_tools_verdicts(tmp_path: Path) -> None:
    table = tmp_path / "other.csv"
    table.write_text("file,line,verdict\np/a.cu,1,uncoalesced\np/a.cu,2,coalesced\n")
    verdicts = truth.read_verdicts(table)
    lines = [
        score.TruthLine(Place("p/a.cu", n), "p", score.Measured.UNCOALESCED, 8.0, False, "")
        for n in (1, 2, 3)
    ]
    said = [line.said for line in score.judge_other(lines, verdicts)]
    assert said == [Said.FLAGGED, Said.CLEAN, Said.UNKNOWN]
    table.write_text("file,line,verdict\np/a.cu,1,good\n")
    with pytest.raises(truth.TruthError, match="'good' is no verdict"):
        truth.read_verdicts(table)
