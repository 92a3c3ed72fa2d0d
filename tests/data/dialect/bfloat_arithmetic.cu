// Arithmetic, comparisons and conversions of bfloat16.
#include <cuda_bf16.h>
using bf16 = __nv_bfloat16;
__global__ void bfloats(bf16 *out, const bf16 *in, nv_bfloat162 *out2, const __nv_bfloat162 *in2, int n) {
  int i = threadIdx.x;
  bf16 a = in[i], b = in[i + 1];
  out[i] = a + b * a - b / a; out[i] += a; out[i] = -b; out[i] = __hadd(a, b); out[i] = __hfma(a, b, a);
  out[i] = __hmax(a, b); out[i] = hexp(a); out[i] = hsqrt(b); out[i] = __habs(a);
  if (a < b || __hgt(a, b) || a == b || __hisnan(a)) out[i] = __float2bfloat16(1.0f);
  out[i] = (bf16)1; out[i] = 2.0f; out[i] = 3.0; out[i] = __float2bfloat16_rn(n); out[i] = bf16(n);
  float f = a; f += (float)b + __bfloat162float(a); int k = a; f += k + (double)a;
  __nv_bfloat162 c = in2[i], d = in2[i + 1];
  out2[i] = c + d * c; out2[i] = __hmul2(c, d); out2[i] = __hfma2(c, d, c); out2[i] = __halves2bfloat162(a, b);
  out2[i] = make_bfloat162(a, b); out2[i] = __float2bfloat162_rn(f); out2[i] = __floats2bfloat162_rn(f, f);
  float2 g = __bfloat1622float2(c); out2[i] = __float22bfloat162_rn(g); out2[i] = h2exp(c);
  out[i] = c.x; out[i] = __low2bfloat16(c); out[i] = __ldg(in + i); out2[i] = __ldg(in2 + i);
  out[i] = __shfl_xor_sync(~0u, a, 1); out2[i] = __shfl_down_sync(~0u, c, 1);
  out[i] = __ushort_as_bfloat16(0x3f80); out2[i] = __lows2bfloat162(c, d);
  atomicAdd(out + i, a); atomicAdd(out2 + i, c);
}
