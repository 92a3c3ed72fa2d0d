// What is said holds for every launch in the file, whatever is known of the others.
#define BLOCK 256

// One launch has a stride of 1 and a known block, the other neither.
__global__ void axpy(float* y, const float* x, int incx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i * incx];  // drano: expect[DRN004] "`incx` may be 1"
}
void dense(float* y, const float* x, int n) { axpy<<<n / BLOCK, BLOCK>>>(y, x, 1, n); }
void strided(float* y, const float* x, int inc, int n, int block) {
  axpy<<<n / block, block>>>(y, x, inc, n);
}

// Of more launches than are looked at one by one, the last is not forgotten.
__global__ void five(float* y, const float* x, int incx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += x[i * incx];  // drano: expect[DRN004] "`incx` may be 1"
}
void many(float* y, const float* x, int inc) {
  five<<<1, 32>>>(y, x, 1);
  five<<<1, 64>>>(y, x, 1);
  five<<<1, 128>>>(y, x, 1);
  five<<<1, 256>>>(y, x, 1);
  five<<<1, 512>>>(y, x, inc);
}
