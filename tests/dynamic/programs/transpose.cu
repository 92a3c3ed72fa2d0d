// One coalesced and one uncoalesced access, with the block known to the analysis.
__global__ void transpose(const float *from, float *to, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  to[x * n + y] = from[y * n + x];
}
int main() {
  int n = 256;
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  transpose<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
