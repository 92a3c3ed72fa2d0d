"""Conflicting accesses between barriers, as one run on the CPU shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.verify.observe import Race, build_program, observe

PROGRAM = """__device__ int flag;
__global__ void k(float* out, const float* in) {
  __shared__ float s[128];
  __shared__ unsigned char small[256];
  int t = threadIdx.x;
  float x = in[t];
  %s
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  k<<<2, 128>>>(b, a);
  return cudaDeviceSynchronize();
}
"""
OUT = "&b, 4096"


@pytest.mark.parametrize(
    ("body", "races"),
    [
        ("s[t] = x; __syncthreads(); out[128 * blockIdx.x + t] = s[127 - t];", set()),
        ("s[t] = x; out[128 * blockIdx.x + t] = s[127 - t];", {("shared", "load/store")}),
        ("out[t] = x;", {(OUT, "store/store")}),
        ("atomicAdd(&out[0], x);", set()),
        ("atomicAdd(&out[0], x); out[128 * blockIdx.x + t + 1] = out[0];", {(OUT, "atomic/load")}),
        # Lanes of one warp are in step here; two warps are not.
        ("s[t] = x; out[128 * blockIdx.x + t] = s[t ^ 1];", set()),
        # The next block has shared memory of its own.
        ("if (t < 32) s[t] = x; __syncthreads(); out[128 * blockIdx.x + t] = s[t & 31];", set()),
        # Neighbouring bytes of a word are not one place.
        ("small[t] = x; __syncthreads(); out[128 * blockIdx.x + t] = small[t ^ 64];", set()),
        ("small[t ^ 32] = x; out[128 * blockIdx.x + t] = small[t];", {("shared", "load/store")}),
        # A read before a write, with no barrier between the two.
        (
            "s[t] = x; __syncthreads(); x = s[127 - t]; s[t] = x + 1; __syncthreads();"
            "out[128 * blockIdx.x + t] = s[t];",
            {("shared", "load/store")},
        ),
        ("if (blockIdx.x == 1) out[t] = x; else out[t + 512] = out[t];", {(OUT, "load/store")}),
    ],
)
def test_conflicts(tmp_path: Path, body: str, races: set[tuple[str, str]]) -> None:
    source, program = tmp_path / "k.cu", tmp_path / "k"
    source.write_text(PROGRAM % body)
    assert build_program([str(source)], program) == ""
    found = observe(program, [], 60)
    assert found.problem == "" and found.status == 0
    assert found.races == {Race("k", array, kinds) for array, kinds in races}
