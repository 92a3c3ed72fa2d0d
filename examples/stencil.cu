// Five-point stencil on a grid whose rows are padded to whole cache lines. Marching each thread
// along a row puts neighbouring lanes a whole row apart; marching down a column keeps them
// neighbours. Reads of the left and right neighbour are off by one element: a fifth sector for
// four, which only `--select DRN002` reports.
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kPitch = 1024;

__global__ void stencil_row_per_thread(const float* in, float* out, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (y >= height - 1) return;
  for (int x = 1; x < kPitch - 1; ++x) {
    const float* p = in + y * kPitch + x;
    out[y * kPitch + x] = 0.2f * (p[0] + p[-1] + p[1] + p[-kPitch] + p[kPitch]);
  }
}

__global__ void stencil_column_per_thread(const float* in, float* out, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < 1 || x >= kPitch - 1) return;
  for (int y = 1; y < height - 1; ++y) {
    const float* p = in + y * kPitch + x;
    out[y * kPitch + x] = 0.2f * (p[0] + p[-1] + p[1] + p[-kPitch] + p[kPitch]);
  }
}

int main() {
  const int height = 1024;
  std::vector<float> grid(kPitch * height, 1.0f);
  const size_t bytes = grid.size() * sizeof(float);
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, grid.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, grid.data(), bytes, cudaMemcpyHostToDevice);

  stencil_row_per_thread<<<height / 128, 128>>>(a, b, height);
  std::swap(a, b);
  stencil_column_per_thread<<<kPitch / 128, 128>>>(a, b, height);

  cudaMemcpy(grid.data(), b, bytes, cudaMemcpyDeviceToHost);
  std::printf("out[1][1] = %g, expected 1\n", grid[kPitch + 1]);
  cudaFree(a);
  cudaFree(b);
  return 0;
}
