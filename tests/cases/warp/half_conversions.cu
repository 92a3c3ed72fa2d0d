// Conversions of halves are inline PTX that only computes: of one number for all lanes one number,
// of what was loaded what depends on it.
#include <cuda_fp16.h>
__global__ void moved(const float* in, float* out, float by) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int whole = (int)__half2float(__float2half(by));
  out[i] = in[i + whole];
  out[2 * i + whole] = 0;  // drano: expect[DRN001] "8 bytes apart"
}
__global__ void looked_up(const __half* places, const float* in, float* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[(int)__half2float(places[i])];  // drano: expect[DRN003]
}
void go(const __half* h, float* f) {
  moved<<<10, 256>>>(f, f, 3);
  looked_up<<<10, 256>>>(h, f, f);
}
