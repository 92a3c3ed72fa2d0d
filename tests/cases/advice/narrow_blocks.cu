// drano-flags: --block 4,32
// A warp of 4-wide blocks spans 8 rows.
__global__ void fill(float* a) {
  // drano: expect[DRN001] "launch blocks at least 32 threads wide: in a block of 4x32 threads, a warp spans 8 rows"
  a[threadIdx.y * 999 + threadIdx.x] = 0;
}
