"""Kernels of headers that nobody is told of: what the user's functors do in them is judged, and no
more.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from drano.model.access import Access
from drano.model.report import FileReport
from drano.model.settings import Config
from drano.run.driver import check_unit

HEADER = """
template <class F> __global__ void for_all(F f, const int *order, float *log, int n) {
  __shared__ float kept[256];
  int i = order[blockIdx.x * blockDim.x + threadIdx.x];
  if (i < n) kept[threadIdx.x * 2 % 256] = f(i);
  __syncthreads();
  log[threadIdx.x * 32] = kept[threadIdx.x];
  if (threadIdx.x < 7) f.done(threadIdx.x);
}
"""
SOURCE = """#include "lib.cuh"
struct Rows {
  const float *a; float *b;
  __device__ float operator()(int i) const { return a[i]; }
  __device__ void done(int i) const { b[i * 8] = 1; }
};
struct Sum {
  float x;
  __device__ float operator()(int i) const { return x + i; }
  __device__ void done(int) const {}
};
struct Waits {
  __device__ float operator()(int i) const { if (threadIdx.x & 1) __syncthreads(); return i; }
  __device__ void done(int) const {}
};
void go(const float *a, float *b, const int *o, int n) {
  for_all<<<8, 256>>>(Rows{a, b}, o, b, n);
  for_all<<<8, 256>>>(Sum{2}, o, b, n);
  for_all<<<8, 256>>>(Waits{}, o, b, n);
}
"""


def reports(folder: Path) -> tuple[FileReport, FileReport]:
    """With the header's accesses, and without."""
    (folder / "lib.cuh").write_text(HEADER)
    source = folder / "a.cu"
    source.write_text(SOURCE)
    config = Config(root=str(folder))
    return (
        check_unit(str(source), config),
        check_unit(str(source), replace(config, exclude=("lib.cuh",))),
    )


def own(report: FileReport) -> list[Access]:
    """Accesses of the source, but for their share in what their kernel moves."""
    return [
        replace(access, cost=None)
        for access in report.accesses
        if access.location.span.path.endswith("a.cu")
    ]


def test_what_functors_do_is_judged_as_with_the_header(tmp_path: Path) -> None:
    whole, part = reports(tmp_path)
    assert {"a[i]", "b[i * 8]"} <= {access.index_text for access in own(whole)}
    assert own(part) == own(whole)
    assert len(part.accesses) == len(own(whole)) < len(whole.accesses)


def test_kernels_are_counted_as_with_the_header(tmp_path: Path) -> None:
    whole, part = reports(tmp_path)
    assert [(k.symbol, k.accesses) for k in part.kernels] == [
        (k.symbol, k.accesses) for k in whole.kernels
    ]


def test_barriers_of_functors_are_told(tmp_path: Path) -> None:
    told = [
        [f for f in report.findings if f.location.span.path.endswith("a.cu")]
        for report in reports(tmp_path)
    ]
    assert any(finding.rule == "DRN202" for finding in told[0]), told
    assert [f.rule for f in told[1]] == [f.rule for f in told[0]]
