// Loops up to a whole number of warps, which the lanes of a warp leave together: what they count is
// neighbours' indices behind the loop, too.
__global__ void rest(float* out, int n, int pitch) {
  int limit = n / 32 * 32;
  int i = threadIdx.x;
  for (; i < limit; i += blockDim.x) __syncwarp();
  out[i * 2] = 0;  // drano: expect[DRN001] "8 bytes apart"
  out[i * 16] = 0;  // drano: expect[DRN001] "64 bytes apart"
}
__global__ void masked(float* out, long n) {
  long limit = n & ~31l;
  long i = threadIdx.x;
  for (; i < limit; i += 128) __syncwarp();
  out[i * 16] = 0;  // drano: expect[DRN001] "64 bytes apart"
}
// To any size: some lanes leave one iteration before others, all of them behind one lane.
__global__ void any(float* out, int n) {
  int i = threadIdx.x;
  for (; i < n; i += 128) __syncwarp();
  out[i * 16] = 0;  // drano: expect[DRN001] "64 bytes apart"
}
void go(float* a, int n) {
  rest<<<9, 128>>>(a, n, n);
  masked<<<9, 128>>>(a, n);
  any<<<9, 128>>>(a, n);
}
