// The pointer is generic in get(), but it points to shared memory.
// drano: expect-none
__device__ float get(const float* p, int i) {
  return p[9 * i];
}

__global__ void k(float* a) {
  __shared__ float tile[32 * 9];
  tile[9 * threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = get(tile, 31 - threadIdx.x);
}
