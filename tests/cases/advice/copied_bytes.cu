#include <cstring>

struct Pair {
  double x, y;
};

// nvcc makes sixteen loads of a byte of the first copy, two of eight bytes of the second, and one
// of all sixteen bytes of the third.
__global__ void copied(double* out, const double* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair p;
  memcpy(&p, &in[2 * i], sizeof p);  // drano: expect[DRN001] "assign elements instead of copying bytes"
  out[i] = p.x * p.y;
}

__global__ void told(double* out, const double* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair p;
  memcpy(&p, __builtin_assume_aligned(&in[2 * i], 8), sizeof p);  // drano: expect[DRN001] "16 sectors where 8 would do"
  out[i] = p.x * p.y;
}

__global__ void fully_told(double* out, const double* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair p;
  memcpy(&p, __builtin_assume_aligned(&in[2 * i], 16), sizeof p);
  out[i] = p.x * p.y;
}
