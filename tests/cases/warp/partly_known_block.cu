// Of a block the sizes that are known decide how its threads lie in warps.

// 4x8 threads are one warp, however deep the block is: eight threads side by side in y.
__global__ void swapped(float* out, const float* in, int pitch) {
  int row = threadIdx.x + 4 * (blockIdx.x * blockDim.z + threadIdx.z);
  out[threadIdx.y + 8 * row] = in[threadIdx.y + 8 * row];
  out[8 * threadIdx.x + 64 * threadIdx.y] = 0.0f;  // drano: expect[DRN001]
}
void deep(float* out, const float* in, int n) {
  dim3 block(4, 8, n);
  swapped<<<1, block>>>(out, in, n);
  dim3 braces = {4, 8, (unsigned)n / 32};
  swapped<<<1, braces>>>(out, in, n);
}

// A warp is eight rows of four threads.
__global__ void rows(float* out, int pitch) {
  out[threadIdx.y * 4 + threadIdx.x] = 1.0f;
  out[threadIdx.y * 128 + threadIdx.x] = 1.0f;  // drano: expect[DRN001]
}
void flat(float* out, int n) { rows<<<n, dim3(4, n / 4)>>>(out, n); }

// How wide a block is matters most; what is known besides is used.
__global__ void wide(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x + threadIdx.y] = 1.0f;
  out[threadIdx.x * 8] = 1.0f;  // drano: expect[DRN001]
}
void one_row(float* out, int n) { wide<<<n, n>>>(out); }
