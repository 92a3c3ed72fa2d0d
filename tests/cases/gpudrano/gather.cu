// drano-flags: --domain gpudrano
__global__ void k(float* out, const float* in, const int* which) {
  out[threadIdx.x] = in[which[threadIdx.x]];  // drano: expect[DRN001]
}
