// Matrix transpose: the naive kernel reads along rows but writes down columns; the tiled one
// turns the matrix in shared memory, so that both sides go along rows.
#include <cstdio>
#include <vector>

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_naive(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < width && y + j < height) {
      out[x * height + y + j] = in[(y + j) * width + x];
    }
  }
}

__global__ void transpose_tiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];  // + 1: no two lanes of a column share a bank
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

int main() {
  const int width = 2048, height = 1024;
  std::vector<float> matrix(width * height);
  for (int i = 0; i < width * height; ++i) matrix[i] = static_cast<float>(i);

  float *in, *out;
  cudaMalloc(&in, matrix.size() * sizeof(float));
  cudaMalloc(&out, matrix.size() * sizeof(float));
  cudaMemcpy(in, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);

  dim3 block(kTile, kRows);
  dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose_naive<<<grid, block>>>(out, in, width, height);
  transpose_tiled<<<grid, block>>>(out, in, width, height);

  cudaMemcpy(matrix.data(), out, matrix.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[1] = %g, expected %d\n", matrix[1], width);
  cudaFree(in);
  cudaFree(out);
  return matrix[1] == static_cast<float>(width) ? 0 : 1;
}
