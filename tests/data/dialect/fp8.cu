// Eight-, six- and four-bit floating point.
#include <cuda_fp8.h>
#if CUDART_VERSION >= 12080
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#endif
__global__ void small(__nv_fp8_e4m3 *out, const float *in, __nv_fp8x4_e5m2 *four, const float4 *in4, __nv_fp8_storage_t *raw) {
  int i = threadIdx.x;
  out[i] = __nv_fp8_e4m3(in[i]);
  float back = float(out[i + 1]);
  four[i] = __nv_fp8x4_e5m2(in4[i]);
  raw[i] = __nv_cvt_float_to_fp8(back, __NV_SATFINITE, __NV_E4M3);
  __half_raw h = __nv_cvt_fp8_to_halfraw(raw[i], __NV_E5M2);
  raw[i] += h.x;
}
