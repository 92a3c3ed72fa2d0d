// drano-flags: --domain gpudrano
// What the sides of a thread-dependent branch assigned is unknown behind it.
__global__ void k(float* a, int n) {
  int i = threadIdx.x;
  int j = threadIdx.x;
  if (threadIdx.x < 7) i = i + 1;
  if (n < 7) j = j + 1;
  a[i] = 0;  // drano: expect[DRN001]
  a[j] = 0;
}
