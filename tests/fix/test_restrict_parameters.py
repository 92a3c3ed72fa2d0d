"""Loads that a store through another pointer keeps apart: the pointers are said not to overlap."""

from __future__ import annotations

from pathlib import Path

from drano.fix.search import mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.units import after, offers

NAME = "restrict-parameters"
SOURCE = """#include <cstdio>
__global__ void split(float *a, float* b, const float4* const in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i].x;
    b[i] = in[i].y;
  }
}
__global__ void whole(float* a, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i].x;
    a[i + n] = in[i].y;
    a[i + 2 * n] = in[i].z;
    a[i + 3 * n] = in[i].w;
  }
}
int main() {
  float *a, *b;
  float4* q;
  cudaMalloc(&a, 4000 * sizeof(float));
  cudaMalloc(&b, 1000 * sizeof(float));
  cudaMalloc(&q, 1000 * sizeof(float4));
  cudaMemset(q, 1, 1000 * sizeof(float4));
  split<<<4, 256>>>(a, b, q, 1000);
  whole<<<4, 256>>>(a, q, 1000);
  float first = 0;
  cudaMemcpy(&first, a, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\\n", first);
}
"""


def test_members_of_one_element_are_loaded_at_once(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    unit = Unit(str(path), Config())
    found = mended(unit, analysed(unit), unsafe=False)
    assert {o.fix.title.split()[5]: str(o.promise) for o in found.made} == {
        "split": "40 → 24 sectors", "whole": "80 → 32 sectors",
    }  # fmt: skip
    text = found.texts[str(path)].decode()
    assert "split(float *__restrict__ a, float* __restrict__ b, const" in text
    assert "const float4* const __restrict__ in" in text
    assert "whole(float* __restrict__ a, const float4* __restrict__ in, int n)" in text
    once = Program((str(path),), (str(path),), (), ())
    assert verify(once, {str(path): SOURCE.encode()}, found.texts).against == ()


def test_arrays_that_may_overlap() -> None:
    for launch in (
        "split<<<4, 256>>>(a, b, (float4*)a, 1000)",
        "split<<<4, 256>>>(a, a + 4, q, 9)",
    ):
        text = SOURCE.replace("split<<<4, 256>>>(a, b, q, 1000)", launch)
        found = [offer.fix for offer in offers(text, NAME) if "split" in offer.fix.title]
        assert [fix.unproved for fix in found[:1]] == [
            "that its parameters point to different arrays"
        ]


def test_nothing_to_merge() -> None:
    one = "b[i] = 2;"
    text = SOURCE.replace("b[i] = in[i].y;", one)
    assert not [offer for offer in offers(text, NAME) if "split" in offer.fix.title]
    told = after(SOURCE)
    assert after(told) == told
