// drano-flags: --block 16,16
// The lanes of a warp at the last column are one of each row, whichever column that is.
__global__ void borders(float *a, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  if (x == 0) a[y * nx + x] = 1;       // drano: expect[DRN004] "2 sectors where 1 would do"
  if (x == nx - 1) a[y * nx + x] = 2;  // drano: expect[DRN004] "2 sectors where 1 would do"
  if (y == 0) a[y * nx + x] = 3;
  if (y == ny - 1) a[y * nx + x] = 4;
}
__global__ void of_columns(float *a, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x != nx - 1) return;
  a[x * ny + y] = 1;
}
__global__ void corner(float *a, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == nx - 1 && y == ny - 1) a[y * nx + x] = 5;
}
