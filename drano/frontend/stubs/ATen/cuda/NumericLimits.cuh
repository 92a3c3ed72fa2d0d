/* Stands in for PyTorch's limits of numbers in device code. */
#ifndef DRANO_STUB_ATEN_CUDA_NUMERICLIMITS_H
#define DRANO_STUB_ATEN_CUDA_NUMERICLIMITS_H
#include "../../c10/core/ScalarType.h"
namespace at {
template <typename T> struct numeric_limits {
    static __host__ __device__ T lowest() { return std::numeric_limits<T>::lowest(); }
    static __host__ __device__ T max() { return std::numeric_limits<T>::max(); }
    static __host__ __device__ T lower_bound() {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? -limits::infinity() : limits::lowest();
    }
    static __host__ __device__ T upper_bound() {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? limits::infinity() : limits::max();
    }
};
#define DRANO_X(T, most) \
    template <> struct numeric_limits<T> { \
        static __host__ __device__ T lowest() { return static_cast<T>(-most); } \
        static __host__ __device__ T max() { return static_cast<T>(most); } \
        static __host__ __device__ T lower_bound() { return static_cast<T>(-__builtin_inff()); } \
        static __host__ __device__ T upper_bound() { return static_cast<T>(__builtin_inff()); } \
    };
DRANO_X(c10::Half, 65504.0f) DRANO_X(c10::BFloat16, 3.38953139e38f)
#undef DRANO_X
}
#endif
