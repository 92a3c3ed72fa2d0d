__noinline__ __device__ void put(float* p, int i, float value) {
  p[i] = value;  // drano: expect[DRN001]
}

__global__ void k(float* out) {
  put(out, 6 * threadIdx.x, 1);
}
