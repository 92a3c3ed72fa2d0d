// Objects in shared memory whose types have constructors: nvcc warns, and constructs nothing.
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cooperative_groups.h>

struct Complex {
  float re, im;
  __host__ __device__ Complex() : re(0), im(0) {}
  __host__ __device__ Complex(float r, float i) : re(r), im(i) {}
};
struct Member { Complex z[2]; int n; };
template <class T, int N> struct Buffer { T data[N]; __device__ T &operator[](int i) { return data[i]; } };
template <class T, int N> __global__ void constructed_by_the_host(T *p) {
  struct Part { T a[4]; };
  union Memory { T all[N]; Part part; Memory() {} };
  __shared__ Memory memory;
  memory.all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = memory.all[N - 1 - threadIdx.x];
}
template __global__ void constructed_by_the_host<float, 64>(float *);
struct Initialised { int n = 3; float f = 1.0f; };

template <class T>
__device__ T sum(const T *in) {
  __shared__ T tile[64];
  __shared__ Buffer<T, 32> buffer;
  tile[threadIdx.x] = in[threadIdx.x];
  buffer[threadIdx.x % 32] = tile[0];
  __syncthreads();
  return buffer[1];
}

__global__ void constructed(Complex *out, const Complex *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ Complex line[128];
  __shared__ Member members[4];
  __shared__ Initialised initialised;
  static __shared__ Complex one;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  line[threadIdx.x] = in[threadIdx.x];
  members[threadIdx.x % 4].n = initialised.n;
  one = line[0];
  bar.arrive_and_wait();
  out[threadIdx.x] = line[threadIdx.x ^ 1];
  out[threadIdx.x] = sum(in);
}

__global__ void atomics(int *out) {
  __shared__ cuda::std::array<int, 32> values;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  values[threadIdx.x % 32] = counter.fetch_add(1);
  out[threadIdx.x] = values[threadIdx.x % 32];
}
