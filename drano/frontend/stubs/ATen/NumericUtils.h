/* Stands in for PyTorch's questions to numbers. */
#ifndef DRANO_STUB_ATEN_NUMERICUTILS_H
#define DRANO_STUB_ATEN_NUMERICUTILS_H
#include "../c10/core/ScalarType.h"
namespace at {
template <typename T> __host__ __device__ inline bool _isnan(T value) { return value != value; }
template <typename T> __host__ __device__ inline bool _isinf(T value) {
    return !_isnan(value) && _isnan(static_cast<T>(value - value));
}
}
#endif
