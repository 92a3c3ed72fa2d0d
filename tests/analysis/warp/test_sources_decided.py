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
        "",
        {(1, 5, 4)},
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
