// Both sides of a choice are neighbours, and the choice is the block's: still neighbours.
// drano: expect-none
__global__ void k(float* a, const float* b, bool forward) {
  int n = blockDim.x;
  int i = forward ? threadIdx.x : 32 * n + threadIdx.x;
  a[threadIdx.x] = b[i];
}
