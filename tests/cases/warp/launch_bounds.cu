// drano: expect-none
__global__ void __launch_bounds__(128) k(float* a) {
  a[blockIdx.x * 128 + threadIdx.x] = 0;
}
