"""Kernels that are still the same are not analysed again, and what is said of them is what an
analysis from nothing says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drano.analysis import kernels
from drano.analysis.incremental.reanalysis import Edited, analyse_again
from drano.analysis.incremental.remembered import KernelMemory
from drano.analysis.warp import WarpState, interpret
from drano.frontend.clang import compile_unit
from drano.model.report import FileReport, FileStatus
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.pipeline import Memory, analyse_unit
from tests.conftest import ROOT

SOURCE = """#include "pitch.h"
struct Point { float x, y; };
__device__ float get(const Point* p, int i) { return p[i].x; }
__global__ void column(float* a, int n) {
  int row = threadIdx.x;
  for (int j = 0; j < n; j++)
    a[row * PITCH + j] = 0;
}
__global__ void fields(const Point* p, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = get(p, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.y][0];
}
__global__ void waits(float* a) {
  if (threadIdx.x < 7) __syncthreads();
  a[threadIdx.x] = 0;
}
int main() { column<<<1, 64>>>(nullptr, 4); }
"""
HEADER = "#define PITCH 40\n"


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Functions that were interpreted, in that order."""
    names: list[str] = []

    def noting(state: WarpState) -> WarpState:
        names.append(state.function.source_name)
        return interpret(state)

    monkeypatch.setattr(kernels, "interpret", noting)
    yield names


class Editor:
    """A file that is analysed after each change, with a memory and without."""

    def __init__(self, directory: Path, text: str, *, memory: Memory | None = None) -> None:
        self.path = directory / "a.cu"
        (directory / "pitch.h").write_text(HEADER)
        self.text = text
        self.memory = memory or Memory()

    def analyse(self, options: AnalysisOptions = AnalysisOptions()) -> FileReport:  # noqa: B008
        self.path.write_text(self.text)
        return analyse_unit(str(self.path), Config(analysis=options), self.text, memory=self.memory)

    def replace(self, old: str, new: str) -> None:
        assert self.text.count(old) == 1
        self.text = self.text.replace(old, new)


def fresh(editor: Editor) -> FileReport:
    return analyse_unit(str(editor.path), Config(), editor.text)


def same(one: FileReport, other: FileReport) -> bool:
    return (one.kernels, one.accesses, one.findings) == (
        other.kernels, other.accesses, other.findings,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("struct Point", "// a line more\nstruct Point", []),
        ("int row = threadIdx.x;", "int row =\n      threadIdx.x;", ["column"]),
        ("int row = threadIdx.x;", "int row = threadIdx.x + 1;", ["column"]),
        ("float x, y", "float x, y, z", ["column", "fields", "waits"]),
        ("p[i].x", "p[i + 1].x", ["fields"]),
        ("<<<1, 64>>>", "<<<1, dim3(8, 8)>>>", ["column"]),
        ("int main", "// host code\nint main", []),
        ("{ column", "{ int more = 1; column", []),
        ("int row =", "int unused = 0;\n  int row =", []),
        ("", "", []),
    ],
)
def test_only_what_changed_is_analysed(
    tmp_path: Path, analysed: list[str], old: str, new: str, again: list[str]
) -> None:
    editor = Editor(tmp_path, SOURCE)
    editor.analyse()
    analysed.clear()
    if old:
        editor.replace(old, new)
    report = editor.analyse()
    found, expected = list(analysed), fresh(editor)
    assert same(report, expected)
    assert sorted(set(found)) == again


def test_a_header_options_and_a_broken_state_in_between(
    tmp_path: Path, analysed: list[str]
) -> None:
    editor = Editor(tmp_path, SOURCE)
    editor.analyse()
    (tmp_path / "pitch.h").write_text("#define PITCH 32\n")
    analysed.clear()
    report = editor.analyse()
    assert "column" in analysed
    assert same(report, fresh(editor))

    editor.replace("int row = threadIdx.x;", "int row = ;")
    assert editor.analyse().status is FileStatus.ERROR
    editor.replace("int row = ;", "int row = threadIdx.x;")
    analysed.clear()
    assert same(editor.analyse(), report)
    assert not analysed

    editor.analyse(AnalysisOptions(pointer_alignment=4))
    assert set(analysed) == {"column", "fields", "waits"}


HELPERS = """#include "helpers.h"
__global__ void k(float* a) { a[high(threadIdx.x) + low(3)] = 0; }
"""


@pytest.mark.parametrize(
    ("where", "preamble", "again"),
    [("helpers.h", True, False), ("helpers.h", False, True), ("a.cu", True, True)],
)
def test_functions_in_another_order(
    tmp_path: Path, analysed: list[str], where: str, preamble: bool, again: bool
) -> None:
    """Included ones come in another order when clang has read a precompiled header."""
    path = tmp_path / "a.cu"
    path.write_text(HELPERS)
    (tmp_path / "helpers.h").write_text("")
    helpers = """
__device__ int low(int i) { return i > 7 ? 2 * i : i; }
__device__ int high(int i) { for (int k = 0; k < i; k++) i += low(k); return 4 * low(i); }
"""
    text = (tmp_path / where).read_text()
    (tmp_path / where).write_text(helpers + text)
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None
    functions = re.findall(r"^define .*?^}\n", unit.ir, re.MULTILINE | re.DOTALL)
    turned = iter(functions[::-1])
    other = re.sub(
        r"^define .*?^}\n", lambda _: next(turned), unit.ir, flags=re.MULTILINE | re.DOTALL
    )
    assert other != unit.ir
    memory, options = KernelMemory(), AnalysisOptions(view=View.WRITTEN)
    before = analyse_again(Edited(unit.ir, str(path), (), options), memory, [])
    edited = Edited(other, str(path), (), options, preamble)
    assert analyse_again(edited, memory, []) == before
    assert analysed == ["k"] * (1 + again)


def test_random_edits_of_real_kernels(tmp_path: Path) -> None:
    """Lines come, go and are swapped; whatever still compiles is said as if nothing were known."""
    random_ = random.Random(7)
    memory, compared = Memory(), 0
    for example in sorted((ROOT / "examples").glob("*.cu"))[:4]:
        editor = Editor(tmp_path, example.read_text(), memory=memory)
        editor.analyse()
        for _ in range(2):
            lines = editor.text.split("\n")
            at = random_.randrange(len(lines))
            edit = random_.choice(("insert", "delete", "swap"))
            if edit == "insert":
                lines.insert(at, random_.choice(("", "// words", "#define LATER 1")))
            elif edit == "delete":
                del lines[at]
            else:
                other = min(at + 1, len(lines) - 1)
                lines[at], lines[other] = lines[other], lines[at]
            before, editor.text = editor.text, "\n".join(lines)
            report = editor.analyse()
            if report.status is FileStatus.OK:
                assert same(report, fresh(editor))
                compared += 1
            else:
                editor.text = before
    assert compared >= 5


def test_where_a_pointer_comes_from_is_a_matter_of_the_whole_module(
    tmp_path: Path, analysed: list[str]
) -> None:
    editor = Editor(
        tmp_path,
        """__device__ float* where;
__global__ void sets(float* a) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
  where = a;
}
__global__ void uses() { where[threadIdx.x] = 0; }
__global__ void other(float* a) { a[threadIdx.x] = 0; }
""",
    )
    before = editor.analyse()
    analysed.clear()
    editor.replace("where = a;", "where = s;")
    after = editor.analyse()
    assert sorted(set(analysed)) == ["sets", "uses"]
    assert same(after, fresh(editor))
    assert before.accesses[-2].judgement.space != after.accesses[-2].judgement.space
