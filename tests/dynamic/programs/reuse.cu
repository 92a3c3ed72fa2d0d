// How often blocks read what they read: figures are in test_reuse.py.
#include <cuda_runtime.h>

__global__ void multiply(float *c, const float *a, const float *b, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

__global__ void filter(float *out, const float *in, const float *weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 17; k++) sum += in[i + k] * weights[k];
  out[i] = sum;
}

__global__ void own(float *out, const float *in) {  // a register's business
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 17; k++) out[i] += in[i];
}

__global__ void whole(double *out, const double *all, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += all[(threadIdx.x + k) % n];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const int n = 64;
  float *a, *b, *c;
  double *d, *e;
  cudaMalloc(&a, n * n * 4 + 64);
  cudaMalloc(&b, n * n * 4);
  cudaMalloc(&c, n * n * 4);
  cudaMalloc(&d, 8192 * 8);
  cudaMalloc(&e, 8192 * 8);
  multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
  filter<<<n * n / 256, 256>>>(c, a, b);
  for (int round = 0; round < 5; round++) own<<<n * n / 256, 256>>>(c, a);
  whole<<<1, 128>>>(e, d, 8192);
  return cudaDeviceSynchronize() != cudaSuccess;
}
