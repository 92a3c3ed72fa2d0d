"""The paper's misses and false alarms on tables of our own."""

from __future__ import annotations

from pathlib import Path

from drano.model.judgement import CountRange
from rodinia.measured.truth import AuthorsRow, OriginalFlag
from rodinia.programs.manifest import load
from rodinia.scoring import claims
from rodinia.scoring.claims import FalseAlarm, Missed, Now
from rodinia.scoring.score import hardware_lines
from tests.accesses import changed
from tests.rodinia.samples import access, at, hardware_row, write_checkout


def _ran(line: int, column: int, aligned: bool, lines: float, kind: str = "load") -> AuthorsRow:
    return AuthorsRow("one", "main.cu", line, column, "k", kind, aligned, lines, 9)


def _flag(line: int) -> OriginalFlag:
    return OriginalFlag("one", "main.cu", line, 3, "k", "load", 4, "*1", True, True, False)


def test_missed_accesses_by_class_and_what_we_say(tmp_path: Path) -> None:
    manifest = load(write_checkout(tmp_path))
    ran = [
        _ran(5, 3, True, 2.0), _ran(5, 3, False, 2.0), _ran(5, 3, True, 2.0, ""),
        _ran(5, 9, True, 1.5), _ran(5, 9, False, 1.0),
        _ran(6, 3, True, 3.0), _ran(7, 3, True, 1.0), _ran(8, 3, True, 4.0),
        _ran(9, 3, True, 2.0), _ran(9, 3, False, 1.0),
    ]  # fmt: skip
    rows = [hardware_row(5, 40, 40, block=(16, 16, 1)), hardware_row(6, 90, 30)]
    two_lines = changed(access("x", 5), lines=CountRange(2, 2, 1, 2.0))
    ours = {at(5): (two_lines,), at(9): (changed(two_lines, lines=CountRange(1, 2, 1, 1.0)),)}
    found = claims.misses(manifest, ran, [_flag(8)], rows, ours, frozenset({at(6)}))
    assert [(m.place.line, m.why, m.accesses, m.average, m.ratio, m.now) for m in found] == [
        (5, Missed.SECOND_DIMENSION, 1, 2.0, 1.0, Now.TOLD),
        (5, Missed.ALIGNMENT, 1, 1.5, 1.0, Now.TOLD),
        (6, Missed.CONDITION, 1, 3.0, 3.0, Now.FOUND),
        (9, Missed.ALIGNMENT, 1, 2.0, None, Now.RANGE),
    ]
    summary = claims.miss_summary(found, {"missed_alignment": 8})
    assert summary == [
        ("second dimension", "-", "1", "0", "1", "0", "0"),
        ("alignment", "8", "2", "0", "1", "1", "0"),
        ("condition", "-", "1", "1", "0", "0", "0"),
    ]
    assert len(claims.miss_rows(found)[0]) == len(claims.MISS_COLUMNS)


def test_false_alarms_that_are_gone_and_that_are_not(tmp_path: Path) -> None:
    manifest = load(write_checkout(tmp_path))
    cuda = tmp_path / "cuda"
    truth = hardware_lines(
        manifest, [hardware_row(5, 40, 40), hardware_row(9, 40, 40), hardware_row(10, 90, 30)],
        frozenset(),
    )  # fmt: skip
    flags = [_flag(5), _flag(9), _flag(10)]
    found = claims.false_alarms(manifest, cuda, flags, truth, frozenset({at(9)}))
    assert found == (FalseAlarm(at(5), "one", True), FalseAlarm(at(9), "one", False))
    assert claims.alarm_rows(found) == [("one", "2", "1", "1"), ("total", "2", "1", "1")]
    source = cuda / "one" / "main.cu"
    source.write_text(source.read_text() + "// __mul24(1, 2)\n")
    (first, *_) = claims.false_alarms(manifest, cuda, flags, truth, frozenset())
    assert first.group == "one (__mul24)"
