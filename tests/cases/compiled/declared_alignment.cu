// drano-flags: --as-compiled
// Requests are as wide as nvcc makes them: types say how they are aligned, dynamic shared memory is
// aligned to 16 bytes, variables as they are declared, and structures are copied with their padding.

struct alignas(16) Color {
  unsigned r, g, b;
};
struct alignas(8) Six {
  float a, b, c, d, e, f;
};

__global__ void bytes_as_words(const unsigned *d, unsigned *o) {
  __shared__ unsigned char counts[64 * 64];
  for (unsigned i = 0; i < 16; i++) ((unsigned *)counts)[threadIdx.x + i * 64] = 0;
  __syncthreads();
  counts[threadIdx.x * 64]++;  // drano: expect[DRN101] "16 wavefronts where 1 would do"
  __syncthreads();
  o[threadIdx.x] = counts[threadIdx.x];
}

__global__ void pairs(const float *a, float *o) {
  extern __shared__ float values[];
  int t = threadIdx.x;
  values[t] = a[t];
  values[t + blockDim.x] = a[t + blockDim.x];
  __syncthreads();
  float x = values[2 * t], y = values[2 * t + 1];
  __syncthreads();
  values[2 * t] = x + y;
  values[2 * t + 1] = x - y;
  __syncthreads();
  o[t] = values[t];
}

__global__ void rows(const float *a, float *o) {
  __shared__ alignas(16) float tile[32][32];
  for (int r = 0; r < 32; ++r) tile[r][threadIdx.x] = a[r * 32 + threadIdx.x];
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += tile[threadIdx.x / 8][k];
  o[threadIdx.x] = s;
}

__global__ void padded(Color *a, const Color *b) { a[threadIdx.x] = b[threadIdx.x]; }

__global__ void wide(const double4 *a, double *o) {
  double4 v = a[threadIdx.x];  // drano: expect[DRN001] "32 sectors where 8 would do"
  o[threadIdx.x] = v.x + v.y + v.z;
}

__global__ void sixes(const Six *a, float *o) {
  Six v = a[threadIdx.x];  // drano: expect[DRN001] "24 sectors where 4 would do"
  o[threadIdx.x] = v.a + v.c + v.e;
}
