/* The prelude of every CUDA unit, after clang's own: what nvcc gives a source for free and clang
 * does not. It is also what the precompiled header is made of. Only declarations that lack in the
 * SDK at hand are added, so that one header serves CUDA 7 to 13. */
#ifndef DRANO_COMPAT_H
#define DRANO_COMPAT_H

#include <__clang_cuda_runtime_wrapper.h>

/* nvcc's crt/common_functions.h and crt/math_functions.h bring these. */
#include <assert.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* nvcc's mixed-type min and max exist on the host, too; clang's wrapper keeps those of the device.
 * Exact matches only (no templates), as in crt/math_functions.hpp. */
#define DRANO_MINMAX(R, A, B) \
  static inline __host__ R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  static inline __host__ R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
DRANO_MINMAX(int, int, int)
DRANO_MINMAX(unsigned, unsigned, unsigned)
DRANO_MINMAX(unsigned, int, unsigned)
DRANO_MINMAX(unsigned, unsigned, int)
DRANO_MINMAX(long, long, long)
DRANO_MINMAX(unsigned long, unsigned long, unsigned long)
DRANO_MINMAX(unsigned long, long, unsigned long)
DRANO_MINMAX(unsigned long, unsigned long, long)
DRANO_MINMAX(long long, long long, long long)
DRANO_MINMAX(unsigned long long, unsigned long long, unsigned long long)
DRANO_MINMAX(unsigned long long, long long, unsigned long long)
DRANO_MINMAX(unsigned long long, unsigned long long, long long)
DRANO_MINMAX(float, float, float)
DRANO_MINMAX(double, double, double)
DRANO_MINMAX(double, float, double)
DRANO_MINMAX(double, double, float)
#undef DRANO_MINMAX

#if CUDART_VERSION >= 12000
/* Texture references, gone since CUDA 12. A fetch is a call of an unknown function here: that is all
 * an analysis of global memory needs to know of it. */
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
};
template <class T, int Dimension = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized, filter, {address, address, address}, cudaCreateChannelDesc<T>()} {}
  __host__ texture(int normalized, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, struct cudaChannelFormatDesc desc)
      : textureReference{normalized, filter, {address, address, address}, desc} {}
};
template <class T, enum cudaTextureReadMode Mode> struct drano_texel { typedef T type; };
template <> struct drano_texel<unsigned char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<signed char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<unsigned short, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<short, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct drano_texel<uchar4, cudaReadModeNormalizedFloat> { typedef float4 type; };
template <> struct drano_texel<ushort4, cudaReadModeNormalizedFloat> { typedef float4 type; };
#define DRANO_FETCH(NAME, ...) \
  template <class T, int D, enum cudaTextureReadMode M> \
  __device__ typename drano_texel<T, M>::type NAME(texture<T, D, M>, __VA_ARGS__);
DRANO_FETCH(tex1Dfetch, int)
DRANO_FETCH(tex1D, float)
DRANO_FETCH(tex2D, float, float)
DRANO_FETCH(tex3D, float, float, float)
DRANO_FETCH(tex1DLayered, float, int)
DRANO_FETCH(tex2DLayered, float, float, int)
DRANO_FETCH(texCubemap, float, float, float)
DRANO_FETCH(tex1DLod, float, float)
DRANO_FETCH(tex2DLod, float, float, float)
DRANO_FETCH(tex3DLod, float, float, float, float)
#undef DRANO_FETCH
template <class... Arguments>
__host__ cudaError_t cudaBindTexture(size_t *, const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture2D(size_t *, const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTextureToArray(const textureReference &, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture(size_t *, const textureReference *, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const Arguments &...);
template <class... Arguments>
__host__ cudaError_t cudaBindTextureToArray(const textureReference *, const Arguments &...);
__host__ cudaError_t cudaUnbindTexture(const textureReference &);
__host__ cudaError_t cudaUnbindTexture(const textureReference *);
__host__ cudaError_t cudaGetTextureReference(const textureReference **, const void *);
__host__ cudaError_t cudaGetTextureAlignmentOffset(size_t *, const textureReference &);
#endif

#if CUDART_VERSION >= 13000
/* Names of CUDA 1 to 12 that CUDA 13 has removed. */
static inline __host__ cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline __host__ cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline __host__ cudaError_t cudaThreadSetLimit(enum cudaLimit what, size_t value) {
  return cudaDeviceSetLimit(what, value);
}
static inline __host__ cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit what) {
  return cudaDeviceGetLimit(value, what);
}
static inline __host__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache value) {
  return cudaDeviceSetCacheConfig(value);
}
static inline __host__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *value) {
  return cudaDeviceGetCacheConfig(value);
}
struct drano_device_prop : public cudaDeviceProp {
  int clockRate;
  int computeMode;
  int cooperativeMultiDeviceLaunch;
  int deviceOverlap;
  int kernelExecTimeoutEnabled;
  int maxTexture1DLinear;
  int memoryClockRate;
  int singleToDoublePrecisionPerfRatio;
};
#define cudaDeviceProp drano_device_prop
#endif

/* What the body of a device function with errors is replaced by: drano/ir/blots.py. */
extern "C" __device__ __attribute__((noreturn, nothrow)) void drano_not_compiled(int);

#endif
