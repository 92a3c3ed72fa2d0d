// drano-flags: --domain gpudrano
__global__ void even(float* out, const float* in) {
  out[threadIdx.x] = in[2 * threadIdx.x];  // drano: expect[DRN001]
}
