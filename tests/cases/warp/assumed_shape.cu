// Nothing shows how these kernels are launched: what rests on the shape that is assumed is a note.

// In blocks of 4x8 threads eight neighbours in y are side by side.
__global__ void swapped(float* out) {
  out[threadIdx.y + 8 * threadIdx.x] = 1.0f;  // drano: expect[DRN001] "assumes the block shape"
}

// The distance is 32 bytes in blocks of any shape.
__global__ void strided(float* out) {
  out[8 * threadIdx.x + 4096 * threadIdx.y] = 1.0f;  // drano: expect[DRN001] "lanes are 32 bytes apart"
}

// A block that is a row has no other shape.
__global__ void row(float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = 1.0f;  // drano: expect[DRN001]
}

// No conflict where a warp is two rows of a tile.
__global__ void tile(float* out) {
  __shared__ float square[16][17];
  square[threadIdx.x][threadIdx.y] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = square[0][threadIdx.x & 15];
}

// All threads of a block of 16x16 reach the barrier.
__global__ void barrier(float* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.y * 64 + threadIdx.x] = 1.0f;
    __syncthreads();  // drano: expect[DRN202] "assumes the block shape"
  }
  out[threadIdx.x] = 2.0f;
}

// Of at most 32 threads a block that is a row is one warp: nothing is added for others.
__global__ void __launch_bounds__(32) one_warp(float* out) {
  out[threadIdx.x / 32 * 4096 + threadIdx.x] = 1.0f;
}
