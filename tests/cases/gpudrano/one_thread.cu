// drano-flags: --domain gpudrano
// Under `tid == c` one lane is active: never flagged.
__global__ void k(float* a, int n) {
  if (threadIdx.x == 0) a[n * threadIdx.x] = 1;
  if (threadIdx.x != 0) a[n * threadIdx.x] = 1;  // drano: expect[DRN001]
}
