from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.judgement import Verdict
from rodinia.measured.truth import AuthorsRow, OriginalFlag
from rodinia.programs import manifest
from rodinia.scoring.compare import Mode, Side, compare
from tests.rodinia.samples import access, at, write_checkout


def flag(line: int, *, theirs: bool = True, intra: bool = True, inter: bool = True) -> OriginalFlag:
    return OriginalFlag("one", "main.cu", line, 3, "k", "load", 4, "*>1", theirs, intra, inter)


FLAGS = [flag(1), flag(2), flag(3, intra=False), flag(4, theirs=False), flag(5, inter=False)]
OURS = {
    at(line): (access("/x", line, verdict),)
    for line, verdict in [
        (1, Verdict.UNCOALESCED),
        (2, Verdict.UNKNOWN),
        (3, Verdict.UNCOALESCED),
        (8, Verdict.UNCOALESCED),
    ]
}


@pytest.mark.parametrize(
    ("mode", "only_theirs", "both", "its", "ours"),
    [
        (Mode.INTRA, True, [1], [2, 5], [3, 8]),
        (Mode.INTER, True, [1, 3], [2], [8]),
        (Mode.INTRA, False, [1], [2, 4, 5], [3, 8]),
    ],
)
def test_sides(
    tmp_path: Path, mode: Mode, only_theirs: bool, both: list[int], its: list[int], ours: list[int]
) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    lines = compare(suite, OURS, FLAGS, mode, only_theirs)
    by_side = {side: [line.place.line for line in lines if line.side is side] for side in Side}
    assert by_side == {Side.BOTH: both, Side.ITS: its, Side.OURS: ours}
    assert {line.program for line in lines} == {"one"}


def test_the_dynamic_run_confirms(tmp_path: Path) -> None:
    suite = manifest.load(write_checkout(tmp_path))
    rows = [
        AuthorsRow("one", "main.cu", 1, 3, "k", "load", True, average, 10)
        for average in (1.0, 2.0, 1.0)
    ]
    rows.append(AuthorsRow("one", "main.cu", 2, 3, "k", "load", True, 1.0, 10))
    lines = compare(suite, OURS, FLAGS, Mode.INTRA, True, rows)
    confirmed = {line.place.line: line.confirmed for line in lines}
    assert confirmed == {1: True, 2: False, 3: None, 5: None, 8: None}
