// Kernels whose rows lie along threadIdx.x, in blocks that are not square: renumber-threads mends
// them, and swap-thread-indices the one of square blocks.
//
//   drano fix --verify blocks.cu -- 64
//   nvcc -O3 blocks.cu -o blocks && ./blocks       matrices of 8192 x 8192
#include <cstdio>
#include <cstdlib>

__global__ void add(float* out, const float* a, const float* b, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) out[row * n + column] = a[row * n + column] + b[row * n + column];
}

__global__ void scale(double* out, const double* a, double by, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) out[row * n + column] = a[row * n + column] * by;
}

__global__ void square(float* out, const float* a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) out[row * n + column] = a[row * n + column] * a[row * n + column];
}

int main(int count, char** words) {
  int n = count > 1 ? atoi(words[1]) : 8192;
  size_t elements = (size_t)n * n;
  double *in, *out;
  cudaMalloc(&in, elements * sizeof(double));
  cudaMalloc(&out, elements * sizeof(double));
  cudaMemset(in, 1, elements * sizeof(double));
  cudaMemset(out, 0, elements * sizeof(double));
  add<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>((float*)out, (float*)in, (float*)in, n);
  scale<<<dim3((n + 63) / 64, (n + 3) / 4), dim3(64, 4)>>>(out, in, 3.0, n);
  square<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>((float*)out, (float*)in, n);
  double last;
  cudaMemcpy(&last, out + elements - 1, sizeof(double), cudaMemcpyDeviceToHost);
  printf("%.17g\n", last);
}
