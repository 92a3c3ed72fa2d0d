"""Scratch rows kept in local memory: only where the host does not look at them, and as unsafe."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.units import after, offers
from tests.warm_cli import main

NAME = "keep-scratch-local"
SOURCE = """#include <cstdio>
#define N 24
__device__ float total(float* row, float x) {
  for (int i = 0; i < N; i++) row[i] = x * i;
  float s = 0;
  for (int i = 0; i < N; i++) s += row[N - 1 - i];
  return s;
}
__global__ void k(float* out, float* rows, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;  // one row each
  int start = tid * N;
  float s = total(&rows[start], tid);
  rows[start + 3] = s;
  out[tid] = rows[start + n] + s;
}
int main() {
  float *out, h[128];
  float* rows;
  cudaMalloc(&out, sizeof h);
  cudaMalloc((void**)&rows, 128 * N * sizeof(float));
  k<<<2, 64>>>(out, rows, 3);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (float x : h) printf("%g\\n", x);
  cudaFree(rows);
}
"""
FIXED = (
    SOURCE.replace("int n) {\n", "int n) {\n  float rows_own[24];\n")
    .replace("&rows[start]", "rows_own")
    .replace("rows[start + ", "rows_own[")
)


def test_rows_of_a_thread() -> None:
    (offer, *_) = offers(SOURCE, NAME)
    assert not offer.fix.safe
    assert "writes its elements of rows before it reads them" in offer.fix.unproved
    assert after(SOURCE) == SOURCE
    assert after(SOURCE, unsafe=True) == FIXED


def test_both_versions_agree_when_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    assert main(["fix", "k.cu", "--unsafe-fixes", "--verify", "-q"]) == 0
    assert path.read_text() == FIXED
    # A row that the thread before has written is not there any more.
    wrong = SOURCE.replace("  float s = total", "  float x = rows[start + n];\n  float s = total")
    wrong = wrong.replace("k<<<2, 64>>>(out, rows, 3);", "k<<<2, 64>>>(out, rows, 3);" * 2)
    wrong = wrong.replace("+ s;\n}", "+ s + x;\n}")
    path.write_text(wrong)
    assert main(["fix", "k.cu", "--unsafe-fixes", "--verify", "-q"]) == 2
    assert path.read_text() == wrong
    assert "nothing was changed" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  cudaFree(rows);", "  cudaMemcpy(h, rows, 4, cudaMemcpyDeviceToHost);"),
        ("  cudaFree(rows);", "  cudaMemset(rows, 0, 4);"),
        ("  cudaFree(rows);", "  float* other = rows;"),
        ("(out, rows, 3);", "(out, rows, 3); k<<<2, 32>>>(out, rows, 3);"),
        ("(out, rows, 3);", "(out, rows + 1, 3);"),
        ("rows[start + n]", "rows[n]"),
        ("rows[start + n]", "rows[tid * 2 * N]"),
        ("rows[start + n]", "*rows"),
        ("int start = tid * N;", "int start = tid * n;"),
        ("int start = tid * N;", "int start = threadIdx.x * N;"),
        ("#define N 24", "#define N 5000"),
        ("float* rows, int", "const float* rows, int"),
        ("2, 64>>>", "2, dim3(32, 2)>>>"),
    ],
)
def test_not_where_others_may_see_the_rows(old: str, new: str) -> None:
    assert old in SOURCE
    changed = SOURCE.replace(old, new)
    if "const" in new:
        changed = changed.replace("  rows[start + 3] = s;\n", "").replace(
            "float* row,", "const float* row,"
        )
        changed = changed.replace("row[i] = x * i", "x += i")
    assert offers(changed, NAME) == []
