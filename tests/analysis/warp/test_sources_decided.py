"""CUDA kernels, as people write them, whose accesses must be decided, with their bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.judgement import Verdict
from drano.model.settings import Config

Bounds = tuple[int, int, int]

DECIDED: dict[str, tuple[str, Verdict, str, set[Bounds]]] = {
    "unrolled reads of a row that unsigned places are held within": (
        """
__global__ void k(const float* in, int n) {
  const float* x = in + blockIdx.x * n;
  if ((int)threadIdx.x >= n) return;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x * 4) {
#pragma unroll
    for (int u = 0; u < 4; u++) sum += x[min(n - 1, i + u * blockDim.x)];
  }
  if (sum == 1) __trap();
}
""",
        Verdict.COALESCED,
        "at least 25 lanes are active",
        {(1, 5, 4)},
    ),
    "blocks of quantised numbers that a quotient of a loop's counter tells": (
        """
struct q4 { unsigned short d; unsigned char qs[16]; };
__global__ void k(float* out, const q4* in, long n) {
  for (long i = 2 * (blockIdx.y * 256 + threadIdx.x); i < n; i += gridDim.y * 512)
    out[i / 2] = in[i / 32].qs[i % 32 / 2];
}
void go(float* out, const q4* in, long n) { k<<<1, 256>>>(out, in, n); }
""",
        Verdict.UNCOALESCED,
        "",
        {(1, 2, 1)},
    ),
    "a function of a quotient, which changes where the quotient does": (
        """
__global__ void k(float* out, const float* in, unsigned h, unsigned w) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  unsigned long x = i % w, y = (i / w) & (h - 1);
  out[i] = in[y * w + x];
}
void go(float* out, const float* in, int h, int w) { k<<<9, 256>>>(out, in, h, w); }
""",
        Verdict.COALESCED,
        "w >= 32",
        {(1, 32, 4)},
    ),
    "lanes within a bound that is no whole number": (
        """
__global__ void k(const float* in, float scale) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float v = 0;
  if (i * scale < 7.5f) v = in[i];
  if (v == 1) __trap();
}
void go(const float* in, float scale) { k<<<9, 256>>>(in, scale); }
""",
        Verdict.COALESCED,
        "the active lanes are neighbours",
        {(1, 4, 4)},
    ),
    "a border, whose lanes lie apart": (
        """
__global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) out[0] = 1;
  else if (in[y * 1024 + x] == 1) __trap();
}
void go(const float* in, float* out, int w, int h) { k<<<9, dim3(8, 8)>>>(in, out, w, h); }
""",
        Verdict.UNKNOWN,
        "",
        {(1, 4, 4)},
    ),
}


@pytest.mark.parametrize("name", DECIDED)
def test_loads_are_decided(tmp_path: Path, name: str) -> None:
    text, verdict, condition, bounds = DECIDED[name]
    source = tmp_path / "a.cu"
    source.write_text(text, encoding="utf-8")
    report = drano.check([str(source)], Config())
    loads = [a.judgement for a in report.files[0].accesses if a.kind == "load"]
    assert {(j.verdict, j.condition) for j in loads} == {(verdict, condition)}, loads
    counts = [j.sectors for j in loads if j.sectors is not None]
    assert {(c.minimum, c.maximum, c.ideal) for c in counts} == bounds
