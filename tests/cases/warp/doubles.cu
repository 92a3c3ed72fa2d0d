// Two lines for a warp, all of both used.
// drano: expect-none
__global__ void scale(double* a, double factor) {
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
