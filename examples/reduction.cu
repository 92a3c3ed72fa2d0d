// Sum of an array. In the first kernel each thread adds up a chunk of its own, so that lanes are a
// chunk apart, and combines in global memory with interleaved addresses; the second strides by the
// grid and combines in shared memory with sequential addresses.
#include <cstdio>
#include <vector>

constexpr int kBlock = 256;
constexpr int kChunk = 16;

__global__ void sum_interleaved(const float* in, float* partial) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < kChunk; ++k) sum += in[i * kChunk + k];
  partial[i] = sum;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    int left = 2 * step * threadIdx.x;
    if (left + step < kBlock) {
      float* mine = partial + blockIdx.x * kBlock;
      mine[left] += mine[left + step];
    }
    __syncthreads();
  }
}

__global__ void sum_sequential(const float* in, float* block_sum, int n) {
  __shared__ float partial[kBlock];
  float sum = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = kBlock / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) block_sum[blockIdx.x] = partial[0];
}

int main() {
  const int blocks = 64;
  const int n = blocks * kBlock * kChunk;
  std::vector<float> host(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, blocks * kBlock * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  sum_interleaved<<<blocks, kBlock>>>(in, out);
  sum_sequential<<<blocks, kBlock>>>(in, out, n);

  cudaMemcpy(host.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0.0f;
  for (int i = 0; i < blocks; ++i) sum += host[i];
  std::printf("sum = %g, expected %d\n", sum, n);
  cudaFree(in);
  cudaFree(out);
  return sum == static_cast<float>(n) ? 0 : 1;
}
