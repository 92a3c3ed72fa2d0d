// A permutation within the warp touches the same lines.
// drano: expect-none
__global__ void swizzle(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x ^ 5];
}
