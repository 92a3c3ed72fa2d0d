// Blocks that are narrower than a warp: most neighbours are within a row, and what they are apart is
// told, not what ends of rows are.
__global__ void pairs(float *out, const unsigned char *mask, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = mask[2 * (y * width + x)];  // drano: expect[DRN001] "lanes are 2 bytes apart"
}

void launch(float *out, unsigned char *mask, int n) { pairs<<<dim3(n, n), dim3(8, 32)>>>(out, mask, n); }
