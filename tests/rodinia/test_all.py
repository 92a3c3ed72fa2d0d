"""``python -m rodinia all`` on a suite of one program of our own: from nothing to the page."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rodinia.__main__ import main
from tests.rodinia.test_run import SOURCE

MANIFEST = """\
[suite]
name = "Ours"
url = "https://example.org/suite"
commit = "0123456789012345678901234567890123456789"
cuda_dir = "cuda"
licence = "none"

[paper]
programs = 1
analysed = 1
real = 2
static = 2
static_tid_y = 2
static_tid_y_more_false_positives = 0
missed_second_dimension = 0
missed_alignment = 0
missed_conditional = 0

[[programs]]
name = "scale"
directory = "scale"
units = [{ path = "scale.cu" }]
[[programs.runs]]
name = "scale"
sources = ["scale.cu"]
inputs = ["graph.txt"]
arguments = ["x"]

[[programs]]
name = "gone"
directory = "gone"
units = [{ path = "gone.cu" }]
[[programs.runs]]
name = "gone"
sources = ["gone.cu"]
arguments = []
"""


def test_from_nothing_to_the_page_and_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "home" / "cuda" / "scale"
    folder.mkdir(parents=True)
    (folder / "scale.cu").write_text(SOURCE)
    (tmp_path / "manifest.toml").write_text(MANIFEST)
    arguments = [
        "all", "--home", str(tmp_path / "home"), "--manifest", str(tmp_path / "manifest.toml"),
        "--work", str(tmp_path / "work"), "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main(arguments) == 2  # one program is not there, which stops nothing
    assert "gone" in capsys.readouterr().out
    page = (tmp_path / "out" / "rodinia.md").read_text()
    assert "1 of 2 runs" in page
    assert "| warp | 100.0 % | 100.0 % | 1 | 1 | 0 |" in page
    rows = list(csv.DictReader((tmp_path / "out" / "table.csv").open()))
    assert [row["program"] for row in rows] == ["scale", "gone", "total"]
    assert rows[0]["real"] == "1"
    assert rows[0]["warp: found / false / missed"] == "1 / 0 / 0"
    assert "gone.cu" in rows[1]["remarks"]
    assert "<td>scale</td>" in (tmp_path / "out" / "table.html").read_text()
    pictures = sorted(path.name for path in (tmp_path / "out" / "plots").iterdir())
    assert pictures == [
        f"{name}.{kind}" for name in ("accuracy", "seconds", "sectors") for kind in ("png", "svg")
    ]
    assert main(arguments) == 2

    def figures(text: str) -> list[str]:
        return [line for line in text.splitlines() if "scale |" not in line and "total" not in line]

    assert figures((tmp_path / "out" / "rodinia.md").read_text()) == figures(page)


def test_fetch_refuses_a_directory_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["fetch", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("is there already\n")
