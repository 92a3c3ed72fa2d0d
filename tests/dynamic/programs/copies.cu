// Copies from global to shared memory, in all the ways that CUDA has; prints what is wrong.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)

__global__ void primitives(const float *in, float *out) {
  __shared__ float s[64];
  __shared__ float4 v[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4, t < 16 ? 0 : 4);
  __pipeline_memcpy_async(&v[t], &((const float4 *)in)[t], 16, t < 63 ? 0 : 12);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t] + v[63 - t].z + v[t].w;
}
__global__ void group(const float *in, float *out) {
  __shared__ float s[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  cg::wait(block);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void pipeline(const float *in, float *out) {
  __shared__ float s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int fetched = 0, used = 0; used < 4; used++) {
    for (; fetched < 4 && fetched < used + 2; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[fetched % 2], in + 64 * fetched, 256, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[used % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
__global__ void barrier(const float *in, float *out) {
  __shared__ float s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, block.size());
  block.sync();
  for (int round = 0; round < 3; round++) {
    cuda::memcpy_async(block, s, in + 64 * round, sizeof s, arrived);
    arrived.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
    block.sync();
  }
}
__global__ void tokens(int *out) {
  __shared__ int s[128], rounds;
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  int t = threadIdx.x;
  if (t == 0) init(&arrived, blockDim.x), rounds = 0;
  __syncthreads();
  if (t >= 96) { // the last warp leaves
    s[t] = t;
    arrived.arrive_and_drop();
    return;
  }
  for (int round = 0; round < 5; round++) {
    s[t] = t + round;
    auto token = arrived.arrive();
    if (t == 5) atomicAdd(&rounds, 1);
    arrived.wait(std::move(token));
    int other = s[95 - t];
    arrived.arrive_and_wait();
    if (round == 4) out[t] = other + s[96 + t % 32] + rounds;
  }
}
int main() {
  float *in, *out;
  cudaMallocManaged(&in, 1024 - 8); // without the last two
  cudaMallocManaged(&out, 256);
  auto done = [] { WANT(cudaDeviceSynchronize() == cudaSuccess); };
  for (int k = 0; k < 254; k++) in[k] = k + 1;
  primitives<<<1, 64>>>(in, out), done();
  for (int k = 0; k < 64; k++) {
    float third = k ? 4 * (63 - k) + 3 : 0, fourth = k < 63 ? 4 * k + 4 : 0;
    WANT(out[k] == (k < 48 ? 0 : 64 - k) + third + fourth);
  }
  group<<<1, 64>>>(in, out), done();
  for (int k = 0; k < 64; k++) WANT(out[k] == 64 - k);
  cudaFree(in);
  cudaMallocManaged(&in, 1024);
  for (int k = 0; k < 256; k++) in[k] = k + 1;
  pipeline<<<1, 64>>>(in, out), done();
  for (int k = 0; k < 64; k++) WANT(out[k] == 4 * (64 - k) + 64 * 6);
  barrier<<<1, 64>>>(in, out), done();
  for (int k = 0; k < 64; k++) WANT(out[k] == 64 - k + 128);
  tokens<<<1, 128>>>((int *)in), done();
  for (int k = 0; k < 96; k++) WANT(((int *)in)[k] == 95 - k + 4 + 96 + k % 32 + 5);
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
