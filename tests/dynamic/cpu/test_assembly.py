"""Inline PTX that the CPU back end runs, against plain Python."""

from __future__ import annotations

import numpy as np

from tests.dynamic.cpu.harness import program

ASSEMBLY = """
__global__ void words(const unsigned *x, unsigned *o) {
  int i = threadIdx.x; unsigned v = x[i], r, s;
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r) : "r"(v)); o[i] = r;
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(r) : "r"(v), "r"(0xffffffffu)); o[i + 32] = r;
  asm("{ .reg .u32 t; add.cc.u32 t, %1, %1; addc.u32 %0, 0, 0; }" : "=r"(r) : "r"(v));
  o[i + 64] = r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); o[i + 96] = r;
  asm("{.reg .pred p; setp.gt.u32 p, %1, 1000; selp.u32 %0, 1, 2, p;}" : "=r"(r) : "r"(v));
  o[i + 128] = r;
  asm("mad.lo.u32 %0, %1, %1, 7;" : "=r"(r) : "r"(v)); o[i + 160] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(v), "r"(0xff00ffu), "r"(3u)); o[i + 192] = r;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(r), "=r"(s) : "l"((unsigned long long)v << 20));
  o[i + 224] = r ^ s;
  o[i + 256] = __ldcg(x + i);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(0x8040c001u), "r"(7u));
  o[i + 288] = r;
}
"""


def test_inline_ptx() -> None:
    x = (np.arange(32, dtype=np.uint64) * 0x9E3779B9 % 2**32).astype(np.uint32)
    o = np.zeros(320, np.uint32)
    accesses = program(ASSEMBLY).launch("words", 1, 32, x, o, record=True)
    for k, v in enumerate(x.tolist()):
        want = [
            v >> 4 & 255, (0xFFFFFFFF & ~0xF00) | (v & 15) << 8, 2 * v >> 32, k,
            1 if v > 1000 else 2, v * v + 7 & 0xFFFFFFFF, v ^ 0xFF00FF ^ 3,
            (v << 20 & 0xFFFFFFFF) ^ (v << 20 >> 32), v,
            7 + sum(abs((v >> k & 255) - (0x8040C001 >> k & 255)) for k in (0, 8, 16, 24)),
        ]  # fmt: skip
        assert [int(o[32 * n + k]) for n in range(10)] == want
    assert sum(str(a.site.kind) == "load" for a in accesses) == 2


TF32 = """
__global__ void rounded(const float *x, unsigned *o) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x[threadIdx.x]));
  o[threadIdx.x] = r;
}
"""


def test_rounding_to_tf32() -> None:
    bits = [0x3F800FFF, 0x3F801000, 0xBF801000, 0x3F803000, 0x7F800000, 0x7F7FFFFF, 0, 0x80000001]
    x = np.array(bits * 4, np.uint32).view(np.float32)
    o = np.zeros(32, np.uint32)
    program(TF32, arch="sm_80").launch("rounded", 1, 32, x, o)
    want = [0x3F800000, 0x3F802000, 0xBF802000, 0x3F804000, 0x7F800000, 0x7F800000, 0, 0x80000000]
    assert o.tolist() == want * 4


INLINE_PTX = """
__device__ int own_lane() { int l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
__global__ void ptx(int *o, const int *in, float *f, int *total) {
  int i = threadIdx.x, v, w;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(v) : "r"(i * 3), "r"(5));
  o[i] = v + 1000 * own_lane();
  asm("ld.global.nc.s32 %0, [%1+4];" : "=r"(w) : "l"(in + i));
  asm volatile("st.global.cs.s32 [%0], %1;" : : "l"(o + 64 + i), "r"(w) : "memory");
  float x = i * 0.5f, y;
  asm volatile("shfl.sync.idx.b32 %0, %1, 7, 0x1f, 0xffffffff;" : "=f"(y) : "f"(x));
  f[i] = y;
  asm volatile("red.global.add.s32 [%0], %1;" : : "l"(total), "r"(i) : "memory");
  __shared__ int s[64];
  s[63 - i] = i;
  asm volatile("bar.sync 0;" : : : "memory");
  o[128 + i] = s[i];
  unsigned even;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(even) : "r"(i & 1));
  o[192 + i] = even;
  int old;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(total + 1 + i), "r"(0),
               "r"(i + 1) : "memory");
  o[256 + i] = old;
}
__device__ int scanned(int v, int by) {
  int r;
  asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, 0, 0xffffffff;"
               "  @p add.s32 r0, r0, %3; mov.s32 %0, r0; }" : "=r"(r) : "r"(v), "r"(by), "r"(v));
  return r;
}
__device__ unsigned long long scanned(unsigned long long v, int by) {
  unsigned long long r;
  asm volatile("{ .reg .u64 r0; .reg .u32 lo; .reg .u32 hi; .reg .pred p;"
               "  mov.b64 {lo, hi}, %1; shfl.sync.up.b32 lo|p, lo, %2, 0, 0xffffffff;"
               "  shfl.sync.up.b32 hi|p, hi, %2, 0, 0xffffffff; mov.b64 r0, {lo, hi};"
               "  @p add.u64 r0, r0, %1; mov.u64 %0, r0; }" : "=l"(r) : "l"(v), "r"(by));
  return r;
}
__global__ void scans(int *o, unsigned long long *l) {
  int v = threadIdx.x % 7;
  unsigned long long w = (unsigned long long)v << 30;
  for (int by = 1; by < 32; by *= 2) { v = scanned(v, by); w = scanned(w, by); }
  o[threadIdx.x] = v;
  l[threadIdx.x] = w;
}
__global__ void matches(unsigned *o) {
  unsigned mask;
  asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0;"
      "  vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
      : "=r"(mask) : "r"(threadIdx.x), "r"(4));
  o[threadIdx.x] = mask;
}
"""


def test_inline_ptx_runs_as_the_instruction_it_is() -> None:
    i = np.arange(64, dtype=np.int32)
    out, given, floats = (
        np.zeros(320, np.int32),
        np.arange(100, 200, dtype=np.int32),
        np.zeros(64, np.float32),
    )
    total = np.zeros(65, np.int32)
    program(INLINE_PTX).launch("ptx", 1, 64, out, given, floats, total)
    assert (out[:64] == (i // 32 * 32 + (i % 32 ^ 5)) * 3 + 1000 * (i % 32)).all()
    assert (out[64:128] == 101 + i).all()
    assert (out[128:192] == 63 - i).all()
    assert (out[192:256].view(np.uint32) == 0xAAAAAAAA).all()
    assert (out[256:] == 0).all()
    assert (floats == (i // 32 * 32 + 7) * 0.5).all()
    assert total[0] == i.sum()
    assert (total[1:] == i + 1).all()


def test_lanes_look_at_each_other_within_an_asm() -> None:
    out, wide, masks = np.zeros(32, np.int32), np.zeros(32, np.uint64), np.zeros(32, np.uint32)
    program(INLINE_PTX).launch("scans", 1, 32, out, wide)
    sums = np.cumsum(np.arange(32) % 7)
    assert (out == sums).all()
    assert (wide == sums.astype(np.uint64) << np.uint64(30)).all()
    program(INLINE_PTX).launch("matches", 1, 32, masks)
    assert (masks == np.where(np.arange(32) & 4, 0xF0F0F0F0, 0x0F0F0F0F)).all()
