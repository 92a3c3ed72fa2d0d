/* Stands in for PyTorch's stable ABI: its tensors are at::Tensor's, calls take any arguments. */
#ifndef DRANO_STUB_TORCH_STABLE_H
#define DRANO_STUB_TORCH_STABLE_H
#include "../../headeronly/drano_headeronly.h"
#include "../../library.h"
#include <array>
#include <optional>
#include <vector>
using StableIValue = uint64_t;
using AOTITorchError = int32_t;
using AtenTensorHandle = struct AtenTensorOpaque *;
#define AOTI_TORCH_SUCCESS 0
#define AOTI_TORCH_FAILURE 1
#define TORCH_ABI_VERSION 0
#define TORCH_ERROR_CODE_CHECK(call) (void)(call)
#define AOTI_TORCH_ERROR_CODE_CHECK(call) (void)(call)
#define STD_CUDA_CHECK(call) (void)(call)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() (void)0
#define DRANO_X(name) template <typename... Ts> AOTITorchError name(const Ts &...);
DRANO_X(torch_call_dispatcher) DRANO_X(aoti_torch_call_dispatcher) DRANO_X(aoti_torch_get_layout)
DRANO_X(aoti_torch_get_current_cuda_stream) DRANO_X(aoti_torch_get_current_device_index)
DRANO_X(aoti_torch_get_device_index) DRANO_X(aoti_torch_get_device_type)
DRANO_X(aoti_torch_get_dtype) DRANO_X(aoti_torch_get_data_ptr) DRANO_X(aoti_torch_get_sizes)
DRANO_X(aoti_torch_get_strides) DRANO_X(aoti_torch_get_dim) DRANO_X(aoti_torch_get_numel)
DRANO_X(aoti_torch_delete_tensor_object) DRANO_X(aoti_torch_new_tensor_handle)
DRANO_X(aoti_torch_create_cuda_guard) DRANO_X(aoti_torch_delete_cuda_guard)
DRANO_X(torch_get_cuda_stream_from_pool) DRANO_X(torch_cuda_stream_synchronize)
#undef DRANO_X
int32_t aoti_torch_layout_strided(), aoti_torch_memory_format_contiguous_format(),
    aoti_torch_memory_format_channels_last(), aoti_torch_memory_format_preserve_format(),
    aoti_torch_device_type_cpu(), aoti_torch_device_type_cuda(), aoti_torch_dtype_uint8(),
    aoti_torch_dtype_int8(), aoti_torch_dtype_int16(), aoti_torch_dtype_int32(),
    aoti_torch_dtype_int64(), aoti_torch_dtype_float16(), aoti_torch_dtype_bfloat16(),
    aoti_torch_dtype_float32(), aoti_torch_dtype_float64(), aoti_torch_dtype_bool(),
    aoti_torch_dtype_float8_e4m3fn(), aoti_torch_dtype_float8_e5m2();
namespace torch { namespace stable {
using c10::Device;
using c10::DeviceType;
class Tensor : public at::Tensor {
public:
    using at::Tensor::Tensor;
    Tensor() {}
    Tensor(const at::Tensor &other) : at::Tensor(other) {}
    explicit Tensor(AtenTensorHandle);
    AtenTensorHandle get() const;
    int32_t get_device_index() const;
    c10::ScalarType scalar_type() const;
};
namespace accelerator {
using DeviceIndex = int32_t;
struct DeviceGuard {
    template <typename... Ts> explicit DeviceGuard(const Ts &...) {}
    DeviceGuard(const DeviceGuard &) = delete;
    ~DeviceGuard() {}
    void set_index(DeviceIndex);
};
struct Stream {
    int64_t id() const;
    void *nativeHandle() const, *native_handle() const;
};
Stream getCurrentStream(DeviceIndex);
DeviceIndex getCurrentDeviceIndex();
}
namespace detail {
template <typename... Ts> StableIValue from(const Ts &...);
template <typename T, typename... Ts> T to(const Ts &...);
}
#define DRANO_X(name) \
    Tensor name(c10::Anything = {}, c10::Anything = {}, c10::Anything = {}, c10::Anything = {}, \
                c10::Anything = {}, c10::Anything = {}, c10::Anything = {}, c10::Anything = {});
DRANO_X(empty) DRANO_X(empty_like) DRANO_X(new_empty) DRANO_X(new_zeros) DRANO_X(new_ones) DRANO_X(full)
DRANO_X(zero_) DRANO_X(fill_) DRANO_X(copy_) DRANO_X(to) DRANO_X(view) DRANO_X(reshape) DRANO_X(clone)
DRANO_X(contiguous) DRANO_X(transpose) DRANO_X(narrow) DRANO_X(select) DRANO_X(flatten) DRANO_X(pad)
DRANO_X(squeeze) DRANO_X(unsqueeze) DRANO_X(amax) DRANO_X(sum) DRANO_X(sum_out) DRANO_X(matmul)
DRANO_X(subtract) DRANO_X(from_blob) DRANO_X(permute) DRANO_X(cat) DRANO_X(hadamard)
#undef DRANO_X
template <typename F> void parallel_for(int64_t first, int64_t end, int64_t, const F &f) { f(first, end); }
uint32_t get_num_threads();
} }
#define STABLE_TORCH_LIBRARY TORCH_LIBRARY
#define STABLE_TORCH_LIBRARY_FRAGMENT TORCH_LIBRARY_FRAGMENT
#define STABLE_TORCH_LIBRARY_IMPL TORCH_LIBRARY_IMPL
#define TORCH_BOX(function) (function)
#endif
