"""Comments that silence what is there."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.triage import add_ignores
from drano.triage.add_ignores import with_ignores
from tests.conftest import Run

SOURCE = """\
#include "part.cuh"
#define AT(a) \\
  a[2 * threadIdx.x] = 1
__global__ void k(float* a, float* b) {
  a[2 * threadIdx.x] = b[3 * threadIdx.x];
  b[4 * threadIdx.x] = 0;  // drano: ignore[DRN004] not this
  twice(a);
}
"""
PART = "__device__ void twice(float* a) { a[5 * threadIdx.x] = 0; }\r\n"


@pytest.mark.parametrize(
    ("line", "codes", "after"),
    [
        ("a[i];", ["DRN001"], "a[i];  // drano: ignore[DRN001] old"),
        ("a[i];  ", ["DRN004", "DRN001"], "a[i];  // drano: ignore[DRN001,DRN004] old"),
        ("a[i];\r", ["DRN001"], "a[i];  // drano: ignore[DRN001] old\r"),
        (
            "a[i]; // drano: ignore[DRN003] x",
            ["DRN001"],
            "a[i]; // drano: ignore[DRN003,DRN001] x",
        ),
        ("a[i]; // drano: ignore[DRN001] x", ["DRN001"], "a[i]; // drano: ignore[DRN001] x"),
    ],
)
def test_lines(line: str, codes: list[str], after: str) -> None:
    found = with_ignores(f"{line}\nx;".encode(), {1: codes}, "old")
    assert (found.content.decode(), found.silenced, found.left) == (f"{after}\nx;", len(codes), 0)


@pytest.mark.parametrize(
    "text", ["a[i] \\\n+ 1;", "a[i]; /* from\nto */", 'a[i] = R"(\n)";', "", "x;"]
)
def test_lines_that_take_no_comment_are_left(text: str) -> None:
    line = 1 if "\n" in text else 9
    found = with_ignores(text.encode(), {line: ["DRN001"]}, "old")
    assert (found.content, found.silenced, found.left) == (text.encode(), 0, 1)


def test_a_reason_ends_no_line() -> None:
    found = with_ignores(b"a[i];\nb;", {1: ["DRN001"]}, "one\ntwo \\")
    assert found.content == b"a[i];  // drano: ignore[DRN001] one two \nb;"


def test_through_the_command_line(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "part.cuh").write_bytes(PART.encode())
    before = drano("check", "a.cu")
    assert before.status == 1
    done = drano("check", "--add-ignore", "legacy code", "a.cu")
    assert (done.status, done.stdout) == (0, "Ignored 4 findings.\n")
    lines = (tmp_path / "a.cu").read_text().splitlines()
    assert lines[4].endswith("= b[3 * threadIdx.x];  // drano: ignore[DRN001] legacy code")
    assert lines[5].endswith("// drano: ignore[DRN004,DRN001] not this")
    assert (tmp_path / "part.cuh").read_bytes().endswith(b"ignore[DRN001] legacy code\r\n")
    after = drano("check", "--ignore", "DRN901", "a.cu")
    assert (after.status, after.stdout.split(":")[0]) == (0, "No findings, 4 suppressed")


def test_doctests() -> None:
    assert doctest.testmod(add_ignores).failed == 0
