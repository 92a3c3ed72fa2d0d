/* Macros that nvcc predefines. */

/* nvcc gives it a value, which `#if __CUDACC__` asks. */
#undef __CUDACC__
#define __CUDACC__ 1

/* Plain numbers, as sources paste and print them. */
#if CUDART_VERSION / 1000 == 7
#define __CUDACC_VER_MAJOR__ 7
#elif CUDART_VERSION / 1000 == 8
#define __CUDACC_VER_MAJOR__ 8
#elif CUDART_VERSION / 1000 == 9
#define __CUDACC_VER_MAJOR__ 9
#elif CUDART_VERSION / 1000 == 10
#define __CUDACC_VER_MAJOR__ 10
#elif CUDART_VERSION / 1000 == 11
#define __CUDACC_VER_MAJOR__ 11
#elif CUDART_VERSION / 1000 == 12
#define __CUDACC_VER_MAJOR__ 12
#elif CUDART_VERSION / 1000 == 13
#define __CUDACC_VER_MAJOR__ 13
#elif CUDART_VERSION / 1000 == 14
#define __CUDACC_VER_MAJOR__ 14
#else
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#endif
#if CUDART_VERSION % 1000 == 0
#define __CUDACC_VER_MINOR__ 0
#elif CUDART_VERSION % 1000 == 10
#define __CUDACC_VER_MINOR__ 1
#elif CUDART_VERSION % 1000 == 20
#define __CUDACC_VER_MINOR__ 2
#elif CUDART_VERSION % 1000 == 30
#define __CUDACC_VER_MINOR__ 3
#elif CUDART_VERSION % 1000 == 40
#define __CUDACC_VER_MINOR__ 4
#elif CUDART_VERSION % 1000 == 50
#define __CUDACC_VER_MINOR__ 5
#elif CUDART_VERSION % 1000 == 60
#define __CUDACC_VER_MINOR__ 6
#elif CUDART_VERSION % 1000 == 70
#define __CUDACC_VER_MINOR__ 7
#elif CUDART_VERSION % 1000 == 80
#define __CUDACC_VER_MINOR__ 8
#elif CUDART_VERSION % 1000 == 90
#define __CUDACC_VER_MINOR__ 9
#else
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#endif
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

/* clang does not know what fixes the shape of blocks, and of clusters: a note for who reads its IR. */
#if defined(__CUDA_ARCH__) && defined(__block_size__)
#undef __block_size__
#define DRANO_SIZES(...) , __VA_ARGS__
#define __block_size__(BLOCK, ...) \
  __attribute__((annotate("drano.block_size" DRANO_SIZES BLOCK __VA_OPT__(DRANO_SIZES __VA_ARGS__))))
#endif

/* clang takes all that is const for constant memory, nvcc what says so: a note, as above. */
#if defined(__CUDA_ARCH__) && defined(__constant__)
#undef __constant__
#define __constant__ __attribute__((constant, annotate("drano.constant")))
#endif

/* A variable in shared memory whose type has a constructor: nvcc warns, and leaves it as it is.
 * repair/dialect_fixups.py writes `__shared__ T name[2];` as DRANO_SHARED(name, [2], __shared__, T). */
template <class T>
union drano_unconstructed {
  T value;
  __device__ drano_unconstructed() {}
  __device__ ~drano_unconstructed() {}
};
#define DRANO_SHARED(NAME, EXTENTS, ATTRIBUTES, ...) \
  ATTRIBUTES drano_unconstructed<__VA_ARGS__ EXTENTS> NAME##__drano_shared; \
  static constexpr auto &NAME = NAME##__drano_shared.value

/* What a reference member is bound to, a temporary, which clang refuses. */
#if __cplusplus >= 201103L
template <class T> __host__ __device__ constexpr const T &drano_kept(T &&value) { return value; }
#endif

/* `x = {};` is written as `x = drano_value<decltype((x))>{};` where clang finds it ambiguous. */
#if __cplusplus >= 201103L
template <class T> using drano_value = __remove_cvref(T);
#endif
