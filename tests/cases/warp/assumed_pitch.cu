// drano-flags: --select DRN002 --block 16,16 --assume w=30
// A pitch that is assumed decides whether short rows start at sectors.
__global__ void rows(float *out, int w) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * w + j] = 1;  // drano: expect[DRN002] "up to 6 sectors where 4 would do (1.5x)"
}
