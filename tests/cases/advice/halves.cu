// Numbers of 16 bits are structures of one member: what lies beside them counts as of others.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void four(const __nv_bfloat16* p, float* out) {
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 4; j++)
    // drano: expect[DRN001] "each thread accesses 4 adjacent elements: combine them into one access of 8 bytes"
    sum += __bfloat162float(p[4 * threadIdx.x + j]);
  out[threadIdx.x] = sum;
}

__global__ void one(const __half* p, float* out) {
  // drano: expect[DRN001] "takes one in 4 elements of `p`"
  out[threadIdx.x] = __half2float(p[4 * threadIdx.x]);
}
