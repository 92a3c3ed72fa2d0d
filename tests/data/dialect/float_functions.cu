// Mathematical functions, their fast and rounded forms, and casts.
#include <cmath>
__global__ void floats(float *f, double *d, int n) {
  int i = threadIdx.x; float x = f[i], y = f[i + 1]; double a = d[i], b = d[i + 1]; int k;
  x += __sinf(x) + __cosf(x) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x) + __powf(x, y) + __tanf(x) + __fdividef(x, y) + __saturatef(x);
  x += __fadd_rn(x, y) + __fmul_rz(x, y) + __fmaf_rn(x, y, x) + __frcp_rn(x) + __fsqrt_rn(x) + __frsqrt_rn(x) + __fdiv_rd(x, y) + __fsub_ru(x, y);
  a += __dadd_rn(a, b) + __dmul_rn(a, b) + __fma_rn(a, b, a) + __drcp_rn(a) + __dsqrt_rn(a) + __ddiv_rn(a, b) + __dsub_rn(a, b);
  x += rsqrtf(x) + rsqrt(x) + norm3df(x, y, x) + rnorm3df(x, y, x) + norm4df(x, y, x, y) + rhypotf(x, y) + erfinvf(x) + erfcinvf(x) + normcdff(x) + cyl_bessel_i0f(x);
  a += rsqrt(a) + norm3d(a, b, a) + rhypot(a, b) + erfcx(a) + normcdfinv(a) + sinpi(a) + cospi(a) + exp10(a) + j0(a) + yn(2, a) + lgamma(a) + tgamma(a) + cyl_bessel_i1(a);
  float s, c; sincosf(x, &s, &c); __sincosf(x, &s, &c); sincospif(x, &s, &c); double e, g; sincos(a, &e, &g); modf(a, &e); frexp(a, &k); remquo(a, b, &k); modff(x, &s);
  x += fminf(x, y) + fmaxf(x, y) + min(x, y) + max(x, 2.0f) + fabsf(x) + floorf(x) + copysignf(x, y) + fmodf(x, y) + ldexpf(x, 2) + powf(x, 2) + pow(x, 2) + sqrtf(x) + cbrtf(x) + rcbrtf(x) + nearbyintf(x) + rintf(x) + truncf(x) + roundf(x) + lroundf(x);
  a += max(a, x) + min(a, 3.0) + std::sqrt(a) + std::pow(a, 2) + std::exp(x) + std::abs(a) + std::fma(a, b, a) + std::isnan(a) + isinf(x) + isfinite(x) + signbit(a) + std::floor(x) + std::hypot(x, y) + std::max(a, b) + fmax(a, x) + ::pow(x, 3) + ::abs(x) + std::fmin(x, y) + std::round(x) + std::tanh(x) + std::log1p(x) + std::ceil(x);
  k += __float2int_rn(x) + __float2int_rz(x) + __double2int_rn(a) + __float_as_int(x) + __float_as_uint(x) + __double2hiint(a) + __double2loint(a) + __double2ll_rn(a) + __float2ull_rz(x) + __double_as_longlong(a) + (int)llrint(a) + lrintf(x) + ilogb(a) + logb(a);
  x += __int_as_float(k) + __int2float_rn(k) + __uint2float_rz(n) + __double2float_rn(a) + __ll2float_rn(n) + __uint_as_float(n) + fdividef(x, y) + fdimf(x, y) + nextafterf(x, y) + scalbnf(x, 2) + NAN + INFINITY + HUGE_VALF + nanf("") + tanhf(x);
  a += __longlong_as_double(n) + __hiloint2double(1, 2) + __int2double_rn(k) + norm(2, d) + rnorm(2, d) + __uint2double_rn(n) + __ull2double_rn(n);
  f[i] = x + s + c + k; d[i] = a + e + g;
}

// glibc's names.
__global__ void kinds(const float *f, const double *d, int *out) {
  int i = threadIdx.x;
  out[i] = __signbit(d[i]) + __signbitf(f[i]) + __isnan(d[i]) + __isnanf(f[i]) + __isinf(d[i]) + __isinff(f[i]) + __finite(d[i]) + __finitef(f[i]);
}
