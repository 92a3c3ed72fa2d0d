// drano-flags: --domain gpudrano
// The load passes, the store does not: blockIdx and threadIdx.y are uniform to the paper, but x * height is not.
__global__ void transpose(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * height + y] = in[y * width + x];  // drano: expect[DRN001] "⊤"
}
