// nvcc: -std=c++17
// A number behind a macro with a pragma is the pragma's.
#define UNROLL #pragma unroll
__global__ void k(const float *in, float *out) {
  float sum = 0;
  UNROLL 4
  for (int i = 0; i < 16; ++i)
    sum += in[i * 32 + threadIdx.x];
  UNROLL
  for (int i = 0; i < 4; ++i)
    out[i * 32 + threadIdx.x] = sum;
}
