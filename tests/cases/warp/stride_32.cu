__global__ void row_heads(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[32 * i];  // drano: expect[DRN001] "32 sectors where 4 would do (8.0x)"
}
