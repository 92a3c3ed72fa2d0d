// A period of 8 elements repeats within the warp: one sector.
// drano: expect-none
__global__ void periodic(float* out, const float* table) {
  out[threadIdx.x] = table[threadIdx.x % 8];
}
