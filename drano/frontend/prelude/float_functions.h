/* Functions on floating-point numbers that crt/math_functions.h declares for device code under glibc's
 * names; clang's header has the others. */
static __device__ __forceinline__ int __signbit(double x) { return __signbitd(x); }
