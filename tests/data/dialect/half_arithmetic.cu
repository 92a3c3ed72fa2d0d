// Arithmetic, comparisons and conversions of half and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halves(__half *out, const __half *in, half2 *out2, const half2 *in2, int n) {
  int i = threadIdx.x;
  half a = in[i], b = in[i + 1];
  out[i] = a + b * a - b / a;
  out[i] += __hadd(a, b); out[i] -= __hmul(a, b); out[i] *= __hfma(a, b, a); out[i] = -out[i];
  out[i] = __hmax(a, b); out[i] = __hmin(a, b); out[i] = __habs(a); out[i] = hexp(a); out[i] = hsqrt(b);
  out[i] = hrsqrt(a); out[i] = hlog2(b); out[i] = hrcp(b); out[i] = htanh(a); out[i] = hsin(a);
  if (a < b || __hgt(a, b) || __hisnan(a) || a == b) out[i] = __float2half(1.0f);
  out[i] = (half)1; out[i] = 2.0f; out[i] = 3.0; out[i] = __int2half_rn(n); out[i] = half(n);
  float f = a; f += (float)b; f += __half2float(a); int k = a; bool t = b; f += k + t + (double)a + (unsigned)b;
  half2 c = in2[i], d = in2[i + 1];
  out2[i] = c + d * c; out2[i] = __hadd2(c, d); out2[i] = __hmul2(c, d); out2[i] = __hfma2(c, d, c);
  out2[i] = __halves2half2(a, b); out2[i] = make_half2(a, b); out2[i] = __float2half2_rn(f);
  out2[i] = __floats2half2_rn(f, f); float2 g = __half22float2(c); out2[i] = __float22half2_rn(g);
  out2[i] = h2exp(c); out2[i] = __hmax2(c, d); out2[i] = __hlt2(c, d); out2[i] = __low2half2(c);
  out[i] = c.x; out[i] = __low2half(c); out[i] = __high2half(d); out[i] = __ldg(in + i); out2[i] = __ldg(in2 + i);
  out2[i] = half2{a, b}; out[i] = __ushort_as_half(0x3c00); out[i] = __hfma_relu(a, b, a);
  out2[i] = __shfl_xor_sync(~0u, c, 1); out[i] = __shfl_down_sync(~0u, a, 1);
  atomicAdd(out + i, a); atomicAdd(out2 + i, c);
}
