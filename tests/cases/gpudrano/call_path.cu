// drano-flags: --domain gpudrano
__device__ float inner(const float* p, int i) {
  return p[i];  // drano: expect[DRN001] "outer"
}

__device__ float outer(const float* p, int i) {
  return inner(p, 5 * i);
}

__global__ void bad(float* out, const float* in) {
  out[threadIdx.x] = outer(in, threadIdx.x);
}
