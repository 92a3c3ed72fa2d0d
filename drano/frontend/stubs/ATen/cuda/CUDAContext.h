/* Stands in for PyTorch's header of the device's state. */
#ifndef DRANO_STUB_ATEN_CUDA_CONTEXT_H
#define DRANO_STUB_ATEN_CUDA_CONTEXT_H
#include "../../c10/cuda/CUDAStream.h"
#include "../core/Tensor.h"
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <cusparse.h>
namespace c10 { struct Allocator; }
namespace at { namespace cuda {
cudaDeviceProp *getCurrentDeviceProperties(), *getDeviceProperties(int64_t);
int warp_size();
int64_t getNumGPUs();
bool is_available(), canDeviceAccessPeer(int64_t, int64_t);
c10::Allocator *getCUDADeviceAllocator();
cublasHandle_t getCurrentCUDABlasHandle();
cusparseHandle_t getCurrentCUDASparseHandle();
cusolverDnHandle_t getCurrentCUDASolverDnHandle();
} }
#endif
