"""Whole kernels: results equal to numpy's, accesses equal to what the source says."""

from __future__ import annotations

import numpy as np

from tests.dynamic.cpu.harness import program

SOURCE = """
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void collatz(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i], c = 0;
  while (v != 1) {
    if (v & 1) v = 3 * v + 1; else v >>= 1;
    if (++c > 100) { y[i] = -1; return; }
  }
  y[i] = c;
}
"""


def test_saxpy_with_a_ragged_end() -> None:
    n = 1000
    x, y = np.arange(n, dtype=np.float32), np.ones(n, dtype=np.float32)
    accesses = program(SOURCE).launch(
        "saxpy", 8, 128, np.float32(2), x, y, np.int32(n), record=True
    )
    assert np.array_equal(y, 2 * np.arange(n, dtype=np.float32) + 1)
    assert sum(a.mask.bit_count() for a in accesses) == 3 * n
    assert len(accesses) == 3 * (31 + 1)
    first = accesses[0]
    assert [str(a.site.kind) for a in accesses[:3]] == ["load", "load", "store"]
    assert first.addresses == {k: x.ctypes.data + 4 * k for k in range(32)}
    assert first.site.location.span.line == 4


def test_transpose_through_shared_memory() -> None:
    n = 64
    source = np.arange(n * n, dtype=np.float32)
    target = np.zeros_like(source)
    program(SOURCE).launch("transpose", (2, 2), (32, 8), source, target, np.int32(n))
    assert np.array_equal(target.reshape(n, n), source.reshape(n, n).T)


def test_lanes_that_leave_a_loop_one_by_one() -> None:
    x = np.arange(1, 97, dtype=np.int32)
    y = np.zeros_like(x)
    accesses = program(SOURCE).launch("collatz", 3, 32, x, y, record=True)

    def steps(v: int) -> int:
        count = 0
        while v != 1:
            v = 3 * v + 1 if v & 1 else v // 2
            count += 1
            if count > 100:
                return -1
        return count

    assert y.tolist() == [steps(v) for v in range(1, 97)]
    # Lanes meet again behind the loop: one store for those that ended, one for the others.
    assert len(accesses) == 3 + 3 + sum(any(y[k : k + 32] < 0) for k in (0, 32, 64))


def test_without_the_optimiser_results_are_the_same() -> None:
    n = 64
    source = np.arange(n * n, dtype=np.float32)
    target = np.zeros_like(source)
    unit = program(SOURCE, opt_level=0)
    accesses = unit.launch("transpose", (2, 2), (32, 8), source, target, np.int32(n), record=True)
    assert np.array_equal(target.reshape(n, n), source.reshape(n, n).T)
    assert len(accesses) == 4 * 8 * 16
