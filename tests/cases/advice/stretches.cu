// Every thread walks a stretch of its own, of known or unknown length.
__global__ void sums(float* out, const float* rows, const float* chunks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // drano: expect[DRN004] "its own chunk of `n` elements"
  for (int k = 0; k < n; ++k) sum += rows[i * n + k];
  // drano: expect[DRN001] "each thread accesses 24 adjacent elements"
  for (int k = 0; k < 24; ++k) sum += chunks[24 * i + k];
  out[i] = sum;
}
