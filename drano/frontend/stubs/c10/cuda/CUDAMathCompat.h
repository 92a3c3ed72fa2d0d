/* Stands in for PyTorch's names of mathematical functions in device code. */
#ifndef DRANO_STUB_C10_CUDA_CUDAMATHCOMPAT_H
#define DRANO_STUB_C10_CUDA_CUDAMATHCOMPAT_H
#include "../macros/Macros.h"
namespace c10::cuda::compat {
#define DRANO_X(name, single, twice) \
    __host__ __device__ inline float name(float x) { return ::single(x); } \
    __host__ __device__ inline double name(double x) { return ::twice(x); }
DRANO_X(abs, fabsf, fabs) DRANO_X(exp, expf, exp) DRANO_X(ceil, ceilf, ceil)
DRANO_X(floor, floorf, floor) DRANO_X(log, logf, log) DRANO_X(log1p, log1pf, log1p)
DRANO_X(sqrt, sqrtf, sqrt) DRANO_X(tan, tanf, tan) DRANO_X(tanh, tanhf, tanh)
#undef DRANO_X
#define DRANO_X(name, single, twice) \
    __host__ __device__ inline float name(float x, float y) { return ::single(x, y); } \
    __host__ __device__ inline double name(double x, double y) { return ::twice(x, y); }
DRANO_X(copysign, copysignf, copysign) DRANO_X(max, fmaxf, fmax) DRANO_X(min, fminf, fmin)
DRANO_X(pow, powf, pow)
#undef DRANO_X
__host__ __device__ inline float rsqrt(float x) { return 1.0f / ::sqrtf(x); }
__host__ __device__ inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
#ifdef __CUDACC__
__device__ inline float normcdf(float x) { return ::normcdff(x); }
__device__ inline double normcdf(double x) { return ::normcdf(x); }
__device__ inline void sincos(float x, float *s, float *c) { ::sincosf(x, s, c); }
__device__ inline void sincos(double x, double *s, double *c) { ::sincos(x, s, c); }
#endif
}
#endif
