__global__ void gather(float* out, const float* x, const int* columns, int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = columns[i];
  out[i] = x[c];  // drano: expect[DRN003] "sort `columns` (or the elements of `x`)"
  atomicAdd(&bins[c], 1);  // drano: expect[DRN003] "per-block copy of `bins` in shared memory"
}
