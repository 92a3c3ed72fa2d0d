// Atomic sums of half numbers, alone and in pairs.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void add(__half *one, __half2 *two) {
  int t = threadIdx.x;
  atomicAdd(one + t / 2, __float2half(1.5f));
  atomicAdd(two + t / 4, __floats2half2_rn(1.f, 2.f));
}
__global__ void add_brains(__nv_bfloat16 *one, __nv_bfloat162 *two) {
  atomicAdd(one + threadIdx.x / 4, __float2bfloat16(0.5f));
  atomicAdd(two + threadIdx.x / 8, __floats2bfloat162_rn(3.f, 0.25f));
}
int main() {
  __half *one;
  __half2 *two;
  cudaMallocManaged(&one, 256);
  cudaMallocManaged(&two, 256);
  cudaMemset(one, 0, 256);
  cudaMemset(two, 0, 256);
  add<<<1, 32>>>(one, two);
  __nv_bfloat16 *brains;
  __nv_bfloat162 *pairs;
  cudaMallocManaged(&brains, 64);
  cudaMallocManaged(&pairs, 64);
  cudaMemset(brains, 0, 64);
  cudaMemset(pairs, 0, 64);
  add_brains<<<1, 32>>>(brains, pairs);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = __bfloat162float(brains[7]) == 2 && __bfloat162float(pairs[3].x) == 24 &&
               __bfloat162float(pairs[3].y) == 2 && __half2float(one[3]) == 3 && __half2float(two[2].x) == 4 &&
               __half2float(two[2].y) == 8;
  puts(right ? "all as it should be" : "wrong");
  return !right;
}
