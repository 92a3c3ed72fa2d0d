// nvcc: --extended-lambda
// CUB and thrust of the SDK.
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
template <int N> __global__ void blocks(int *out, const int *in) {
  typedef cub::BlockReduce<int, N> Reduce; typedef cub::BlockScan<int, N> Scan; typedef cub::BlockLoad<int, N, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
  __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; typename Load::TempStorage load; } storage;
  int items[4];
  Load(storage.load).Load(in, items);
  __syncthreads();
  int total = Reduce(storage.reduce).Sum(items[0]);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items[1], items[1]);
  using Warp = cub::WarpReduce<int>; __shared__ typename Warp::TempStorage warp[N / 32];
  out[threadIdx.x] = total + items[1] + Warp(warp[threadIdx.x / 32]).Sum(items[2]) + cub::ThreadLoad<cub::LOAD_LDG>(in + threadIdx.x);
}
template __global__ void blocks<128>(int *, const int *);
struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
void host(thrust::device_vector<float> &v, int *p, int n, cudaStream_t s) {
  thrust::transform(v.begin(), v.end(), v.begin(), Square());
  float total = thrust::reduce(v.begin(), v.end(), 0.0f, thrust::plus<float>());
  thrust::sort(thrust::device, v.begin(), v.end());
  thrust::exclusive_scan(thrust::cuda::par.on(s), v.begin(), v.end(), v.begin());
  float *raw = thrust::raw_pointer_cast(v.data());
  thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), [=] __device__(int i) { raw[i] = total; });
  size_t bytes = 0; cub::DeviceScan::InclusiveSum(nullptr, bytes, p, p, n); cub::DeviceRadixSort::SortKeys(nullptr, bytes, p, p, n); cub::DeviceReduce::Sum(nullptr, bytes, p, p, n);
}
