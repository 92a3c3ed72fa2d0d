// nvcc: -arch=sm_75
// The same operators on a device that has no bfloat16 instructions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void old(__nv_bfloat16 *out, const __nv_bfloat16 *in, __half *h, float f) {
  int i = threadIdx.x;
  out[i] = in[i] * in[i + 1] + __float2bfloat16(f) - in[i] / in[i + 2];
  out[i] = (float)in[i]; out[i] = hexp(in[i]); out[i] = __hmax(in[i], out[i]);
  if (in[i] < out[i]) out[i] = in[i];
  h[i] = h[i + 1] * __half(f) + __float2half(f);
}
