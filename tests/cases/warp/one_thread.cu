// One active lane is one sector, wherever it goes.
// drano: expect-none
__global__ void last(float* a, int n) {
  if (threadIdx.x == 0) a[n * threadIdx.x + 7 * blockIdx.x] = 1;
}
