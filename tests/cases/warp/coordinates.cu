// drano-flags: --block 256
// A flat index taken apart by sizes that nobody knows, and put together with others.
__global__ void transpose(float *z, const float *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = i / w, x = i % w;
  z[x * h + y] = a[i];  // drano: expect[DRN004] "if w >= 32"
}
__global__ void padded(float *z, const float *a, int nx, int ny, int sy, int sz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % nx, y = i / nx % ny, t = i / (nx * ny);
  z[i] = a[t * sz + y * sy + x];
}
__global__ void same(float *z, const float *a, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = i / w, x = i % w;
  z[y * w + x] = a[x] + a[y];
}
// Three elements to a row: their rows lie side by side, so nothing is proved of the other order.
__global__ void triples(float *z, const float *a, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = a[i % 3 * s + i / 3];
}
