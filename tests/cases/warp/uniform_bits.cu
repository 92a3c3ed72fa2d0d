// drano-flags: --block 256
// Indices whose bits are kept or flipped by a stride that nobody knows.
__global__ void bitonic(float *k, unsigned stride) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  unsigned at = 2 * i - (i & (stride - 1));
  float a = k[at], b = k[at + stride];
  k[at] = min(a, b);
  k[at + stride] = max(a, b);
}
__global__ void butterfly(float *k, const float *a, unsigned j) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  k[i] = a[i ^ j];
}
__global__ void ring(float *k, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  k[i] = a[i & (n - 1)];
  k[(i & (n - 1)) * 9] = 0;  // drano: expect[DRN001] "if n % 32 == 0"
}
__global__ void block_start(float *k, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  k[i] = a[i & -n];
}
