__global__ void k(float* a, const float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = __ldg(&b[i]);
  a[i] += __ldg(&b[8 * i]);  // drano: expect[DRN001]
}
