// 16 lanes, 64 bytes: two sectors.
// drano: expect-none
__global__ void half(float* a) {
  if (threadIdx.x % 32 < 16) a[threadIdx.x] = 1;
}
