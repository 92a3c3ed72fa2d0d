"""A suite of one program of our own, built, run and counted; and what goes wrong with others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from rodinia.measured import counted
from rodinia.measured.counted import Counts
from rodinia.measured.lines import Place
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest, Program, Run
from rodinia.programs.run import RunResult, profile_of, results, run_all

SOURCE = """\
#include <cstdio>
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[2 * i] = a[2 * i] + 1;
}
int main(int argc, char** argv) {
  float* a;
  FILE* graph = fopen("graph.txt", "r");
  if (!graph || argc != 2 || cudaMalloc(&a, 4096)) return 3;
  cudaMemset(a, 0, 4096);
  scale<<<4, 64>>>(a, 256);
  return cudaDeviceSynchronize();
}
"""


def suite(tmp_path: Path, *runs: Run) -> tuple[Manifest, Path]:
    cuda = tmp_path / "suite" / "cuda"
    (cuda / "scale").mkdir(parents=True)
    (cuda / "scale" / "scale.cu").write_text(SOURCE)
    (cuda / "scale" / "bad.cu").write_text("int main() { return x; }\n")
    program = Program("scale", "scale", (), runs)
    return Manifest("S", "url", "0" * 40, "cuda", "", (program,)), cuda


GOOD = Run("good", ("scale.cu",), ("big",), ("small",), inputs=("graph.txt",))


def test_programs_run_and_are_counted_once(tmp_path: Path) -> None:
    others = (
        replace(GOOD, name="unbuilt", sources=("bad.cu",)),
        replace(GOOD, name="failing", arguments=(), small=("too", "many")),
    )
    manifest, cuda = suite(tmp_path, GOOD, *others)
    work = tmp_path / "work"
    seen: list[RunResult] = []
    done = run_all(manifest, cuda, work, Size.SMALL, timeout=60, on_run=seen.append)
    assert [result.status for result in done] == [
        "ok", "does not build (status 1)", "fails when run (status 3)",
    ]  # fmt: skip
    assert "undeclared identifier 'x'" in done[1].output
    assert sorted(r.name for r in seen) == ["failing", "good", "unbuilt"]
    profile = profile_of(work, Size.SMALL, "good")
    # 8 warps; 32 lanes 8 bytes apart are 8 sectors for 4, on a load and a store
    assert counted.counts([profile], cuda) == {
        Place("scale/scale.cu", 4): Counts(512, 128, 64, 16, 32)
    }

    marked = json.loads(profile.read_text())
    marked["sites"] = []
    profile.write_text(json.dumps(marked))
    again = run_all(manifest, cuda, work, Size.SMALL, timeout=60)
    assert [r.status for r in again] == [r.status for r in done]
    assert json.loads(profile.read_text())["sites"] == []  # not run again
    assert list(results(manifest, work, Size.SMALL)) == list(again)
    shutil.rmtree(work)


def test_results_are_checked_stubs_found_variables_set(tmp_path: Path) -> None:
    talking = replace(
        GOOD, sources=("talk.cu",), inputs=(), stubs={"GL/none.h": '#define WORD "seen"'}
    )
    runs = (
        replace(talking, name="right", passes="seen (twice|warn)", environment={"HOW": "warn"}),
        replace(talking, name="wrong", passes="seen warn"),
        replace(talking, name="mismatch", fails="seen"),
        replace(talking, name="missing", check="bfs"),
    )
    manifest, cuda = suite(tmp_path, *runs)
    (cuda / "scale" / "talk.cu").write_text(
        "#include <GL/none.h>\n#include <cstdio>\n#include <cstdlib>\n"
        "__global__ void k(int* p) { *p = 1; }\n"
        "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p);\n"
        'std::printf("%s %s\\n", WORD, std::getenv("HOW") ? std::getenv("HOW") : "-");\n'
        "return cudaDeviceSynchronize(); }\n"
    )
    done = run_all(manifest, cuda, tmp_path / "work", Size.SMALL, timeout=60)
    assert [result.status for result in done] == [
        "ok",
        "wrong results: no 'seen warn' was printed",
        "wrong results: 'seen' was printed",
        "wrong results: graph.txt: No such file or directory",
    ]
    assert len(list((tmp_path / "work" / "builds").iterdir())) == 1  # all four are one program
    assert [run.checked_by for run in runs] == ["the program"] * 3 + ["reference"]


def test_a_program_that_does_not_end(tmp_path: Path) -> None:
    manifest, cuda = suite(tmp_path, replace(GOOD, sources=("loop.cu",)))
    (cuda / "scale" / "loop.cu").write_text("int main() { for (volatile int i = 1; i;) {} }\n")
    (result,) = run_all(manifest, cuda, tmp_path / "work", Size.SMALL, timeout=1)
    assert result.status == "fails when run: more than 1 s"


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (Counts(320, 80, 40), Counts(32, 8, 4), (True, True)),
        (Counts(320, 80, 40), Counts(320, 100, 50), (False, True)),
        (Counts(320, 80, 40), Counts(320, 80, 80), (True, False)),
    ],
)
def test_lines_agree_by_thread_and_by_ideal(
    ours: Counts, theirs: Counts, same: tuple[bool, bool]
) -> None:
    pair = counted.Pair(Place("a.cu", 1), ours, theirs)
    assert (pair.same_count, pair.same_ratio) == same
