/* Stands in for PyTorch's checks of CUDA's results. */
#ifndef DRANO_STUB_C10_CUDA_EXCEPTION_H
#define DRANO_STUB_C10_CUDA_EXCEPTION_H
#include "../util/Exception.h"
#include <cuda_runtime_api.h>
#define C10_CUDA_CHECK(call) \
    do { \
        const cudaError_t error__ = call; \
        TORCH_CHECK(error__ == cudaSuccess, cudaGetErrorString(error__)); \
    } while (0)
#define C10_CUDA_CHECK_WARN C10_CUDA_CHECK
#define C10_CUDA_IGNORE_ERROR(call) ((void)(call))
#define C10_CUDA_ERROR_HANDLED(call) (call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define THCudaCheck C10_CUDA_CHECK
#define DRANO_CHECK_ZERO(call) TORCH_CHECK((int)(call) == 0)
#define TORCH_CUDABLAS_CHECK DRANO_CHECK_ZERO
#define TORCH_CUDASPARSE_CHECK DRANO_CHECK_ZERO
#define TORCH_CUSOLVER_CHECK DRANO_CHECK_ZERO
#define AT_CUDNN_CHECK DRANO_CHECK_ZERO
#define AT_CUDA_DRIVER_CHECK DRANO_CHECK_ZERO
#endif
