// Neighbours of a float stencil cost a fifth sector: below DRN002's threshold.
// drano: expect-none
__global__ void blur(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + in[i + 1];
}
