// Histogram of bytes. The first kernel lets each thread count a chunk of its own straight into
// global memory: strided loads, scattered atomics. The second reads neighbours and counts in
// shared memory first.
#include <cstdio>
#include <vector>

constexpr int kBins = 256;
constexpr int kChunk = 64;

__global__ void histogram_scattered(const unsigned char* data, unsigned int* bins, int n) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kChunk;
  for (int k = 0; k < kChunk; ++k) {
    if (begin + k < n) atomicAdd(&bins[data[begin + k]], 1u);
  }
}

__global__ void histogram_private(const unsigned char* data, unsigned int* bins, int n) {
  __shared__ unsigned int count[kBins];
  count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&count[data[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}

int main() {
  const int n = 1 << 20;
  std::vector<unsigned char> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * 7);
  unsigned char* data;
  unsigned int* bins;
  cudaMalloc(&data, n);
  cudaMalloc(&bins, kBins * sizeof(unsigned int));
  cudaMemcpy(data, host.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, kBins * sizeof(unsigned int));

  histogram_scattered<<<n / (kBins * kChunk), kBins>>>(data, bins, n);
  histogram_private<<<32, kBins>>>(data, bins, n);

  unsigned int result[kBins];
  cudaMemcpy(result, bins, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("bins[0] = %u, expected %d\n", result[0], 2 * n / kBins);
  cudaFree(data);
  cudaFree(bins);
  return result[0] == 2u * n / kBins ? 0 : 1;
}
