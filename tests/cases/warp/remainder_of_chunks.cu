// Each thread has 32 elements, whose coordinates are quotients and remainders: within a row lanes are
// one block of 32 apart, whatever the sizes are.
struct Quantised {
  short scale;
  char values[30];
};
__global__ void rows(Quantised* out, long n, long width, long pitch) {
  long i = (long(blockDim.x) * blockIdx.x + threadIdx.x) * 32;
  if (i >= n) return;
  long row = i / width;
  long column = i - row * width;
  out[row * pitch + column / 32].scale = 1;  // drano: expect[DRN001] "(32 bytes) apart"
}
__global__ void planes(Quantised* out, long n, long w, long h, long row, long plane) {
  long i = (long(blockDim.x) * blockIdx.x + threadIdx.x) * 32;
  if (i >= n) return;
  long z = i / (w * h);
  long y = (i - z * w * h) / w;
  long x = i - z * w * h - y * w;
  out[z * plane + y * row + x / 32].scale = 1;  // drano: expect[DRN001] "(32 bytes) apart"
}
__global__ void bytes(char* out, long n, long w, long h, long block, long row, long plane) {
  long i = (long(blockDim.x) * blockIdx.x + threadIdx.x) * 32;
  if (i >= n) return;
  long z = i / (w * h);
  long y = (i - z * w * h) / w;
  long x = i - z * w * h - y * w;
  out[z * plane + y * row + x / 32 * block] = 1;  // drano: expect[DRN004] "`block` may be 1"
}
__global__ void in_order(int* out, long n, long width, long pitch) {
  long i = (long(blockDim.x) * blockIdx.x + threadIdx.x) * 32;
  if (i >= n) return;
  out[i / width * pitch + i % width / 32] = 1;
}
void go(Quantised* a, int* b, long n) {
  rows<<<9, 64>>>(a, n, n, n);
  planes<<<9, 64>>>(a, n, n, n, n, n);
  bytes<<<9, 64>>>((char*)b, n, n, n, n, n, n);
  in_order<<<9, 64>>>(b, n, n, n);
}
