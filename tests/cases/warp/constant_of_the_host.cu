// What the host copies to __constant__ memory is not what the source begins with.
__constant__ int step;
__constant__ int other = 1;
__constant__ const int fixed = 2;

__global__ void k(float* a, float* b, float* c) {
  a[threadIdx.x * step] = 1;  // drano: expect[DRN004] "may be 1"
  b[threadIdx.x * other] = 1;  // drano: expect[DRN004] "may be 1"
  c[threadIdx.x * fixed] = 1;  // drano: expect[DRN001] "8 bytes apart"
}

void go(float* a, float* b, float* c, int n) {
  cudaMemcpyToSymbol(step, &n, sizeof(n));
  k<<<10, 128>>>(a, b, c);
}
