/* Stands in for the library's header of the same name. */
#pragma once
#include <limits>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/detail/TensorInfo.cuh>
namespace at { namespace cuda { namespace detail {
bool maybeOverlappingIndices(const at::TensorBase &);
bool canUse32BitIndexMath(const at::TensorBase &, int64_t = std::numeric_limits<int32_t>::max());
template <typename T, typename IndexType> TensorInfo<T, IndexType> getTensorInfo(const at::TensorBase &);
} } }
