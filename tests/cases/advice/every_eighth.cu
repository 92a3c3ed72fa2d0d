__global__ void even(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[8 * i];  // drano: expect[DRN001] "this access takes one in 8 elements of `in`"
}
