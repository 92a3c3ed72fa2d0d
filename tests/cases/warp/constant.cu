// drano: expect-none
__constant__ float coefficients[1024];

__global__ void apply(float* a) {
  a[threadIdx.x] *= coefficients[7 * threadIdx.x];
}
