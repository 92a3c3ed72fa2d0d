// Two stores that become one, each in code of a library that is inlined: the place is the first's.
#include <cuda_fp16.h>
template <typename T> __global__ void im2col(const float *x, T *o, long w, long h, long s) {
  long i = threadIdx.x + (long)blockIdx.x * blockDim.x;
  for (long iz = blockIdx.z; iz < h; iz += 65535) {
    const long a = i * s - w, b = iz * s - w;
    const long to = (iz * w + i) * 8;
    if (a < 0 || a >= w || b < 0 || b >= h) {
      o[to] = 0.0f;  // drano: expect[DRN001] "lanes are 16 bytes apart"
    } else {
      o[to] = x[a + b];  // drano: expect[DRN004] "if s >= 8"
    }
  }
}
template __global__ void im2col<half>(const float *, half *, long, long, long);
