/* Force-included behind the SDK's headers when drano cc compiles a .cu file. On the host every call that
 * allocates device memory says first where it stands and what its arguments are, so that a profile can
 * name arrays as the source does; kernels that do are only parsed there. Explicit template arguments and
 * function pointers go straight through.
 */
#ifndef DRANO_PLACES_H
#define DRANO_PLACES_H
/* A managed variable is the host's own; device code refers to it by its name. */
#undef __managed__
#ifdef __CUDA_ARCH__
#define __managed__ __device__ __attribute__((section(".drano.managed")))
#else
#ifndef DRANO_MANAGED /* a section, where host code is edited for a GPU (drano/dynamic/gpu/managed.py) */
#define DRANO_MANAGED
#endif
#define __managed__ DRANO_MANAGED
#endif
#if defined(__cplusplus) && !defined(__CUDA_ARCH__)
extern "C" void drano_place(const char *path, unsigned line, const char *text);
#define DRANO_PLACED(NAME)                                                                        \
  template <class... Arguments>                                                                   \
  static inline __host__ __device__ cudaError_t drano_##NAME(                                     \
      const char *path, unsigned line, const char *text, Arguments... arguments) {                \
    drano_place(path, line, text);                                                                \
    return NAME(arguments...);                                                                    \
  }
DRANO_PLACED(cudaMalloc)
DRANO_PLACED(cudaMallocHost)
DRANO_PLACED(cudaMallocManaged)
DRANO_PLACED(cudaHostAlloc)
DRANO_PLACED(cudaMallocPitch)
DRANO_PLACED(cudaMalloc3D)
DRANO_PLACED(cudaMallocArray)
DRANO_PLACED(cudaMalloc3DArray)
#undef DRANO_PLACED
#if CUDART_VERSION >= 13000
/* The members that old sources read and CUDA 13 has removed: the prelude's structure has them. */
#pragma push_macro("cudaDeviceProp")
#undef cudaDeviceProp
static inline __host__ cudaError_t drano_properties(cudaDeviceProp *properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}
#pragma pop_macro("cudaDeviceProp")
static inline __host__ cudaError_t cudaGetDeviceProperties(drano_device_prop *p, int device) {
  cudaError_t error = drano_properties(p, device);
  if (error != cudaSuccess) return error;
  p->cooperativeMultiDeviceLaunch = 0;
  cudaDeviceGetAttribute(&p->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&p->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&p->deviceOverlap, cudaDevAttrGpuOverlap, device);
  cudaDeviceGetAttribute(&p->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&p->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth, device);
  cudaDeviceGetAttribute(&p->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  return cudaDeviceGetAttribute(&p->singleToDoublePrecisionPerfRatio,
                                cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
}
#endif
#define cudaMalloc(...) drano_cudaMalloc(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMallocHost(...) drano_cudaMallocHost(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMallocManaged(...) drano_cudaMallocManaged(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaHostAlloc(...) drano_cudaHostAlloc(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMallocPitch(...) drano_cudaMallocPitch(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc3D(...) drano_cudaMalloc3D(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMallocArray(...) drano_cudaMallocArray(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc3DArray(...) drano_cudaMalloc3DArray(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#endif
#if defined(__cplusplus) && CUDART_VERSION >= 12000
#include "references.h"
#endif
#endif
