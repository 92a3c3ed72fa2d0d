// Two lanes share an element: 2 sectors, no more than their data.
// drano: expect-none
__global__ void twice(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x / 2];
}
