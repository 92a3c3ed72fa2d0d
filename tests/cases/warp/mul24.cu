// Old intrinsics are multiplications.
__global__ void k(float* a) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  a[i] = 0;
  a[__umul24(threadIdx.x, 8)] = 0;  // drano: expect[DRN001] "32 bytes"
}
