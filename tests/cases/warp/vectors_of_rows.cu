// Vectors of four in rows of any length: signed division rounds towards zero, in all lanes of a row.
__global__ void copy(uchar4* b, const uchar4* a, int n) {
  int x = blockIdx.x * 64 + threadIdx.x * 4, y = blockIdx.y * 16 + threadIdx.y;
  b[(y * n + x) / 4] = a[(y * n + x) / 4];
}

__global__ void rows(uchar4* b, const uchar4* a, int n) {
  int y = blockIdx.y * 16 + threadIdx.y;
  b[(y * n + (int)threadIdx.x * 4) / 4] = a[(n + (int)threadIdx.x * 4) / 4];
}

__global__ void halves(uchar4* b, const uchar4* a, int n) {
  int x = blockIdx.x * 64 + threadIdx.x * 16, y = blockIdx.y * 16 + threadIdx.y;
  // drano: expect[DRN001]
  b[(y * n + x) / 4] = make_uchar4(1, 2, 3, 4);
}

void go(uchar4* b, const uchar4* a, int n) {
  dim3 block(16, 16), grid((n + 63) / 64, (n + 15) / 16);
  copy<<<grid, block>>>(b, a, n);
  rows<<<grid, block>>>(b, a, n);
  halves<<<grid, block>>>(b, a, n);
}
