// A thread's own array lies in registers or local memory.
// drano: expect-none
__global__ void sort4(float* a, int rounds) {
  float mine[4] = {3, 1, 2, 0};
  for (int k = 0; k < rounds; ++k) mine[(k * threadIdx.x) & 3] += 1;
  a[threadIdx.x] = mine[threadIdx.x & 3];
}
