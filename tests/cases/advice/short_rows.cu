// Lanes run along rows, but only a few along each: to swap x and y would leave as many.
__global__ void parts_of_a_fragment(int* c, int n, int value) {
  int row = blockIdx.x * 8 + threadIdx.x / 4, lane = threadIdx.x % 4;
  // drano: expect[DRN004] "lanes are neighbours in short rows only; 8 sectors where 4 would do"
  c[row * n + blockIdx.y * 64 + threadIdx.y * 8 + lane] = value;
  // drano: expect[DRN004] "a warp takes 16 bytes of each row: let more of its lanes run along a row"
  c[(row + 8) * n + blockIdx.y * 64 + threadIdx.y * 8 + lane] = value;
}

__global__ void pairs(double* c, int n) {
  // drano: expect[DRN004] "a warp takes 16 bytes of each row"
  c[threadIdx.x / 2 * n + threadIdx.x % 2] = 1;
}

// Of every row one element, or two that are not side by side.
__global__ void columns(int* c, int* d, int n) {
  c[threadIdx.x * n] = 1;  // drano: expect[DRN004] "store `c` transposed"
  // drano: expect[DRN004] "store `d` transposed"
  d[threadIdx.x / 2 * n + threadIdx.x % 2 * 16] = 1;
}

void run(int* c, int n) {
  parts_of_a_fragment<<<dim3(n, n), dim3(32, 4)>>>(c, n, 1);
  columns<<<1, 32>>>(c, c, n);
}
