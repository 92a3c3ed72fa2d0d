"""Nsight Compute's source page: read, beside our own counts, and refused when it is something else.

``ncu_patterns.csv`` is the page of programs/patterns.cu, measured on an H200 (nvcc 13.0 -O3), with
three of its kernels and the columns that are read.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from drano.dynamic.profiles.nsight_compute import HardwareLines, read_ncu
from drano.dynamic.profiles.profile import ProfileError, read_profile
from tests.conftest import Run

PAGE = Path(__file__).parents[1] / "ncu_patterns.csv"
STALLS = PAGE.with_name("ncu_stalls.csv")


def test_accesses_become_sites() -> None:
    profile = read_ncu(str(PAGE))
    rows = {(s.line, s.kind, s.space): s for s in profile.sites}
    gather = rows[19, "load", "global"]
    assert (gather.executions, gather.active_lanes, gather.bytes) == (939, 30_000, 4)
    assert (gather.lines, gather.sectors, gather.sectors_ideal) == (10_126, 12_363, 3_750)
    atomics = {s.space: s.executions for s in profile.sites if s.kind == "atomic"}
    assert atomics["shared"] == 313
    assert atomics["global"] > 0
    assert rows[57, "load", "shared"].shared_executions == 40


def test_launches_of_a_kernel_add_up() -> None:
    profile = read_ncu(str(PAGE))
    assert {k.name.partition("(")[0]: k.launches for k in profile.kernels} == {
        "straight": 2,
        "scattered": 1,
        "atomics": 1,
    }
    store = next(s for s in profile.sites if s.line == 9 and s.kind == "store")
    assert store.sectors == store.sectors_ideal == 2 * 1250


def test_a_kernel_without_accesses_has_none_of_their_columns(tmp_path: Path) -> None:
    page = tmp_path / "page.csv"
    page.write_text(
        PAGE.read_text()
        + '"File Path","/home/user/empty.cu"\n"Function Name","nothing()"\n'
        + '"Line No","Source","Address","Source","Instructions Executed"\n'
        + '"3","__global__ void nothing() {}","-","-","2"\n"","","0x7f00","      EXIT","2"\n'
    )
    found, before = read_ncu(str(page)), read_ncu(str(PAGE))
    assert found.sites == before.sites
    assert {k.name for k in found.kernels} - {k.name for k in before.kernels} == {"nothing()"}


@pytest.mark.parametrize("text", ["a = b;\r", "\fint x;", 'f("a");\r', "a\x85b\u2028"])
def test_lines_of_the_source_end_as_they_do(tmp_path: Path, text: str) -> None:
    """With CR LF, ncu leaves the CR in the field of the source."""
    _quoted(tmp_path, text)


@pytest.mark.parametrize("text", ['asm("=r"(a), "=r"(b));', 'f("a","b");', 'g("'])
def test_quotes_of_the_source_are_no_ends_of_fields(tmp_path: Path, text: str) -> None:
    _quoted(tmp_path, text)


def _quoted(tmp_path: Path, text: str) -> None:
    known = STALLS.read_text()
    line = re.search(r'^"19","(.*?)","-"', known, re.MULTILINE)
    assert line is not None
    page = tmp_path / "page.csv"
    page.write_text(known.replace(f'"19","{line[1]}"', f'"19","{text}"'))
    assert read_ncu(str(page)) == read_ncu(str(STALLS))


def test_the_command_writes_a_profile(drano: Run, tmp_path: Path) -> None:
    target = tmp_path / "ncu.json"
    done = drano("profile", "import-ncu", str(PAGE), "-o", str(target))
    assert done.status == 0, done.stderr
    assert read_profile(str(target)).sites == read_ncu(str(PAGE)).sites
    shown = drano("report", str(target), "--ncu", str(PAGE))
    assert shown.status == 0
    assert "ncu sectors" in shown.stdout


def test_files_of_another_machine_are_known_by_their_ends() -> None:
    lines = HardwareLines(read_ncu(str(PAGE)))
    found = lines.at("/elsewhere/patterns.cu", 19)
    assert found is not None
    assert found.sectors == 12_363 + 1_250
    assert lines.at("/elsewhere/other.cu", 19) is None
    assert lines.at("/elsewhere/patterns.cu", 1) is None


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.csv", "", "not a source page"),
        ("other.csv", '"a","b"\n1,2\n', "not a source page"),
        ("short.csv", '"Function Name","k"\n"Line No","Source"\n', "no column 'Address'"),
        ("odd.csv", PAGE.read_text().replace('"32"', '"x"'), "not a source page"),
        ("quote.csv", '"File Path,"\n' + '"' * 200_001, "not a source page"),
    ],
)
def test_what_is_no_page_is_one_line(
    name: str, content: str, reason: str, tmp_path: Path, drano: Run
) -> None:
    path = tmp_path / name
    path.write_text(content)
    done = drano("profile", "import-ncu", str(path))
    assert done.status == 2
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr


def test_a_report_needs_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    (tmp_path / "a.ncu-rep").write_bytes(b"x")
    with pytest.raises(ProfileError, match="--print-source"):
        read_ncu(str(tmp_path / "a.ncu-rep"))


def test_a_missing_file_is_one_line() -> None:
    with pytest.raises(ProfileError, match="No such file"):
        read_ncu("/nowhere/page.csv")
