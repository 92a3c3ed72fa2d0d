// A grid-stride loop keeps lanes neighbours; a chunk for each thread does not.
__global__ void k(float* a, const float* b, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += gridDim.x * blockDim.x) a[i] = 0;
  for (int k = 0; k < 16; ++k) {
    a[first] += b[16 * first + k];  // drano: expect[DRN001] "64 bytes"
  }
}
