// drano-flags: --select DRN002 --block 16,16
// Rows that start wherever a size puts them: one sector more for each at the most, which is said
// to those who ask.
__global__ void rows(float *out, const float *in, int pitch) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i * pitch + j];  // drano: expect[DRN002] "possibly unaligned"
  out[i * 1024 + j] = v;
}
// A pitch of whole sectors is enough for all of them.
__global__ void planes(float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[(size_t)blockIdx.z * w * h + y * w + x] = 1;  // drano: expect[DRN002] "1.5x); unless w % 8 == 0"
}
// What is known to start inside a sector is said as a fact.
__global__ void shifted(unsigned char *out, const unsigned char *in) {
  int i = threadIdx.y * 16 + threadIdx.x;
  out[i] = in[i + 1];  // drano: expect[DRN002] "the warp's first byte is not on a sector boundary"
}
