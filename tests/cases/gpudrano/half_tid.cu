// drano-flags: --domain gpudrano
// tid / 2 does not fit the coefficients 0, 1, -1: a false alarm of the paper's domain.
__global__ void twice(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x / 2];  // drano: expect[DRN001]
}
