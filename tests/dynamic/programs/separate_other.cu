// The second unit: what the first one uses, and static names that the first one has, too.
#include "separate.cuh"
__device__ int scale = 7;
__constant__ __align__(128) int weights[32];
__device__ __align__(128) double table[64] = {4, 3, 2, 1};
static __device__ __align__(128) int own[32] = {10, 20, 30};
static __device__ int helped(int index) { return own[index]; }
__device__ int scaled(const int *values, int index) { return values[index] * scale; }
__device__ __noinline__ int deep(const int *values, int depth) {
  return depth ? values[depth] + deep(values, depth - 1) : values[0];
}
__global__ void other(int *out, int step) { out[threadIdx.x * step % 32] += helped(threadIdx.x); }
int launch_other(int *out) {
  int last, *scratch;
  cudaMalloc(&scratch, 32 * sizeof(int));
  cudaMemset(scratch, 0, 32 * sizeof(int));
  double *doubles = reinterpret_cast<double *>(scratch);
  copied<double><<<1, 8, 32 * sizeof(double)>>>(doubles, reinterpret_cast<double *>(out));
  copied<int><<<1, 32, 32 * sizeof(int)>>>(scratch, out);
  other<<<1, 16>>>(scratch, 1);
  cudaMemcpy(&last, scratch + 31, sizeof last, cudaMemcpyDeviceToHost);
  return last;
}
