// drano-flags: --domain gpudrano
// drano: expect-none
__global__ void k(float* a) {
  __shared__ float tile[64];
  tile[2 * threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = tile[2 * threadIdx.x];
}
