// nvcc: --expt-relaxed-constexpr
// 128-bit integers, long double, _Float16 and complex numbers.
#include <complex>
#include <cuComplex.h>
#include <cuda/std/complex>
#include <stdlib.h>
#include <thrust/complex.h>
static inline long double host_only(long double x) { return x * 2; }
inline __float128 quad(__float128 x) { return x; }
struct HostPart { long double v; __float128 w; };
__device__ __int128 product(__int128 a, unsigned __int128 b) { return a * b / 3; }
__global__ void wide(__int128 *out, const __int128 *in, float2 *c, cuda::std::complex<double> *w, thrust::complex<float> *t) {
  int i = threadIdx.x;
  out[i] = product(in[2 * i], 3);
  c[i] = cuCaddf(cuCmulf(c[i], c[i + 1]), make_cuFloatComplex(1, 2));
  cuDoubleComplex d = make_cuDoubleComplex(1, 2); c[i].x += cuCreal(cuCdiv(d, d)) + cuCabs(d);
  w[i] = exp(w[i + 1]) * abs(w[i]); t[i] = thrust::exp(t[i + 1]) + thrust::abs(t[i]);
}
