__global__ void even(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[2 * i];  // drano: expect[DRN001] "8 sectors where 4 would do (2.0x)"
}
