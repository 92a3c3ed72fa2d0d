"""The harness end to end: the real analysis on a small checkout of our own kernels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rodinia.__main__ import main
from rodinia.measured import truth
from tests.rodinia.samples import (
    AUTHORS_COLUMNS,
    ORIGINAL_COLUMNS,
    hardware_text,
    write_checkout,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_checkout(tmp_path)
    return tmp_path


def command(home: Path, name: str, *more: str) -> list[str]:
    return [name, "--home", str(home), "--manifest", str(home / "manifest.toml"), *more]


def write_truth(home: Path) -> Path:
    directory = home / "truth"
    directory.mkdir()
    # Lines 5 (rows) and 10 (columns, stride 2) of main.cu; line 2 of the header, stride unknown.
    (directory / truth.HARDWARE_FILE).write_text(
        hardware_text(
            ("one/main.cu", 5, "rows", "load", 4, "64x1x1", 16, 512, 64, 64),
            ("one/main.cu", 5, "rows", "store", 4, "64x1x1", 16, 512, 64, 64),
            ("one/main.cu", 10, "columns", "store", 4, "64x1x1", 16, 512, 128, 64),
            ("one/include/scale.h", 2, "columns", "load", 4, "64x1x1", 16, 512, 512, 64),
        )
    )
    (directory / truth.ORIGINAL_FILE).write_text(
        f"{ORIGINAL_COLUMNS}\n"
        "one,main.cu,10,3,columns,store,4,*>1,yes,both\n"
        "one,main.cu,5,3,rows,store,4,*>1,yes,inter\n"
    )
    (directory / truth.AUTHORS_FILE).write_text(
        f"{AUTHORS_COLUMNS}\n"
        "one,main.cu,10,3,columns,store,yes,small,2.0,16,2,2\n"
        "one,main.cu,5,3,rows,store,yes,small,1.0,16,1,1\n"
    )
    return directory


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def test_check_counts_units_kernels_and_accesses(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = home / "check.json"
    assert main(command(home, "check", "--json", str(figures))) == 0
    out = capsys.readouterr().out
    assert "3/3 units" in out
    total = read(figures)["total"]
    assert (total["units"], total["compiled"], total["kernels"]) == (3, 3, 4)
    # rows: load, store; columns: load, two stores; more: a store; two: a store.
    assert total["global_accesses"] == 7
    assert total["findings"] >= 3
    assert total["seconds"]["clang"] > 0


def test_a_unit_that_fails_is_in_the_table_and_the_others_go_on(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "cuda/deep/two/two.cu").unlink()
    (home / "cuda/one/main.cu").write_text("__global__ void rows( {\n")
    figures = home / "check.json"
    assert main(command(home, "check", "--json", str(figures))) == 2
    out = capsys.readouterr().out
    assert "two: " in out
    assert "no such file in the checkout" in out
    assert "main.cu:1:" in out
    one, two = read(figures)["programs"]
    assert (one["compiled"], one["units"], one["kernels"]) == (1, 2, 1)
    assert (two["compiled"], two["units"]) == (0, 1)
    assert [failure["unit"] for failure in two["failures"]] == ["two.cu"]


def test_several_processes_give_the_same_figures(home: Path) -> None:
    tables = []
    for jobs in ("1", "2"):
        figures = home / f"{jobs}.json"
        assert main(command(home, "check", "-j", jobs, "--json", str(figures))) == 0
        data = read(figures)
        for row in [*data["programs"], data["total"]]:
            del row["seconds"]
        tables.append((data["programs"], data["total"]))
    assert tables[0] == tables[1]


def test_score_of_both_domains(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = write_truth(home)
    figures = home / "score.json"
    arguments = command(home, "score", "--truth", str(directory), "--json", str(figures))
    assert main(arguments) == 0
    out = capsys.readouterr().out
    for name in ("warp", "gpudrano", "original, intra", "original, inter"):
        assert name in out
    analyses = read(figures)["analyses"]
    for name in ("warp", "gpudrano"):
        hardware = analyses[name]["hardware"]
        assert (hardware["lines"], hardware["uncoalesced"], hardware["coalesced"]) == (3, 2, 1)
        assert (hardware["recall"], hardware["precision"]) == (1.0, 1.0)
        assert analyses[name]["authors"]["aligned"]["found"] == 1
    assert analyses["original, intra"]["hardware"]["recall"] == 0.5
    assert analyses["original, inter"]["hardware"]["precision"] == 0.5
    requests = {(row["line"], row["kind"]): row["match"] for row in analyses["warp"]["requests"]}
    assert requests[5, "load"] == requests[5, "store"] == requests[10, "store"] == "strict"


def test_lists_show_source_measurement_and_reason(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = home / "wrong"
    directory.mkdir()
    (directory / "h.csv").write_text(
        hardware_text(
            ("one/main.cu", 5, "rows", "load", 4, "64x1x1", 16, 512, 512, 64),
            ("one/main.cu", 10, "columns", "store", 4, "64x1x1", 16, 512, 64, 64),
        )
    )
    for kind, place in (
        ("fn", "one/main.cu:5"),
        ("fp", "one/main.cu:10"),
        ("inexact", "main.cu:5"),
    ):
        arguments = command(home, "score", "--truth", str(directory / "h.csv"), "--domain", "warp")
        assert main([*arguments, "--list", kind]) == 0
        out = capsys.readouterr().out.split(f", {kind}: ")[1]
        assert place in out
        assert "ours: column" in out
        assert "out[i" in out


def test_findings_by_rule(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = home / "wrong"
    directory.mkdir()
    rows = [
        ("one/include/scale.h", 2, "columns", "load", 4, "64x1x1", 16, 512, 512, 64),
        ("one/main.cu", 10, "columns", "store", 4, "64x1x1", 16, 512, 64, 64),
    ]
    (directory / "h.csv").write_text(hardware_text(*rows))
    figures = home / "rules.json"
    arguments = command(home, "rules", "--truth", str(directory / "h.csv"), "--list")
    assert main([*arguments, "--json", str(figures)]) == 0
    assert "DRN001 false alarm: one/main.cu:10" in capsys.readouterr().out
    found = read(figures)
    assert (found["DRN004"]["right"], found["DRN004"]["false_alarms"]) == (1, [])
    assert found["DRN001"]["findings"] == 2  # the other was not measured


def test_compare_with_the_original(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = write_truth(home)
    figures = home / "compare.json"
    arguments = command(home, "compare-original", "--truth", str(directory))
    # main.cu:5 is flagged in the table and clean here: nothing explains that.
    assert main([*arguments, "--mode", "inter", "--list", "--json", str(figures)]) == 1
    out = capsys.readouterr().out
    assert "one/main.cu:5 [dynamic: one line]" in out
    assert "original: column 3 store rows index *>1, 4 bytes" in out
    total = read(figures)["total"]
    assert (total["both"], total["only_original"]) == (1, 1)
    assert (total["original_confirmed"], total["confirmed_both"]) == (1, 1)
    ours = [row for row in read(figures)["lines"] if row["flagged_by"] == "ours"]
    assert [(row["file"], row["line"]) for row in ours] == [("one/include/scale.h", 2)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--home", "{home}/none"], "no such directory"),
        (["check", "--home", "{home}/truth"], "no cuda/ in it"),
        (["check", "--home", "{home}", "--program", "six"], "no program 'six'"),
        (["check", "--home", "{home}", "--manifest", "{home}/cuda"], "Is a directory"),
        (["score", "--home", "{home}", "--truth", "{home}/none"], "No such file"),
        (["score", "--home", "{home}", "--truth", "{home}/manifest.toml"], "no column"),
        (["compare-original", "--home", "{home}", "--truth", "{home}/cuda"], "No such file"),
    ],
)
def test_bad_input_is_one_clear_line(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    write_truth(home)
    filled = [argument.format(home=home) for argument in arguments]
    if "--manifest" not in filled:
        filled += ["--manifest", str(home / "manifest.toml")]
    assert main(filled) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("rodinia: error: ")
    assert message in line


def test_jobs_must_be_a_number(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(command(home, "check", "-j", "many"))
    assert caught.value.code == 2
    assert "no number of processes" in capsys.readouterr().err
