// Kernels that tell one size of their blocks; nobody shows a launch. Rows of 8 threads lie apart in
// memory, so that a warp of four rows is uncoalesced, whatever the other sizes are.
__global__ void narrow(float *a) {
  if (blockDim.x != 8) return;
  a[threadIdx.x + 1001 * threadIdx.y] = 1;  // drano: expect[DRN001] "8 sectors where 4 would do"
}

// Half a warp a row: two runs of 64 bytes, wherever an unknown pitch puts them.
__global__ void pitched(float *a, int s) {
  if (blockDim.x != 16) return;
  a[threadIdx.x + 16 * threadIdx.y * s] = 1;
}

// A comparison of some bits, one for order, and one that comes too late tell nothing.
__global__ void bits(float *a) {
  if ((unsigned char)blockDim.x != 8) return;
  a[threadIdx.x + 1001 * threadIdx.y] = 1;
}

__global__ void late(float *a) {
  a[threadIdx.x + 1001 * threadIdx.y] = 1;
  if (blockDim.x != 8) return;
  a[threadIdx.x] = 2;
}
