// drano-flags: --domain gpudrano
// drano: expect-none
__global__ void reverse(float* out, const float* in, int n) {
  out[threadIdx.x] = in[n - threadIdx.x];
}
