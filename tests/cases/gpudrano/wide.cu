// drano-flags: --domain gpudrano
// Coefficient 1 with elements wider than 4 bytes is flagged.
__global__ void copy(double* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];  // drano: expect[DRN001]
}
