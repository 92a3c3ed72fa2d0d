"""``python -m rodinia all`` on a suite of one program of our own: from nothing to the page."""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import sys
import time
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
    assert [row["program"] for row in rows] == [
        "scale", "gone", "total", "the paper's total",
    ]  # fmt: skip
    assert rows[0]["real"] == "1"
    assert rows[0]["warp: found / false / missed"] == "1 / 0 / 0"
    assert "gone.cu" in rows[1]["remarks"]
    assert "<td>scale</td>" in (tmp_path / "out" / "table.html").read_text()
    pictures = sorted(path.name for path in (tmp_path / "out" / "plots").iterdir())
    assert pictures == [
        f"{name}.{kind}" for name in ("accuracy", "seconds", "sectors") for kind in ("png", "svg")
    ]
    elsewhere = tmp_path / "new" / "page.md"  # in a folder that is not there yet
    assert main([*arguments, "--page", str(elsewhere)]) == 2

    def figures(text: str) -> list[str]:
        timed = ("scale |", "total", " ok |")
        return [line for line in text.splitlines() if not any(word in line for word in timed)]

    again = elsewhere.read_text().replace("(../out/plots/", "(plots/")
    assert figures(again) == figures(page)


def _suite(place: Path) -> list[str]:
    folder = place / "home" / "cuda" / "scale"
    folder.mkdir(parents=True)
    (folder / "scale.cu").write_text(SOURCE)
    (place / "manifest.toml").write_text(MANIFEST)
    git = place / "home" / ".git"
    git.mkdir()
    (git / "HEAD").write_text("f" * 40 + "\n")
    return [
        "all", "--home", str(place / "home"), "--manifest", str(place / "manifest.toml"),
        "--work", str(place / "work"), "--out", str(place / "out"),
    ]  # fmt: skip


def _page(place: Path) -> str:
    """The page without the seconds that things took."""
    text = (place / "out" / "rodinia.md").read_text()
    return re.sub(r"\| \d+\.\d (?=\|)", "| s ", text).replace(str(place), "")


def test_killed_and_resumed_gives_the_same_page_of_a_different_checkout(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(_suite(whole)) == 2
    arguments = _suite(killed)
    process = subprocess.Popen(
        [sys.executable, "-m", "rodinia", *arguments], start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    result = killed / "work" / "runs" / "small" / "scale" / "result.json"
    while not result.is_file() and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert result.is_file()
    assert not (killed / "out").exists()
    before = result.stat().st_mtime_ns
    assert main(arguments) == 2
    assert result.stat().st_mtime_ns == before  # not run again
    assert _page(killed) == _page(whole)
    assert "is at commit ffffffffffff, the manifest speaks of 012345678901" in _page(whole)
    assert "no input" not in _page(whole)


def test_a_missing_input_is_told_and_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = _suite(tmp_path)
    (tmp_path / "manifest.toml").write_text(MANIFEST.replace("graph.txt", "none.txt"))
    assert main(arguments) == 2
    assert "no input 'none.txt'" in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "out" / "table.csv").open()))
    assert rows[0]["remarks"] == "scale: no input 'none.txt'"
    assert "gone.cu" in rows[1]["remarks"]


def test_fetch_refuses_a_directory_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["fetch", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("is there already\n")
