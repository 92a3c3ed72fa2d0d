// What kernels execute, in numbers that can be told beforehand: tests/dynamic/test_work.py.
#include <cuda_fp16.h>

#include <cstdio>

__device__ float power(float x, int n) {
  float s = 1;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    s = s * x + 1.0f;
  return s;
}

__global__ void arithmetic(const float *in, float *out, double *wide, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = in[i];
#pragma unroll 1
  for (int j = 0; j < rounds; j++)
    t += power(in[i], rounds);
  if (i % 2)
    out[i] = sinf(t);
  else
    out[i] = t * 3.0f;
  wide[i] = wide[i] * 1.5 + t;
}

__global__ void halves(__half *h) {
  h[threadIdx.x] = __hadd(h[threadIdx.x], __float2half(2.0f));
}

int main(int count, char **) {
  const int n = 1000, rounds = 8 * count;
  float *in, *out;
  double *wide;
  __half *h;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, n * sizeof *out);
  cudaMalloc(&wide, n * sizeof *wide);
  cudaMalloc(&h, 64 * sizeof *h);
  cudaMemset(in, 0, n * sizeof *in);
  cudaMemset(wide, 0, n * sizeof *wide);
  cudaMemset(h, 0, 64 * sizeof *h);
  arithmetic<<<(n + 255) / 256, 256>>>(in, out, wide, n, rounds);
  halves<<<1, 64>>>(h);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
