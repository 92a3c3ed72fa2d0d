// A copy from rows to columns: swapping x and y would only move the cost to the load.
__global__ void transpose(double* out, const double* in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // drano: expect[DRN004] "read `in` along its rows into a tile (`__shared__ double tile[32][33]`)"
  out[x * height + y] = in[y * width + x];
}
