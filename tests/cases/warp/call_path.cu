// The access stands in a device function; the finding names the path to it.
__device__ float inner(const float* p, int i) {
  return p[i];  // drano: expect[DRN001] "outer"
}

__device__ float outer(const float* p, int i) {
  return inner(p, 5 * i);
}

__global__ void bad(float* out, const float* in) {
  out[threadIdx.x] = outer(in, threadIdx.x);
}

__global__ void good(float* out, const float* in) {
  out[threadIdx.x] = inner(in, threadIdx.x);
}
