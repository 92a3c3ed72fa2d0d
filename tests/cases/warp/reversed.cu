// Backwards from the end of an aligned chunk.
// drano: expect-none
__global__ void reverse(float* out, const float* in) {
  out[blockIdx.x * 256 + threadIdx.x] = in[blockIdx.x * 256 + 255 - threadIdx.x];
}
