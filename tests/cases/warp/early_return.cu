__global__ void k(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = 0;
  a[4 * i] = 1;  // drano: expect[DRN001]
}
