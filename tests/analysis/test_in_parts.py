"""Large units, whose kernels are analysed in parts: the answer is that of the whole."""

from __future__ import annotations

import doctest
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from drano.analysis import in_parts, kernels
from drano.analysis.incremental.remembered import KernelResult
from drano.ir.model import Module
from drano.ir.prepare.passes import PreparedModule
from drano.model.report import FileReport, FileStatus, Timings
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.driver import check_unit

SOURCE = """
struct Pair { float a, b; };
__device__ float twice(const float *p, int i) { return 2 * p[2 * i]; }
template <int N> __global__ void rows(const float *p, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < N; ++k) s += twice(p, i * n + k);
  if (i < n) o[i] = s;
}
__global__ void pairs(const Pair *p, float **o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[blockIdx.y][i] = p[i].a * p[i].b;
}
__global__ void filled(float **o, float *all, int n) { o[threadIdx.x] = all + threadIdx.x * n; }
void run(const float *p, float *o, Pair *q, float **all, int n) {
  rows<4><<<8, 128>>>(p, o, n);
  rows<8><<<8, dim3(16, 16)>>>(p, o, 64);
  pairs<<<dim3(8, 4), 64>>>(q, all);
  filled<<<1, 32>>>(all, o, 1024);
}
"""
WRITTEN = """
static __device__ int step = 1;
static __device__ int table[32] = {0, 1, 2, 3, 4, 5, 6, 7};
static __device__ float *held;
__global__ void changes(int n) { step = n; table[threadIdx.x] = n * threadIdx.x; }
__global__ void keeps(float *p, int n) { held = p + n; }
__global__ void reads(const float *p, float *o) {
  o[threadIdx.x] = p[threadIdx.x * step] + p[table[threadIdx.x % 8]];
}
__global__ void takes(float *o) { o[threadIdx.x] = held[threadIdx.x]; }
"""
CALLS = """
__device__ float walked(const float *p, int i) {
  return i > 5 ? p[i] : walked(p, i + 1) + p[2 * i];
}
__global__ void one(const float *p, float *o) { o[threadIdx.x] = walked(p, threadIdx.x); }
__global__ void two(const float *p, float *o) { o[2 * threadIdx.x] = p[threadIdx.x]; }
"""
HELD = """
typedef float (*Change)(const float *, int);
__device__ float changed(const float *p, int i) { return p[4 * i]; }
__device__ Change table[1] = {changed};
__global__ void one(const float *p, float *o, int n) { o[threadIdx.x] = table[n](p, threadIdx.x); }
__global__ void two(const float *p, float *o) { o[2 * threadIdx.x] = p[threadIdx.x]; }
"""


def report(path: Path, text: str, view: View = View.COMPILED) -> FileReport:
    path.write_text(text)
    found = check_unit(str(path), Config(analysis=AnalysisOptions(view=view)))
    assert found.status is FileStatus.OK
    return replace(found, timings=Timings())


@pytest.mark.parametrize("view", [View.WRITTEN, View.COMPILED])
@pytest.mark.parametrize("most", [1, 100])
@pytest.mark.parametrize("text", [SOURCE, WRITTEN, CALLS, HELD])
def test_as_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, most: int, view: View
) -> None:
    whole = report(tmp_path / "k.cu", text, view)
    monkeypatch.setattr(in_parts, "MOST_LINES", most)
    assert report(tmp_path / "k.cu", text, view) == whole
    assert len(whole.kernels) >= 2


def test_it_is_done_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[int] = []
    read = in_parts.read_module

    def counted(part: PreparedModule) -> Module:
        parts.append(len(part.roots))
        return read(part)

    monkeypatch.setattr(in_parts, "read_module", counted)
    for most, expected in ((1, [1, 1, 1, 1]), (1_000_000, [4])):
        parts.clear()
        monkeypatch.setattr(in_parts, "MOST_LINES", most)
        report(tmp_path / "k.cu", SOURCE)
        assert parts == expected
    for text in (CALLS, HELD):  # device functions that stay calls
        parts.clear()
        monkeypatch.setattr(in_parts, "MOST_LINES", 1)
        report(tmp_path / "k.cu", text)
        assert len(parts) == 1


def test_parts_that_there_is_no_time_for_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_parts, "MOST_LINES", 1)
    begun = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: begun + 1e6 * len(done))
    done: list[str] = []
    analysed = in_parts.analyse_function

    def counted(*given: Any, **named: Any) -> KernelResult:
        done.append(str(given[1]))
        return analysed(*given, **named)

    monkeypatch.setattr(in_parts, "analyse_function", counted)
    found = report(tmp_path / "k.cu", SOURCE)
    assert len(found.kernels) == 1
    lost = {each.kernel for each in found.not_analysed}
    assert len(lost) == 3
    assert all("time for its file is up" in each.cause.message for each in found.not_analysed)


INSTANCES = """
template <int N> __global__ void rows(float *o) { o[N * threadIdx.x] = N; }
template <class T> __global__ void columns(T *o) { o[threadIdx.x] = 1; }
template <class T> __global__ void marks(T *o) { o[8 * threadIdx.x] = 1; }
void run(float *o, double *d, int *i) {
  rows<1><<<1, 32>>>(o);
  rows<2><<<1, 32>>>(o);
  rows<3><<<1, 32>>>(o);
  columns<<<1, 32>>>(o);
  columns<<<1, 32>>>(d);
  marks<<<1, 32>>>(i);
}
"""


@pytest.mark.parametrize("most", [1, 1_000_000])
def test_each_template_has_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    whole = report(tmp_path / "k.cu", INSTANCES)
    monkeypatch.setattr(in_parts, "MOST_LINES", most)
    begun = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: begun + (1e6 if len(done) > 3 else 0))
    done: list[str] = []
    analysed = kernels.analyse_function

    def counted(*given: Any, **named: Any) -> KernelResult:
        done.append(given[1].display)
        return analysed(*given, **named)

    for module in (in_parts, kernels):
        monkeypatch.setattr(module, "analyse_function", counted)
    found = report(tmp_path / "k.cu", INSTANCES)
    assert done == ["rows<1>", "columns<float>", "marks<int>", "rows<2>"]
    assert [k for k in whole.kernels if k.name in done] == list(found.kernels)
    assert {lost.kernel for lost in found.not_analysed} == {"rows<3>", "columns<double>"}


def test_doctests() -> None:
    assert doctest.testmod(kernels).failed == 0
