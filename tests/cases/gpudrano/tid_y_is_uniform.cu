// drano-flags: --domain gpudrano
// Without --tid-y the second dimension is not seen.
// drano: expect-none
__global__ void k(float* a, int pitch) {
  a[threadIdx.y * pitch + threadIdx.x] = 0;
}
