from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.judgement import Pattern, Verdict
from rodinia.__main__ import main
from rodinia.measured.truth import OriginalFlag
from rodinia.programs import manifest
from rodinia.scoring.compare import LineDifference, Mode, compare, unexplained
from rodinia.scoring.differences import Cause, cause_of_its_flags
from tests.rodinia.samples import AUTHORS_COLUMNS, ORIGINAL_COLUMNS, access, at, write_checkout


def flag(index: str, size: int, column: int = 5) -> OriginalFlag:
    return OriginalFlag("one", "main.cu", 1, column, "k", "load", size, index, True, True, True)


@pytest.mark.parametrize(
    ("flags", "patterns", "cause"),
    [
        ([flag("*1", 2068)], [Pattern.CONTIGUOUS], Cause.WHOLE_STRUCT),
        ([flag("*-1", 2068), flag("*1", 8)], [Pattern.UNIFORM], Cause.WHOLE_STRUCT),
        ([flag("*>1", 4)], [Pattern.CONTIGUOUS], Cause.CALL),
        ([flag("*>1", 4)], [Pattern.SINGLE_THREAD], Cause.CALL),
        ([flag("*>1", 4)], [], Cause.NOT_GLOBAL),
        ([flag("*>1", 4)], [Pattern.STRIDED], Cause.UNEXPLAINED),
        ([flag("*>1", 4, column=9)], [Pattern.CONTIGUOUS], Cause.UNEXPLAINED),
        ([flag("*1", 4)], [Pattern.CONTIGUOUS], Cause.UNEXPLAINED),
        ([flag("*1", 2068), flag("*>1", 4)], [Pattern.CONTIGUOUS], Cause.UNEXPLAINED),
    ],
)
def test_flags_that_only_the_original_raises(
    flags: list[OriginalFlag], patterns: list[Pattern], cause: Cause
) -> None:
    accesses = [access("/x", 1, pattern=pattern) for pattern in patterns]
    assert cause_of_its_flags(flags, accesses) is cause


def compared(tmp_path: Path) -> dict[str, LineDifference]:
    suite = manifest.load(write_checkout(tmp_path))
    bad = Verdict.UNCOALESCED
    ours = {
        at(2): (access("/x", 2, bad, via=("/x", 9)),),
        at(3): (access("/x", 3, bad), access("/x", 3, via=("/x", 9))),
        at(4): (access("/x", 4, bad),),
        at(1, "deep/two/two.cu"): (access("/x", 1, bad),),
    }
    flags = [OriginalFlag("one", "main.cu", 4, 5, "k", "load", 4, "*>1", True, True, True)]
    return {str(line.place): line for line in compare(suite, ours, flags, Mode.INTRA, True)}


def test_flags_that_only_we_raise(tmp_path: Path) -> None:
    lines = compared(tmp_path)
    assert {place: line.cause for place, line in lines.items()} == {
        "one/main.cu:2": Cause.CALLEE,
        "one/main.cu:3": Cause.UNEXPLAINED,
        "one/main.cu:4": None,
        "deep/two/two.cu:1": Cause.UNSET,
    }
    assert [str(line.place) for line in unexplained(lines.values())] == ["one/main.cu:3"]


def test_sites_are_columns_and_kinds(tmp_path: Path) -> None:
    line = compared(tmp_path)["one/main.cu:4"]
    assert line.its_sites == line.our_sites == {(5, "load")}


def test_the_command_fails_on_what_it_cannot_explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_checkout(tmp_path)
    table = tmp_path / "flags.csv"
    confirmed = tmp_path / "dynamic.csv"
    confirmed.write_text(f"{AUTHORS_COLUMNS}\none,main.cu,5,3,rows,load,yes,x,2.0,10,2,2\n")
    fixed = ["compare-original", "--home", str(tmp_path), "--manifest", str(path)]
    fixed += ["--program", "one", "--truth", str(table), "--confirmed", str(confirmed)]

    # Line 9 is flagged by us as well; line 10 of ours is missing from the table.
    row = "one,main.cu,{},{},columns,{},4,*>1,yes,both\n"
    header = "one,include/scale.h,2,14,scale,load,4,*>1,yes,both\n"
    table.write_text(f"{ORIGINAL_COLUMNS}\n{row.format(10, 14, 'store')}{header}")
    assert main(fixed) == 0
    table.write_text(f"{ORIGINAL_COLUMNS}\n{header}one,main.cu,5,5,rows,load,4,*1,yes,both\n")
    assert main(fixed) == 1
    shown = capsys.readouterr().out
    assert "unexplained: one/main.cu:5 (original)" in shown
    assert "unexplained: one/main.cu:10 (ours)" in shown
    assert "confirmed dynamically, not flagged by us:\n  one/main.cu:5: unexplained" in shown
