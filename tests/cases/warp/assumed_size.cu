// drano-flags: --block 256 --assume w=8
// What is assumed of a name decides its condition: rows of 8 elements are no rows of 32.
__global__ void transpose(float *z, const float *a, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i % w * h + i / w] = a[i];
}
// drano: expect-none
