"""Lanes beyond one bound or beyond another: at a border few lanes are on, far from each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.judgement import Active, Verdict
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.driver import check

SOURCE = """
__global__ void border(double (*f)[400][400]) {
  unsigned z = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned x = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 399 && y < 399 && z < 399 && x > 0 && y > 0 && z > 0)
    f[x][y][z] = 1;
  else
    f[x][y][z] = 0;
}
__global__ void ends(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = 1;
  else
    out[i] = 2;
}
__global__ void nested(float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || i < m)
    out[i] = 1;
  else
    out[i] = 2;
}
__global__ void columns(float *f, int n) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (threadIdx.x > 0 && y < n)
    f[y * 4096 + x] = 1;
  else
    f[y * 4096 + x] = 2;
}
__global__ void columns_or_all(float *f, int n) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (threadIdx.x > 0 && n > 5)
    f[y * 4096 + x] = 1;
  else
    f[y * 4096 + x] = 2;
}
void run(double (*f)[400][400], float *a, int n, int m) {
  columns<<<dim3(8, 8), dim3(8, 8)>>>(a, n);
  columns_or_all<<<dim3(8, 8), dim3(8, 8)>>>(a, n);
  border<<<dim3(50, 50, 100), dim3(8, 8, 4)>>>(f);
  ends<<<n / 256, 256>>>(a, n);
  nested<<<n / 256, 256>>>(a, n, m);
}
"""


@pytest.mark.parametrize("view", View)
def test_what_is_outside_of_two_bounds_is_no_run(tmp_path: Path, view: View) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    by_kernel: dict[str, list[Verdict]] = {}
    config = Config(analysis=AnalysisOptions(view=view))
    for access in check([str(path)], config).files[0].accesses:
        by_kernel.setdefault(access.kernel, []).append(access.judgement.verdict)
        if access.judgement.verdict is Verdict.UNKNOWN:
            assert access.judgement.active is Active.OTHER
    good, unknown = Verdict.COALESCED, Verdict.UNKNOWN
    # As written, lanes come from the one test or from the other.
    nested = [good if view is View.COMPILED else unknown, good]
    assert by_kernel == {
        "border": [good, unknown], "ends": [good, unknown], "nested": nested,
        "columns": [good, unknown], "columns_or_all": [good, unknown],
    }  # fmt: skip


def test_two_bounds_of_numbers_that_may_wrap_around_are_a_border(tmp_path: Path) -> None:
    """``a || b``, which LLVM makes a choice of; of 64 bits there are no wider numbers to read."""
    path = tmp_path / "a.cu"
    path.write_text("""
__global__ void k(float* v, long long x0, long long x1, long long y0, long long y1, int pitch) {
  long long x = x0 + blockIdx.x * blockDim.x + threadIdx.x;
  long long y = y0 + blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= y1 || x >= x1) return;
  v[y * pitch + x] = 1;
}
void run(float* v, long long n, int p) { k<<<dim3(n, n), dim3(8, 8)>>>(v, n, n, n, n, p); }
""")
    (access,) = check([str(path)], Config()).files[0].accesses
    assert access.judgement.verdict is Verdict.COALESCED
    assert access.judgement.condition == "x0 % 8 == 0 and pitch % 8 == 0"
