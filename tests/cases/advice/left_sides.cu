// Messages quote the accessed expression, wherever the compiler puts the access.
__global__ void put(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[3 * i] = 1;  // drano: expect[DRN001] "store to `a[3 * i]`"
  float* p = a + 5 * i;
  *p = 2;  // drano: expect[DRN001] "store to `*p` in `a`"
  a[7 * i]++;  // drano: expect[DRN001] "of `a[7 * i]`"
  atomicAdd(&a[9 * i], 1.0f);  // drano: expect[DRN001] "atomic on `a[9 * i]`"
}
