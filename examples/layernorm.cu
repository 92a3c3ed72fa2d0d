// Mean and variance of each row of a matrix. In the first kernel each thread walks along a row of
// its own, so that the lanes of a warp read 32 rows at once: `drano fix` has them read the rows
// together, through shared memory. In the second a warp works on a row.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void moments_thread_per_row(float* mean, float* scale, const float* in, int rows,
                                       int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) sum += x[i];
    sum /= columns;
    float variance = 0.0f;
    for (int i = 0; i < columns; i++) {
      float shifted = x[i] - sum;
      variance += shifted * shifted;
    }
    mean[row] = sum;
    scale[row] = rsqrtf(variance / columns + 1e-5f);
  }
}

__device__ float sum_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
  return value;
}

__global__ void moments_warp_per_row(float* mean, float* scale, const float* in, int rows,
                                     int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + row * columns;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 32) sum += x[i];
  sum = sum_of_warp(sum) / columns;
  float variance = 0.0f;
  for (int i = lane; i < columns; i += 32) variance += (x[i] - sum) * (x[i] - sum);
  variance = sum_of_warp(variance);
  if (lane == 0) {
    mean[row] = sum;
    scale[row] = rsqrtf(variance / columns + 1e-5f);
  }
}

int main() {
  const int rows = 1000, columns = 96;
  std::vector<float> host(rows * columns), means(rows), scales(rows);
  for (int i = 0; i < rows * columns; i++) host[i] = i * 37 % 1009 * 0.01f;
  float *in, *mean, *scale;
  cudaMalloc(&in, host.size() * sizeof(float));
  cudaMalloc(&mean, rows * sizeof(float));
  cudaMalloc(&scale, rows * sizeof(float));
  cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);

  const int threads = 128;
  moments_thread_per_row<<<(rows + threads - 1) / threads, threads>>>(mean, scale, in, rows,
                                                                      columns);
  cudaMemcpy(means.data(), mean, rows * sizeof(float), cudaMemcpyDeviceToHost);
  moments_warp_per_row<<<(rows * 32 + threads - 1) / threads, threads>>>(mean, scale, in, rows,
                                                                         columns);
  cudaMemcpy(scales.data(), mean, rows * sizeof(float), cudaMemcpyDeviceToHost);
  double apart = 0;
  for (int i = 0; i < rows; i++) apart = std::fmax(apart, std::fabs(means[i] - scales[i]));
  printf("means differ by %.1e\n", apart);
  cudaFree(in);
  cudaFree(mean);
  cudaFree(scale);
}
