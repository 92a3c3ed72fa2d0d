"""Inline PTX in which lanes exchange values: cub's steps of scans and reductions, in loops."""

from __future__ import annotations

import numpy as np
import pytest

from tests.dynamic.cpu.harness import program

SOURCE = """
__device__ int up(int in, int offset, unsigned mask) {
  int out;
  asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
               "  @p add.s32 r0, r0, %4; mov.s32 %0, r0; }"
               : "=r"(out) : "r"(in), "r"(offset), "r"(0), "r"(in), "r"(mask));
  return out;
}
__device__ float down(float in, int offset, unsigned mask) {
  float out;
  asm volatile("{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %5;"
               "  @p add.f32 r0, r0, %4; mov.f32 %0, r0; }"
               : "=f"(out) : "f"(in), "r"(offset), "r"(31), "f"(in), "r"(mask));
  return out;
}
__device__ double down(double in, int offset, unsigned mask) {
  double out;
  asm volatile("{ .reg .u32 lo; .reg .u32 hi; .reg .pred p; .reg .f64 r0; mov.b64 %0, %1;"
               "  mov.b64 {lo, hi}, %1; shfl.sync.down.b32 lo|p, lo, %2, %3, %4;"
               "  shfl.sync.down.b32 hi|p, hi, %2, %3, %4; mov.b64 r0, {lo, hi};"
               "  @p add.f64 %0, %0, r0; }"
               : "=d"(out) : "d"(in), "r"(offset), "r"(31), "r"(mask));
  return out;
}
__device__ unsigned same(unsigned label) {
  unsigned out;
  asm volatile("{ .reg .pred p; and.b32 %0, %1, 1; setp.eq.u32 p, %0, 1;"
               "  vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
               : "=r"(out) : "r"(label));
  return out;
}
__global__ void all(int *sums, float *f, double *d, unsigned *m) {
  int t = threadIdx.x, v = t + 1;
#pragma unroll 1
  for (int s = 1; s < 32; s *= 2) v = up(v, s, ~0u);
  sums[t] = v;
  float x = t;
  double y = t * 0.5;
#pragma unroll 1
  for (int s = 16; s; s /= 2) x = down(x, s, ~0u);
  for (int s = 16; s; s /= 2) y = down(y, s, ~0u);
  f[t] = x;
  d[t] = y;
  m[t] = same(t * 7 / 3);
}
"""


@pytest.mark.parametrize("level", [0, 2])
def test_lanes_exchange_values_in_assembly(level: int) -> None:
    sums, f = np.zeros(32, np.int32), np.zeros(32, np.float32)
    d, m = np.zeros(32), np.zeros(32, np.uint32)
    program(SOURCE, opt_level=level).launch("all", 1, 32, sums, f, d, m)
    lanes = np.arange(32)
    assert (sums == np.cumsum(lanes + 1)).all()
    assert (f[0], d[0]) == (496, 248)
    odd = (lanes * 7 // 3) & 1
    word = sum(int(bit) << lane for lane, bit in enumerate(odd))
    assert (m == np.where(odd, word, ~word & 0xFFFFFFFF)).all()
