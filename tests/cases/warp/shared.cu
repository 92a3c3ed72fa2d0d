// Shared memory has banks, not lines.
// drano: expect-none
__global__ void reverse(float* a) {
  __shared__ float tile[32 * 33];
  tile[threadIdx.x * 33] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[(31 - threadIdx.x) * 33];
}
