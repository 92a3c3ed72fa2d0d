/* Macros that nvcc predefines. */

#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
/* clang's constexpr and lambdas are what nvcc has these switches for. */
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

/* CCCL asks __NVCC__ first, and then takes clang's front end for nvcc's: it is to decide now. */
#if __cplusplus >= 201103L
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#if __cplusplus >= 201703L && __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#endif
#endif
#define __NVCC__ 1

#ifndef __CUDA_ARCH_SPECIFIC__
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define __CUDA_ARCH_SPECIFIC__ 900
#elif defined(__CUDA_ARCH_FEAT_SM100_ALL)
#define __CUDA_ARCH_SPECIFIC__ 1000
#elif defined(__CUDA_ARCH_FEAT_SM101_ALL)
#define __CUDA_ARCH_SPECIFIC__ 1010
#elif defined(__CUDA_ARCH_FEAT_SM103_ALL)
#define __CUDA_ARCH_SPECIFIC__ 1030
#elif defined(__CUDA_ARCH_FEAT_SM120_ALL)
#define __CUDA_ARCH_SPECIFIC__ 1200
#elif defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define __CUDA_ARCH_SPECIFIC__ 1210
#endif
#endif
#if defined(__CUDA_ARCH_SPECIFIC__) && !defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#define __CUDA_ARCH_FAMILY_SPECIFIC__ __CUDA_ARCH_SPECIFIC__
#endif

/* clang ignores the attribute of managed variables: for the device they are its own. */
#ifdef __CUDA_ARCH__
#undef __managed__
#define __managed__ __attribute__((device))
#endif

/* A variable in shared memory whose type has a constructor: nvcc warns, and leaves it as it is.
 * fixups.py writes `__shared__ T name[2];` as DRANO_SHARED(name, [2], __shared__, T). */
template <class T>
union drano_unconstructed {
  T value;
  __device__ drano_unconstructed() {}
  __device__ ~drano_unconstructed() {}
};
#define DRANO_SHARED(NAME, EXTENTS, ATTRIBUTES, ...) \
  ATTRIBUTES drano_unconstructed<__VA_ARGS__ EXTENTS> NAME##__shared; \
  static constexpr auto &NAME = NAME##__shared.value
