/* Stands in for PyTorch's header. */
#ifndef DRANO_STUB_C10_MACROS_H
#define DRANO_STUB_C10_MACROS_H
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_API
#define C10_CUDA_API
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_NOINLINE __attribute__((noinline))
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((unused))
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(x) (__builtin_expect(static_cast<bool>(x), 1))
#define C10_UNLIKELY(x) (__builtin_expect(static_cast<bool>(x), 0))
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)
#define C10_WARP_SIZE 32
#define C10_MAX_THREADS_PER_BLOCK(n) (((n) <= 1024) ? (n) : 256)
#define C10_MIN_BLOCKS_PER_SM(n, blocks) ((((n) * (blocks) <= 2048) ? (blocks) : (2048 + (n)-1) / (n)))
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(n) __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((n))))
#define C10_LAUNCH_BOUNDS_2(n, blocks) \
    __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((n))), (C10_MIN_BLOCKS_PER_SM((n), (blocks))))
#define C10_LAUNCH_BOUNDS C10_LAUNCH_BOUNDS_0
#define CUDA_KERNEL_ASSERT(condition) assert(condition)
#define CUDA_KERNEL_ASSERT2(condition) assert(condition)
#endif
