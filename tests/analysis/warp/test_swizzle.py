"""The advice to permute columns: following it removes the conflict, and it is given only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.settings import Config
from drano.run.driver import check_unit

KERNEL = """
__global__ void k(float* out, const float* in, int n) {
  __shared__ float tile[ROWS][COLUMNS];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][AT(x, y)] = in[COLUMNS * y + x];
  __syncthreads();
  float sum = tile[x][AT(y, x)];
  for (int i = 0; i < COLUMNS; i++) sum += tile[x][AT(i, x)];
  MORE
  out[COLUMNS * y + x] = sum;
}
void run(float* out, const float* in, int n) { k<<<1, dim3(COLUMNS, ROWS)>>>(out, in, n); }
"""


def fixes(directory: Path, columns: int, at: str, more: str = "") -> list[str]:
    path = directory / "a.cu"
    macros = f"#define AT(x, y) ({at})\n#define ROWS {columns}\n#define COLUMNS {columns}\n"
    path.write_text(macros + KERNEL.replace("MORE", more))
    report = check_unit(str(path), Config(select=("DRN101",)))
    return [finding.help for finding in report.findings]


@pytest.mark.parametrize("columns", [32, 16])
def test_following_the_advice_removes_the_conflict(tmp_path: Path, columns: int) -> None:
    before = fixes(tmp_path, columns, "x")
    assert len(before) == 2
    assert all("swizzle the columns: use `tile[y][x ^ y]` for" in fix for fix in before)
    assert fixes(tmp_path, columns, "(x) ^ (y)") == []


@pytest.mark.parametrize(
    "more",
    [
        "sum += tile[x][31 - x];",  # a diagonal: the permutation would make it one column
        "sum += tile[x][(int)in[x] & 31];",  # where, memory decides
        "float* p = &tile[0][0]; sum += p[x * n];",  # rows and columns are not known
    ],
)
def test_no_advice_that_another_access_would_suffer_from(tmp_path: Path, more: str) -> None:
    assert not any("permute" in fix for fix in fixes(tmp_path, 32, "x", more))
