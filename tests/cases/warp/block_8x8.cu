// drano-flags: --block 8,8
// Rows of 8 floats are a sector each, all of it used; of rows of 4 only half is.
__global__ void k(float* a, float* b) {
  a[threadIdx.y * 64 + threadIdx.x] = 0;
  if (threadIdx.x < 4) b[threadIdx.y * 64 + threadIdx.x] = 0;  // drano: expect[DRN001] "4 sectors where 2 would do"
}
