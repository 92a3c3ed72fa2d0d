"""libdevice's functions and rounding modes of the CPU back end, against plain Python."""

from __future__ import annotations

import math

import numpy as np

from tests.dynamic.cpu.harness import program

LIBRARY = """
__global__ void single(const float *x, float *y) {
  int i = threadIdx.x; float v = x[i];
  y[i] = sinf(v); y[i + 32] = expf(v); y[i + 64] = sqrtf(v); y[i + 96] = powf(v, 1.5f);
  y[i + 128] = rsqrtf(v); y[i + 160] = __expf(v); y[i + 192] = fmaf(v, v, 1.f);
  y[i + 224] = atan2f(v, 2.f); y[i + 256] = logf(v); y[i + 288] = tanhf(v); y[i + 320] = floorf(v);
  y[i + 352] = fminf(v, 1.f); y[i + 384] = cosf(v * 1e5f); y[i + 416] = __fdividef(v, 3.f);
}
__global__ void twice(const double *x, double *y) {
  int i = threadIdx.x; double v = x[i];
  y[i] = sin(v); y[i + 32] = exp(v); y[i + 64] = sqrt(v); y[i + 96] = pow(v, 1.5);
  y[i + 128] = log(v);
  y[i + 160] = 1.0 / v; y[i + 192] = erf(v);
}
__global__ void integers(const int *x, int *y) {
  int i = threadIdx.x, v = x[i];
  y[i] = __popc(v); y[i + 32] = __clz(v); y[i + 64] = __ffs(v); y[i + 96] = __brev(v);
  y[i + 128] = __mulhi(v, v); y[i + 160] = __umulhi(v, v); y[i + 192] = __byte_perm(v, ~v, 0x1637);
  y[i + 224] = __funnelshift_l(v, ~v, 5); y[i + 256] = __sad(v, 100, 3); y[i + 288] = __mul24(v, 3);
  y[i + 320] = abs(v); y[i + 352] = min(v, 4) + max(v, 9);
}
__global__ void rounding(const float *x, const double *d, float *y, double *z, int *n) {
  int i = threadIdx.x; float v = x[i];
  y[i] = __fadd_rz(v, 1e-9f); y[i + 32] = __fadd_ru(v, 1e-9f); y[i + 64] = __fmul_rd(v, 1.1f);
  y[i + 96] = __fdiv_ru(v, 3.f); y[i + 128] = __fsqrt_rd(v); y[i + 160] = __double2float_ru(d[i]);
  z[i] = __dadd_rd(d[i], 1e-20); z[i + 32] = __ddiv_ru(d[i], 3.0);
  n[i] = __float2int_rn(v); n[i + 32] = __float2int_ru(v); n[i + 64] = (int)(v * 1e20f);
  n[i + 96] = __float_as_int(v);
}
"""


def test_single_precision_mathematics() -> None:
    x = np.linspace(0.1, 9, 32, dtype=np.float32)
    y = np.zeros(448, np.float32)
    program(LIBRARY).launch("single", 1, 32, x, y)
    w = x.astype(np.float64)
    expected = [
        np.sin(w), np.exp(w), np.sqrt(w), w**1.5, 1 / np.sqrt(w), np.exp(w), w * w + 1,
        np.arctan2(w, 2), np.log(w), np.tanh(w), np.floor(w), np.minimum(w, 1),
        np.cos((x * np.float32(1e5)).astype(np.float64)), w / 3,
    ]  # fmt: skip
    for k, want in enumerate(expected):
        assert np.allclose(y[32 * k : 32 * k + 32], want, rtol=1e-5, atol=2e-6), k


def test_double_precision_mathematics() -> None:
    x, y = np.linspace(0.1, 9, 32), np.zeros(224)
    program(LIBRARY).launch("twice", 1, 32, x, y)
    erf = np.array([math.erf(v) for v in x])
    expected = [np.sin(x), np.exp(x), np.sqrt(x), x**1.5, np.log(x), 1 / x, erf]
    for k, want in enumerate(expected):
        assert np.allclose(y[32 * k : 32 * k + 32], want, rtol=1e-14), k


def test_integer_functions() -> None:
    x = (np.arange(1, 33, dtype=np.int64) * 1234567 % 2**31 - 2**30).astype(np.int32)
    y = np.zeros(384, np.int32)
    program(LIBRARY).launch("integers", 1, 32, x, y)
    for k, v in enumerate(x.tolist()):
        bits = v & 0xFFFFFFFF
        other = ~v & 0xFFFFFFFF
        both = bits | other << 32
        permuted = sum((both >> 8 * (0x1637 >> 4 * n & 7) & 255) << 8 * n for n in range(4))
        want = [
            bits.bit_count(), 32 - bits.bit_length(), (bits & -bits).bit_length(),
            int(f"{bits:032b}"[::-1], 2), v * v >> 32, bits * bits >> 32, permuted,
            (both << 5) >> 32, abs(v - 100) + 3, None, abs(v), min(v, 4) + max(v, 9),
        ]  # fmt: skip
        for n, value in enumerate(want):
            if value is not None:
                assert int(y[32 * n + k]) & 0xFFFFFFFF == value & 0xFFFFFFFF, (n, v)


def test_directed_rounding() -> None:
    x = np.linspace(0.1, 90, 32, dtype=np.float32)
    d = np.linspace(0.1, 90, 32)
    y, z, n = np.zeros(192, np.float32), np.zeros(64), np.zeros(128, np.int32)
    program(LIBRARY).launch("rounding", 1, 32, x, d, y, z, n)
    assert np.array_equal(y[:32], x)
    assert np.array_equal(y[32:64], np.nextafter(x, np.float32(np.inf)))
    exact = x.astype(np.float64) * np.float64(np.float32(1.1))
    assert np.all(y[64:96] <= exact)
    assert np.all(np.nextafter(y[64:96], np.float32(np.inf)) > exact)
    third = x.astype(np.float64) / 3
    assert np.all(y[96:128] >= third)
    assert np.all(np.nextafter(y[96:128], np.float32(0)) < third)
    root = np.sqrt(x.astype(np.float64))
    assert np.all(y[128:160] <= root)
    assert np.all(y[160:192] >= d)
    assert np.array_equal(z[:32], d)
    assert np.all((z[32:] == d / 3) | (z[32:] == np.nextafter(d / 3, np.inf)))
    assert n[:32].tolist() == np.rint(x).astype(int).tolist()
    assert n[32:64].tolist() == np.ceil(x).astype(int).tolist()
    assert n[64:96].tolist() == [2**31 - 1] * 32
    assert n[96:].tolist() == x.view(np.int32).tolist()
