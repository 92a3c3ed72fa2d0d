"""Each construct of CUDA that the back end claims, against plain Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.dynamic.cpu.harness import FaultError, program

ALL = 32
LANES = np.arange(ALL, dtype=np.int32)


CROSS = """
__global__ void shuffles(int *o, float *f, long long *l) {
  int i = threadIdx.x;
  o[i] = __shfl_sync(~0u, i * 10, 5);
  o[i + 32] = __shfl_up_sync(~0u, i, 3);
  o[i + 64] = __shfl_down_sync(~0u, i, 4, 16);
  o[i + 96] = __shfl_xor_sync(~0u, i, 9);
  o[i + 128] = __shfl_sync(~0u, i, i + 1, 8);
  f[i] = __shfl_down_sync(~0u, i * 0.5f, 1);
  l[i] = __shfl_sync(~0u, (long long)i << 33, 31 - i);
}
__global__ void votes(int *o) {
  int i = threadIdx.x;
  o[i] = __ballot_sync(~0u, i % 3 == 0);
  o[i + 32] = __any_sync(~0u, i == 7) + 2 * __all_sync(~0u, i < 32) + 4 * __all_sync(~0u, i < 31);
  o[i + 64] = __match_any_sync(~0u, i / 8);
  int same; o[i + 96] = __match_all_sync(~0u, 5, &same); o[i + 128] = same;
  if (i % 2) o[i + 160] = __activemask(); else o[i + 160] = -1;
  if (i < 8) o[i + 192] = __ballot_sync(0xff, i > 3); else o[i + 192] = 0;
}
__global__ void reduce(const int *in, int *out) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  __shared__ int part[8];
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x) return;
  int s = 0;
  for (int k = 0; k < blockDim.x / 32; k++) s += part[k];
  out[blockIdx.x] = s;
}
__global__ void barriers(int *o) {
  int i = threadIdx.x;
  o[i] = __syncthreads_count(i % 3 == 0) * 4 + __syncthreads_and(i < 60) * 2
    + (__syncthreads_or(i == 63) != 0);
}
__global__ void meet(int *o) {
  int i = threadIdx.x;
  int v = i;
  if (i < 16) { v += 100; __syncwarp(); } else { v += 200; __syncwarp(); }
  o[i] = __shfl_sync(~0u, v, 31 - i);
}
"""


def test_shuffles() -> None:
    o, f = np.zeros(160, np.int32), np.zeros(32, np.float32)
    long = np.zeros(32, np.int64)
    program(CROSS).launch("shuffles", 1, 32, o, f, long)
    i = LANES
    assert o[:32].tolist() == [50] * 32
    assert o[32:64].tolist() == [k if k < 3 else k - 3 for k in range(32)]
    assert o[64:96].tolist() == [k + 4 if k % 16 + 4 < 16 else k for k in range(32)]
    assert o[96:128].tolist() == (i ^ 9).tolist()
    assert o[128:].tolist() == [k // 8 * 8 + (k + 1) % 8 for k in range(32)]
    assert f.tolist() == [(k + 1 if k < 31 else 31) * 0.5 for k in range(32)]
    assert long.tolist() == [(31 - k) << 33 for k in range(32)]


def test_votes_and_matches() -> None:
    o = np.zeros(224, np.int32)
    program(CROSS).launch("votes", 1, 32, o)
    thirds = sum(1 << k for k in range(0, 32, 3))
    assert o[:32].view(np.uint32).tolist() == [thirds] * 32
    assert o[32:64].tolist() == [3] * 32
    assert o[64:96].view(np.uint32).tolist() == [0xFF << (k // 8 * 8) for k in range(32)]
    assert o[96:128].tolist() == [-1] * 32
    assert o[128:160].tolist() == [1] * 32
    assert o[160:192].view(np.uint32).tolist() == [0xFFFFFFFF, 0xAAAAAAAA] * 16
    assert o[192:200].tolist() == [0xF0] * 8


def test_reduction_over_warps() -> None:
    values = np.arange(512, dtype=np.int32) % 37
    out = np.zeros(2, np.int32)
    program(CROSS).launch("reduce", 2, 256, values, out)
    assert out.tolist() == [values[:256].sum(), values[256:].sum()]


def test_reducing_barriers() -> None:
    o = np.zeros(64, np.int32)
    program(CROSS).launch("barriers", 1, 64, o)
    assert o.tolist() == [22 * 4 + 1] * 64


def test_lanes_of_two_branches_meet() -> None:
    o = np.zeros(32, np.int32)
    program(CROSS).launch("meet", 1, 32, o)
    expected = [k + 100 if k < 16 else k + 200 for k in range(32)]
    assert o.tolist() == expected[::-1]


ATOMICS = """
__global__ void all(int *i, unsigned *u, unsigned long long *l, float *f, double *d, int *old) {
  int t = threadIdx.x;
  atomicAdd(i, t); atomicSub(i + 1, 1); atomicMax(i + 2, t); atomicMin(i + 3, -t);
  atomicAnd(i + 4, ~(1 << t)); atomicOr(i + 5, 1 << t); atomicXor(i + 6, t);
  atomicInc(u, 9); atomicDec(u + 1, 5); atomicAdd(l, 1ull << 33);
  atomicMax(l + 1, (unsigned long long)t);
  atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicExch(i + 7, t);
  old[t] = atomicCAS(i + 8, t, t + 1);
  if (t % 2) atomicAdd(i + 9, t);
  atomicAdd(&i[10 + t % 4], 1);
}
"""


def test_atomics() -> None:
    i = np.zeros(16, np.int32)
    i[4] = -1
    u, wide = np.array([0, 5], np.uint32), np.zeros(2, np.uint64)
    f, d, old = np.zeros(1, np.float32), np.zeros(1), np.zeros(32, np.int32)
    accesses = program(ATOMICS).launch("all", 1, 32, i, u, wide, f, d, old, record=True)
    assert i[:4].tolist() == [496, -32, 31, -31]
    assert i[4:8].tolist() == [0, -1, 0, 31]
    assert (i[8], i[9]) == (32, 256)
    assert i[10:14].tolist() == [8] * 4
    assert u.tolist() == [32 % 10, 3]
    assert wide.tolist() == [32 << 33, 31]
    assert (f[0], d[0]) == (16, 8)
    assert old.tolist() == list(range(32))
    assert {str(a.site.kind) for a in accesses} == {"atomic", "store"}
    assert [a.mask for a in accesses if a.mask != 0xFFFFFFFF] == [0xAAAAAAAA]


MEMORY = """
extern __shared__ float dynamic[];
__device__ float table[4] = {1, 2, 3, 4};
__constant__ int weights[3];
__device__ int counter;
struct Pair { int a; double b; short c[3]; };
struct Wide { float4 v; int2 w; };
__global__ void spaces(const float *in, float *out) {
  int i = threadIdx.x;
  dynamic[i] = in[i];
  __syncthreads();
  out[i] = dynamic[blockDim.x - 1 - i] + table[i % 4] * weights[i % 3];
  if (i == 5) counter = 77;
}
__global__ void local(const int *in, int *out, int n) {
  int i = threadIdx.x, a[16];
  for (int k = 0; k < 16; k++) a[k] = in[(i + k) % n];
  for (int k = 0; k < 15; k++) for (int j = 0; j < 15; j++)
    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  out[i] = a[i % 16];
}
__global__ void structure(Pair p, Pair *q, Wide *w) {
  int i = threadIdx.x;
  Pair r = q[i];
  r.a += p.a; r.b *= p.b; r.c[i % 3] = p.c[2];
  q[i] = r;
  Wide x = w[i]; x.v.y += x.w.x; x.w.y = i; w[i] = x;
}
__global__ void changed(Pair p, int *out) {
  int i = threadIdx.x;
  for (int k = 0; k < 3; k++) p.c[k] += i;
  out[i] = p.c[i % 3] + p.a;
}
"""


def test_memory_spaces() -> None:
    unit = program(MEMORY)
    values, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    weights = (np.ctypeslib.ctypes.c_int32 * 3).from_address(unit.variable("weights"))
    weights[:] = [1, 10, 100]
    accesses = unit.launch("spaces", 1, 64, values, out, shared=256, record=True)
    assert out.tolist() == [63 - i + (1 + i % 4) * [1, 10, 100][i % 3] for i in range(64)]
    assert np.ctypeslib.ctypes.c_int32.from_address(unit.variable("counter")).value == 77
    assert {a.site.space for a in accesses} == {1, 3, 4}


def test_local_arrays_are_not_counted() -> None:
    values, out = np.arange(40, dtype=np.int32)[::-1].copy(), np.zeros(32, np.int32)
    accesses = program(MEMORY).launch("local", 1, 32, values, out, np.int32(40), record=True)
    expected = [sorted(values[(i + k) % 40] for k in range(16))[i % 16] for i in range(32)]
    assert out.tolist() == expected
    assert len(accesses) == 17


def test_structures() -> None:
    pair = np.dtype([("a", "i4"), ("b", "f8"), ("c", "i2", 3)], align=True)
    wide = np.dtype({"names": ["v", "w"], "formats": [("f4", 4), ("i4", 2)],
                     "offsets": [0, 16], "itemsize": 32})  # fmt: skip
    p = np.zeros(1, pair)
    p["a"], p["b"], p["c"] = 5, 2.5, [7, 8, 9]
    q, w = np.zeros(32, pair), np.zeros(32, wide)
    q["a"], q["b"] = LANES, 1
    w["v"], w["w"] = 1, 2
    program(MEMORY).launch("structure", 1, 32, p.tobytes(), q, w)
    assert q["a"].tolist() == (LANES + 5).tolist()
    assert q["b"].tolist() == [2.5] * 32
    assert q["c"].tolist() == [[9 if k == i % 3 else 0 for k in range(3)] for i in range(32)]
    assert w["v"].tolist() == [[1, 3, 1, 1]] * 32
    assert w["w"].tolist() == [[2, i] for i in range(32)]


def test_a_structure_parameter_that_is_changed() -> None:
    pair = np.dtype([("a", "i4"), ("b", "f8"), ("c", "i2", 3)], align=True)
    p = np.zeros(1, pair)
    p["a"], p["c"] = 5, [7, 8, 9]
    out = np.zeros(32, np.int32)
    program(MEMORY).launch("changed", 1, 32, p.tobytes(), out)
    assert out.tolist() == [7 + i % 3 + i + 5 for i in range(32)]


CONTROL = """
__global__ void choose(const int *in, int *out) {
  int i = threadIdx.x, v = in[i];
  switch (v) {
    case 0: v = 10; break;
    case 1: v = 20;
    case 2: v += 5; break;
    case 7: out[i] = -7; return;
    default: v = v * v;
  }
  out[i] = v;
}
__global__ void tangled(const int *in, int *out) {
  int i = threadIdx.x, v = in[i], n = 0;
  if (v & 1) goto middle;
top:
  n += 1; if (n > 20) goto end;
middle:
  n += 2; v = v / 2;
  if (v > 0) { if (v % 3 == 0) goto top; goto middle; }
end:
  out[i] = n;
}
__global__ void traps(int *o, int n) { if (threadIdx.x == n) __trap(); o[threadIdx.x] = 1; }
__global__ void divisions(const int *a, const int *b, int *o, unsigned *u, long long *l) {
  int i = threadIdx.x;
  o[i] = a[i] / b[i]; o[i + 32] = a[i] % b[i];
  u[i] = (unsigned)a[i] >> b[i]; l[i] = (long long)a[i] / b[i];
}
"""


def test_switch_with_fall_through_and_return() -> None:
    values, out = LANES % 9, np.zeros(32, np.int32)
    program(CONTROL).launch("choose", 1, 32, values, out)
    table = {0: 10, 1: 25, 2: 7, 7: -7}
    assert out.tolist() == [table.get(v, v * v) for v in values.tolist()]


def test_irreducible_control_flow() -> None:
    values, out = np.arange(32, dtype=np.int32) * 37 % 101, np.zeros(32, np.int32)
    program(CONTROL).launch("tangled", 1, 32, values, out)

    def run(v: int) -> int:
        n, top = 0, not v & 1
        while True:
            if top:
                n += 1
                if n > 20:
                    return n
            n += 2
            v //= 2
            if v <= 0:
                return n
            top = v % 3 == 0

    assert out.tolist() == [run(v) for v in values.tolist()]


def test_trap_ends_the_kernel() -> None:
    out = np.zeros(32, np.int32)
    with pytest.raises(FaultError, match=r"trap.*00000010"):
        program(CONTROL).launch("traps", 1, 32, out, np.int32(4))
    program(CONTROL).launch("traps", 1, 32, out, np.int32(99))
    assert out.tolist() == [1] * 32


def test_division_by_zero_and_wide_shifts_do_not_stop_the_program() -> None:
    a = np.array([100, -100, -(2**31), 7] * 8, np.int32)
    b = np.array([7, 0, -1, 33] * 8, np.int32)
    o, u, wide = np.zeros(64, np.int32), np.zeros(32, np.uint32), np.zeros(32, np.int64)
    program(CONTROL).launch("divisions", 1, 32, a, b, o, u, wide)
    assert (o[0], o[32], wide[0]) == (14, 2, 14)
    assert u[3] == 0


PRINT = """
#include <cstdio>
#include <cassert>
__global__ void hello(int n) { if (threadIdx.x % 8 == n) printf("lane %d\\n", threadIdx.x); }
__global__ void check(const int *x) { assert(x[threadIdx.x] < 30 && "too large"); }
__global__ void heap(int *o) {
  int *p = (int *)malloc(8); p[0] = threadIdx.x; p[1] = 2; o[threadIdx.x] = p[0] * p[1]; free(p);
}
"""


def test_printf_assert_and_the_heap(tmp_path: Path) -> None:
    unit = program(PRINT)
    unit.launch("hello", 1, 32, np.int32(3), printed=tmp_path / "out")
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines == [f"0:{lane}:lane %d" for lane in (3, 11, 19, 27)]
    with pytest.raises(FaultError, match=r"assertion `x.*c0000000"):
        unit.launch("check", 1, 32, LANES)
    out = np.zeros(32, np.int32)
    unit.launch("heap", 1, 32, out)
    assert out.tolist() == (2 * LANES).tolist()


HALF = """
#include <cuda_fp16.h>
__global__ void half_(const float *x, __half *h, float *y, __half2 *p) {
  int i = threadIdx.x;
  __half a = __float2half(x[i]);
  h[i] = __hadd(a, __hmul(a, a));
  y[i] = __half2float(h[i]);
  __half2 two = __halves2half2(a, __float2half(2.f));
  p[i] = __hfma2(two, two, two);
  y[i + 32] = __hlt(a, __float2half(3.f)) ? 1.f : 0.f;
}
"""


def test_half_precision() -> None:
    x = np.linspace(-4, 4, 32, dtype=np.float32)
    h, y = np.zeros(32, np.float16), np.zeros(64, np.float32)
    p = np.zeros(64, np.float16)
    program(HALF).launch("half_", 1, 32, x, h, y, p)
    a = x.astype(np.float16)
    want = a + a * a
    assert np.array_equal(h, want)
    assert np.array_equal(y[:32], want.astype(np.float32))
    assert np.allclose(p[::2], (a.astype(np.float32) ** 2 + a).astype(np.float16), rtol=1e-3)
    assert p[1::2].tolist() == [6] * 32
    assert y[32:].tolist() == [1.0 if v < 3 else 0.0 for v in a]


GROUPS = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void groups(int *o) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = threadIdx.x;
  for (int d = 4; d; d /= 2) v += tile.shfl_down(v, d);
  o[threadIdx.x] = tile.shfl(v, 0);
  block.sync();
  if (threadIdx.x % 3 == 0) {
    auto some = cg::coalesced_threads();
    o[threadIdx.x + 64] = some.thread_rank() * 100 + some.size();
  }
  tile.sync();
  o[threadIdx.x + 128] = tile.any(threadIdx.x == 9) + 2 * tile.thread_rank();
}
"""


def test_cooperative_groups() -> None:
    o = np.zeros(192, np.int32)
    program(GROUPS).launch("groups", 1, 64, o)
    assert o[:64].tolist() == [sum(range(k // 8 * 8, k // 8 * 8 + 8)) for k in range(64)]
    for warp in (0, 32):
        lanes = [k for k in range(warp, warp + 32) if k % 3 == 0]
        assert [o[64 + k] for k in lanes] == [100 * n + len(lanes) for n in range(len(lanes))]
    assert o[128:].tolist() == [(k // 8 == 1) + 2 * (k % 8) for k in range(64)]


GRID = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void whole(int *o, int n) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank();
  o[i] = n + i;
  grid.sync();
  o[i + 64] = o[grid.size() - 1 - i];
}
__global__ void lock(int *mutex, int *count) {
  while (atomicCAS(mutex, 0, 1) != 0) { }
  count[0] = count[0] + 1;
  __threadfence();
  atomicExch(mutex, 0);
}
"""


def test_grid_barrier() -> None:
    o = np.zeros(128, np.int32)
    program(GRID).launch("whole", 1, 64, o, np.int32(5))
    assert o[64:].tolist() == [5 + 63 - k for k in range(64)]


def test_a_lock_whose_owner_waits_for_the_others() -> None:
    mutex, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
    program(GRID).launch("lock", 1, 32, mutex, count)
    assert (mutex[0], count[0]) == (0, 32)
