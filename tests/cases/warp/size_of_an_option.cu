// Blocks are 16x16 if no option says otherwise; what else is usual, as n, is not held to be so.
#include <cstdlib>

__global__ void copy(float* b, const float* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  b[y * n + x] = a[y * n + x];
  // drano: expect[DRN004] "16 sectors where 4 would do"
  b[x * n + y] += 1;
}

__global__ void bytes(unsigned char* b, const unsigned char* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // drano: expect[DRN002]
  b[y * n + x] = a[y * n + x];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 512;
  unsigned width = argc > 2 ? atoi(argv[2]) : 16, height = argc > 3 ? atoi(argv[3]) : 16;
  float *a, *b;
  unsigned char *c, *d;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n);
  cudaMalloc(&d, n * n);
  dim3 block = {width, height, 1}, grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  copy<<<grid, block>>>(b, a, n);
  bytes<<<grid, block>>>(c, d, n);
}
