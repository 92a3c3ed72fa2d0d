// drano-flags: --block 16,16
// A warp is two rows of 16: each 64 bytes, whole sectors where rows are aligned.
__global__ void k(float* a, float* b) {
  a[(blockIdx.y * 16 + threadIdx.y) * 1024 + blockIdx.x * 16 + threadIdx.x] = 0;
  b[threadIdx.x * 1024 + threadIdx.y] = 0;  // drano: expect[DRN001]
}
