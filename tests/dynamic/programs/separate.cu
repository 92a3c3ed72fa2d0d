// One of three units whose device code is linked: it uses what the others define.
#include "separate.cuh"
#include <cstdio>
extern "C" int add_up(const int *, int);
static __device__ __align__(128) int own[32] = {1, 2, 3};
static __device__ int helped(int index) { return own[index * 2 % 32]; }
__global__ void uses(int *out, const int *in) {
  int i = threadIdx.x;
  out[i] = scaled(in, i * 2 % 32) + weights[i] + helped(i) + scale;
  atomicAdd(&out[0], (int)table[i]);
}
__global__ void walks(int *out, const int *in) { out[threadIdx.x] = deep(in, threadIdx.x % 4); }
__global__ void floats(float *out, const float *in) { out[threadIdx.x] = from_library(in, threadIdx.x); }
static int sum(const int *device) {
  int host[32];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  return add_up(host, 32);
}
int main() {
  int *in, *out, host[32], three = 3;
  float *f;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&f, 64 * sizeof(float));
  for (int i = 0; i < 32; i++) host[i] = i * i;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, host, sizeof host);
  cudaMemset(f, 0, 64 * sizeof(float));
  uses<<<1, 32>>>(out, in);
  printf("%d ", sum(out));
  cudaMemcpyToSymbol(scale, &three, sizeof three);
  uses<<<1, 32>>>(out, in);
  printf("%d ", sum(out));
  walks<<<1, 32>>>(out, in);
  printf("%d ", sum(out));
  other<<<1, 32>>>(out, 3);
  printf("%d ", launch_other(out));
  printf("%d ", sum(out));
  copied<int><<<1, 32, 32 * sizeof(int)>>>(out, in);
  printf("%d ", sum(out));
  floats<<<1, 32>>>(f, f + 32);
  cudaMemcpy(host, f, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %s\n", host[1], cudaGetErrorName(cudaDeviceSynchronize()));
}
