/* Stands in for PyTorch's changes of the device and stream for a scope. */
#ifndef DRANO_STUB_C10_CUDA_GUARD_H
#define DRANO_STUB_C10_CUDA_GUARD_H
#include "CUDAStream.h"
namespace c10 { namespace cuda {
#define DRANO_X(name) \
    struct name { \
        template <typename... Ts> explicit name(const Ts &...) {} \
        name(const name &) = delete; \
        ~name() {} \
        void set_device(Device), set_index(DeviceIndex), reset_stream(CUDAStream), reset(); \
        Device current_device() const, original_device() const; \
        CUDAStream current_stream() const, original_stream() const; \
    };
DRANO_X(CUDAGuard) DRANO_X(OptionalCUDAGuard) DRANO_X(CUDAStreamGuard) DRANO_X(OptionalCUDAStreamGuard)
DRANO_X(CUDAMultiStreamGuard)
#undef DRANO_X
} }
#endif
