// Atomic sums of half numbers, alone and in pairs.
#include <cstdio>
#include <cuda_fp16.h>
__global__ void add(__half *one, __half2 *two) {
  int t = threadIdx.x;
  atomicAdd(one + t / 2, __float2half(1.5f));
  atomicAdd(two + t / 4, __floats2half2_rn(1.f, 2.f));
}
int main() {
  __half *one;
  __half2 *two;
  cudaMallocManaged(&one, 256);
  cudaMallocManaged(&two, 256);
  cudaMemset(one, 0, 256);
  cudaMemset(two, 0, 256);
  add<<<1, 32>>>(one, two);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = __half2float(one[3]) == 3 && __half2float(two[2].x) == 4 &&
               __half2float(two[2].y) == 8;
  puts(right ? "all as it should be" : "wrong");
  return !right;
}
