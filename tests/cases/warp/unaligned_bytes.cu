__global__ void shift(unsigned char* out, const unsigned char* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];  // drano: expect[DRN002] "2 sectors where 1 would do"
}
