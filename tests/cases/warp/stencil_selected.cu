// drano-flags: --select DRN002
__global__ void blur(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float here = in[i];
  float next = in[i + 1];  // drano: expect[DRN002] "5 sectors where 4 would do"
  out[i] = here + next;
}
