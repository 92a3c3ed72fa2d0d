// Operators of a type that converts to a number, too: nvcc and g++ take the declared one.
#include <cstdint>

struct Fast {
  unsigned by;
  __host__ __device__ operator unsigned() const { return by; }
};
__host__ __device__ inline uint32_t operator%(const uint32_t n, const Fast& f) { return n - n / f.by * f.by; }
__host__ __device__ inline uint32_t operator/(const uint32_t n, const Fast& f) { return n / f.by; }

__global__ void rows(int* out, const int64_t n, const Fast f, const Fast* many) {
  int64_t const token = n + threadIdx.x;
  int const at = token % f;
  out[at] = token / f + 1;
  if (token % many[1] == 3) out[threadIdx.x] = (token / many->by);
}
