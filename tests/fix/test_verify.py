"""Two versions of a program, run on the CPU and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.verify.verify import Program, Verified, verify
from tests.warm_cli import main

SOURCE = """#include <cstdio>
#include <ctime>
#include "side.h"
__global__ void k(float* out, const float* in) {
  __shared__ float tile[SIDE][SIDE];
  for (int j = threadIdx.y; j < SIDE; j += 8) tile[j][threadIdx.x] = in[j * SIDE + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < SIDE; j += 8) out[j * SIDE + threadIdx.x] = tile[threadIdx.x][j];
}
int main(int argc, char** argv) {
  static float h[SIDE * SIDE];
  float *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  for (int i = 0; i < SIDE * SIDE; i++) h[i] = 1.f / (i + argc);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, dim3(SIDE, 8)>>>(b, a);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%.9g %s %s\\n", h[5], argv[argc - 1], __FILE__);
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  printf("took %ld\\n", t.tv_nsec);
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "k.cu").write_text(SOURCE)
    (tmp_path / "side.h").write_text("#define SIDE 32\n")
    return tmp_path


def compared(folder: Path, after: str, *, rounds: bool = False) -> Verified:
    path = str(folder / "k.cu")
    program = Program((path,), (), (), ("last",))
    return verify(program, {path: SOURCE.encode()}, {path: after.encode()}, rounds=rounds)


def test_versions_that_agree(folder: Path) -> None:
    found = compared(folder, SOURCE.replace("[SIDE][SIDE]", "[SIDE][SIDE + 1]"))
    assert found.agrees, found.against
    (row,) = found.rows
    assert row.sectors == (256, 256)
    assert row.wavefronts == (32 + 32 * 32, 64)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("1.f / (i + argc)", "1.f / (i + argc + (i == 5 * SIDE))", "line 1 of the output differs"),
        ("1.f / (i + argc)", "1.f / (i + argc + (i == 7))", "memory differs: &a"),
        ("  timespec", '  puts("more");\n  timespec', "prints 4 lines, not 3"),
        ("  __syncthreads();\n", "", "a data race in k on shared (load/store)"),
        ("t.tv_nsec);", "t.tv_nsec);\n  return 3;", "exits with 3, not 0"),
        (
            "tile[threadIdx.x][j];",
            "tile[threadIdx.x][j] + 0 * in[threadIdx.x * 32];",
            "k takes more",
        ),
        ("SIDE * SIDE; i++", "SIDE * SIDE; i--", "the fixed program"),
        ("tile[threadIdx.x][j];", "tile[threadIdx.x][j + SIDE * SIDE];", "a kernel failed"),
        ("int main", "int man", "does not build"),
    ],
)
def test_versions_that_do_not(
    folder: Path, old: str, new: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert old in SOURCE
    found = compared(folder, SOURCE.replace(old, new))
    assert words in "; ".join(found.against)


def test_sums_may_be_rounded_otherwise_where_that_is_said(folder: Path) -> None:
    after = SOURCE.replace("tile[threadIdx.x][j];", "tile[threadIdx.x][j] * 1.000001f;")
    assert compared(folder, after, rounds=True).agrees
    assert not compared(folder, after).agrees
    assert not compared(folder, after.replace("1.000001f", "1.0001f"), rounds=True).agrees


def test_a_program_that_differs_from_run_to_run(folder: Path) -> None:
    after = SOURCE.replace("    h[i]", "h[i]")
    path = str(folder / "k.cu")
    unsteady = SOURCE.replace("1.f / (i + argc)", "clock() + i + t0.tv_nsec").replace(
        "  static", "  timespec t0; clock_gettime(CLOCK_MONOTONIC, &t0);\n  static"
    )
    program = Program((path,), (), (), ("last",))
    found = verify(program, {path: unsteady.encode()}, {path: after.encode()})
    assert found.against == ("the program's own results differ from run to run",)


def test_fixes_that_agree_are_made_where_others_do_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A row that is read before it is written must stay in global memory."""
    monkeypatch.chdir(folder)
    path = folder / "k.cu"
    stale = """__global__ void r(float* out, float* rows) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * 24;
  float old = rows[start + 5];
  for (int i = 0; i < 24; i++) rows[start + i] = old + i;
  float s = 0;
  for (int i = 0; i < 24; i++) s += rows[start + (23 - i)] * i;
  out[threadIdx.x] = s;
}
int main("""
    text = SOURCE.replace("int main(", stale).replace(
        "  k<<<",
        "  float* rows;\n  cudaMalloc(&rows, 24 * 32 * 4);\n"
        "  r<<<1, 32>>>(a, rows);\n  r<<<1, 32>>>(a, rows);\n  k<<<",
    )
    path.write_text(text)
    command = ["fix", "k.cu", "--unsafe-fixes", "--verify", "--", "word"]
    assert main(command) == 0
    said = capfd.readouterr().err
    assert "each fix is now tried by itself" in said
    assert path.read_text() == text.replace("[SIDE][SIDE];", "[SIDE][SIDE + 1];")


def test_nothing_is_written_unless_all_agrees(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    path = folder / "k.cu"
    assert main(["fix", "k.cu", "--verify", "-q", "--", "word"]) == 0
    assert path.read_text() == SOURCE.replace("[SIDE][SIDE]", "[SIDE][SIDE + 1]")
    assert "1056 → 64" in capfd.readouterr().err
    path.write_text(SOURCE.replace("argv[argc - 1]", "argv[argc - 1] + getpid() % 2"))
    noisy = SOURCE.replace("int main", "#include <unistd.h>\nint main").replace(
        "1.f / (i + argc)", "getpid()"
    )
    path.write_text(noisy)
    assert main(["fix", "k.cu", "--verify", "-q"]) == 2
    assert path.read_text() == noisy
    assert "nothing was changed: the program's own results differ" in capfd.readouterr().err
    assert main(["fix", ".", "--verify"]) == 2


def test_contraction_of_products_and_sums_makes_no_difference(folder: Path) -> None:
    """Which product goes into a sum with one rounding is the code generator's choice."""
    one, other = (
        SOURCE.replace("= tile[threadIdx.x][j];", f"= {text};")
        for text in (
            "tile[threadIdx.x][j] * 3 + in[j] * in[j]",
            "in[j] * in[j] + tile[threadIdx.x][j] * 3",
        )
    )
    path = str(folder / "k.cu")
    program = Program((path,), (), (), ("last",))
    found = verify(program, {path: one.encode()}, {path: other.encode()})
    assert found.agrees, found.against
