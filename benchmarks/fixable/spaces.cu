// Loops through a pointer into shared memory, or into global: split-memory-spaces mends both.
//
//   drano fix --verify spaces.cu -- 4 64
//   nvcc -O3 spaces.cu -o spaces && ./spaces       4096 blocks, 1024 turns; shared if that is even
#include <cstdio>
#include <cstdlib>

// All lanes read the same element.
__global__ void same_element(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = staged ? tile : in;
  float total = 0;
  for (int k = 0; k < n; k++) {
    total = total * 0.5f + from[k % 256];
  }
  out[blockIdx.x * 256 + threadIdx.x] = total;
}

// Each lane has an element of its own.
__global__ void own_element(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = staged ? tile : in;
  float total = 0;
  for (int k = 0; k < n; k++) {
    total = total * 0.5f + from[(threadIdx.x + k) % 256];
  }
  out[blockIdx.x * 256 + threadIdx.x] = total;
}

int main(int count, char** arguments) {
  int blocks = count > 1 ? atoi(arguments[1]) : 4096, n = count > 2 ? atoi(arguments[2]) : 1024;
  float *in, *out, sum = 0;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, blocks * 1024);
  cudaMemset(in, 1, 1024);
  bool staged = n % 2 == 0;
  for (int turn = 0; turn < 3; turn++) {
    same_element<<<blocks, 256>>>(out, in, n, staged);
    own_element<<<blocks, 256>>>(out, in, n, staged);
  }
  cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", sum);
}
