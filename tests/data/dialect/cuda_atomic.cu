// libcu++: atomics, barriers, pipelines, asynchronous copies.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> device_counter;
__device__ cuda::std::atomic<unsigned> std_counter;

__global__ void atomics(int *out, cuda::atomic<int, cuda::thread_scope_device> *shared_with_all, float *f,
                        unsigned long long *wide) {
  int i = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(out[i]);
  ref.fetch_add(1, cuda::memory_order_relaxed);
  ref.store(ref.load() + 1);
  int expected = 3;
  ref.compare_exchange_strong(expected, 4);
  ref.fetch_max(i);
  shared_with_all[i].fetch_add(2);
  device_counter.fetch_sub(1);
  std_counter++;
  cuda::atomic_ref<float, cuda::thread_scope_block> fref(f[2 * i]);
  fref.fetch_add(1.0f);
  cuda::std::atomic_ref<unsigned long long> wref(wide[i]);
  wref.exchange(5);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

__global__ void staged(float *out, const float *in, int n) {
  extern __shared__ float tile[];
  auto block = cooperative_groups::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  pipeline.producer_acquire();
  cuda::memcpy_async(block, tile, in, sizeof(float) * 128, pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x];
  pipeline.consumer_release();
  auto own = cuda::make_pipeline();
  own.producer_acquire();
  cuda::memcpy_async(tile + 4 * threadIdx.x, in + 4 * threadIdx.x, cuda::aligned_size_t<16>(16), own);
  own.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(own);
}

__global__ void with_barrier(float *out, const float *in) {
  __shared__ alignas(128) float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), bar);
  auto token = bar.arrive();
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[threadIdx.x];
  cuda::barrier<cuda::thread_scope_block>::arrival_token t2 = cuda::device::barrier_arrive_tx(bar, 1, 0);
  bar.wait(cuda::std::move(t2));
}
