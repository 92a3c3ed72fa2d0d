// drano-flags: --domain gpudrano
// Loads from uniform addresses are uniform.
// drano: expect-none
__global__ void k(float* out, const float* in, const int* which, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[which[k]];
  out[threadIdx.x] = sum;
}
