/* Stands in for PyTorch's types that need no library: those of c10:: and at::. */
#ifndef DRANO_STUB_TORCH_HEADERONLY_H
#define DRANO_STUB_TORCH_HEADERONLY_H
#include "../../ATen/Dispatch.h"
#include "../../ATen/core/Tensor.h"
#define STD_TORCH_CHECK TORCH_CHECK
#define STD_TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define STD_TORCH_WARN TORCH_WARN
#define THO_DISPATCH_SWITCH AT_DISPATCH_SWITCH
#define THO_DISPATCH_CASE AT_DISPATCH_CASE
namespace torch { namespace headeronly {
using namespace c10;
template <typename T> using HeaderOnlyArrayRef = c10::ArrayRef<T>;
using IntHeaderOnlyArrayRef = c10::IntArrayRef;
template <typename T> using DefaultPtrTraits = at::DefaultPtrTraits<T>;
template <typename T> using RestrictPtrTraits = at::RestrictPtrTraits<T>;
template <typename T, size_t N, template <typename> class P = at::DefaultPtrTraits, typename I = int64_t>
using HeaderOnlyTensorAccessor = at::TensorAccessor<T, N, P, I>;
template <typename T, size_t N, template <typename> class P = at::DefaultPtrTraits, typename I = int64_t>
using HeaderOnlyGenericPackedTensorAccessor = at::GenericPackedTensorAccessor<T, N, P, I>;
} }
#endif
