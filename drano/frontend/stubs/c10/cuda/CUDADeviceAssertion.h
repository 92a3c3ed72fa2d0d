/* Stands in for PyTorch's assertions in kernels. */
#ifndef DRANO_STUB_C10_CUDA_CUDADEVICEASSERTION_H
#define DRANO_STUB_C10_CUDA_CUDADEVICEASSERTION_H
#include "../macros/Macros.h"
namespace c10::cuda { struct DeviceAssertionsData; }
#define TORCH_DSA_KERNEL_ARGS \
    [[maybe_unused]] c10::cuda::DeviceAssertionsData *const assertions_data, \
    [[maybe_unused]] uint32_t assertion_caller_id
#define TORCH_DSA_KERNEL_ARGS_PASS assertions_data, assertion_caller_id
#endif
