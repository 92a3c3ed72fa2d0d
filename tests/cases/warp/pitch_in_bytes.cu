// A pitch in bytes, divided by an element's: rows are likely whole numbers of sectors, so that what
// few lanes access of one costs a sector more only where that is not so.
__global__ void few(float* out, const float* in, int pitch, int n) {
  if (threadIdx.x < 16)
    for (int row = 0; row < n; row++)
      out[row * 16 + threadIdx.x] = in[row * (pitch / 4) + threadIdx.x];
}
// By a number that sizes are no multiples of, nothing is likely.
__global__ void thirds(float* out, const float* in, int pitch, int n) {
  if (threadIdx.x < 16)
    for (int row = 0; row < n; row++)
      out[row * 16 + threadIdx.x] = in[row * (pitch / 3) + threadIdx.x];  // drano: expect[DRN002]
}
void go(float* a, int n) {
  few<<<9, 32>>>(a, a + 1024, n, n);
  thirds<<<9, 32>>>(a, a + 1024, n, n);
}
