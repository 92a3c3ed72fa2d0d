"""What is known of a kernel is gone when its accesses are judged, without the garbage collector."""

from __future__ import annotations

import gc
from pathlib import Path

from drano.lattice import Atom
from drano.model.settings import Config
from drano.run.driver import check_unit

KERNEL = """template <int N> __global__ void k(float *a, int n) {
  float own[4] = {};
  for (int i = threadIdx.y; i < n; i += N) own[i % 4] += a[i * N + threadIdx.x];
  a[threadIdx.x] = own[n % 4];
}
"""


def _atoms() -> int:
    return sum(isinstance(thing, Atom) for thing in gc.get_objects())


def test_kernels_leave_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    launches = "".join(f"k<{n}><<<1, dim3(n, 8)>>>(a, n); " for n in range(1, 9))
    path.write_text(f"{KERNEL}void go(float *a, int n) {{ {launches}}}\n")
    gc.collect()
    before = _atoms()
    gc.disable()
    try:
        report = check_unit(str(path), Config())
        after = _atoms()
    finally:
        gc.enable()
    assert len(report.kernels) == 8
    assert after == before
