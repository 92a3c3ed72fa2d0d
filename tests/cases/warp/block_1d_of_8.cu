// drano-flags: --block 8,8
// Rows of 8 floats are a sector each: no waste. Rows of 4 would be.
__global__ void k(float* a, float* b) {
  a[threadIdx.y * 64 + threadIdx.x] = 0;
  if (threadIdx.x < 4) b[threadIdx.y * 64 + threadIdx.x] = 0;
}
// drano: expect-none
