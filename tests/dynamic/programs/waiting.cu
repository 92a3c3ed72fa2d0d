// Threads that wait for others by looking at memory: each kernel ends on a GPU, where all of its
// warps, and the blocks that fit, make progress. The argument chooses one.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

__device__ volatile int flags[64];

// The first warp waits for the last one.
__global__ void warps(int *out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (ready == 0) {}
    out[threadIdx.x] = ready;
  } else if (threadIdx.x == blockDim.x - 1) {
    ready = 7;
  }
  __syncthreads();
}

// Each block waits for the one behind it: all must have begun.
__global__ void blocks(int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x)
      while (flags[blockIdx.x + 1] == 0) {}
    out[blockIdx.x] = 7;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

// Lanes wait for another lane of their warp.
__global__ void lanes(int *out) {
  if (threadIdx.x < 31) {
    while (atomicAdd(out + 40, 0) == 0) {}
    out[threadIdx.x] = 7;
  } else {
    out[31] = 7;
    atomicExch(out + 40, 1);
  }
}

// A warp waits at a barrier for one that waits for a third.
__global__ void chain(int *out) {
  __shared__ int stage;
  if (threadIdx.x == 0) stage = 0;
  __syncthreads();
  const int warp = threadIdx.x / 32, count = blockDim.x / 32;
  if (threadIdx.x % 32 == 0) {
    do __threadfence_block();
    while (atomicAdd(&stage, 0) != count - 1 - warp);
    atomicAdd(&stage, 1);
  }
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = stage == count ? 7 : 0;
}

// A grid barrier, which some blocks reach only when they have seen others' work.
__global__ void grid(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    while (flags[40 + gridDim.x - 1] == 0) {}
  if (threadIdx.x == 0) flags[40 + blockIdx.x] = 1;
  cg::this_grid().sync();
  if (blockIdx.x == 0) {
    int sum = 0;
    for (int k = 0; k < gridDim.x; k++) sum += flags[40 + k];
    out[threadIdx.x] = sum == gridDim.x ? 7 : 0;
  }
}

int main(int, char **argv) {
  int *out, host[64] = {0}, choice = atoi(argv[1]), good = 0;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  switch (choice) {
    case 0: warps<<<1, 128>>>(out); break;
    case 1: blocks<<<32, 64>>>(out); break;
    case 2: lanes<<<1, 32>>>(out); break;
    case 3: chain<<<3, 256>>>(out); break;
    case 4: {
      void *arguments[] = {&out};
      cudaLaunchCooperativeKernel((void *)grid, dim3(6), dim3(32), arguments, 0, nullptr);
    }
  }
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 32; k++) good += host[k] == 7;
  printf("%s %d\n", cudaGetErrorName(error), good);
}
