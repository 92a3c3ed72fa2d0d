__global__ void count(int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i], 1);
  atomicAdd(&bins[16 * i], 1);  // drano: expect[DRN001] "atomic"
}
