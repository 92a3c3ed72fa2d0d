// An index from memory: a note, as the data decide.
__global__ void gather(float* out, const float* x, const int* index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[index[i]];  // drano: expect[DRN003] "index is loaded from memory"
}
