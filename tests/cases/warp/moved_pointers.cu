// A pointer is aligned as far as the launches in the file let it be.
__global__ void copy(unsigned char* to, const unsigned char* from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];  // drano: expect[DRN002] "a launch passes a `from` that is not the start of an array"
}
__global__ void aligned(unsigned char* to, const unsigned char* from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}
__global__ void once(unsigned char* to, const unsigned char* from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];  // drano: expect[DRN002] "a launch passes a `to`"
}

void host(unsigned char* a, unsigned char* b, int n) {
  copy<<<64, 256>>>(a, b + n + 1);
  aligned<<<64, 256>>>(a, b + 32 * n);
  once<<<64, 256>>>(a, b);
  for (int i = 0; i < n; i++) once<<<64, 256>>>(a + i, b);
}
