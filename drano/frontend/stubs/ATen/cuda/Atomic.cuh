/* Stands in for PyTorch's atomic operations. */
#ifndef DRANO_STUB_ATEN_CUDA_ATOMIC_H
#define DRANO_STUB_ATEN_CUDA_ATOMIC_H
#include "../../c10/core/ScalarType.h"
__device__ inline c10::Half gpuAtomicAdd(c10::Half *address, c10::Half value) {
    return atomicAdd(reinterpret_cast<__half *>(address), static_cast<__half>(value));
}
__device__ inline c10::BFloat16 gpuAtomicAdd(c10::BFloat16 *address, c10::BFloat16 value) {
    return atomicAdd(reinterpret_cast<__nv_bfloat16 *>(address), static_cast<__nv_bfloat16>(value));
}
#define DRANO_X(T) \
    __device__ inline T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
DRANO_X(float) DRANO_X(double) DRANO_X(int)
#undef DRANO_X
__device__ inline int64_t gpuAtomicAdd(int64_t *address, int64_t value) {
    return atomicAdd(reinterpret_cast<unsigned long long *>(address), value);
}
template <typename T> __device__ inline void gpuAtomicAddNoReturn(T *address, T value) {
    gpuAtomicAdd(address, value);
}
#define DRANO_X(T) \
    __device__ inline T atomicAdd(T *address, T value) { return gpuAtomicAdd(address, value); }
DRANO_X(c10::Half) DRANO_X(c10::BFloat16) DRANO_X(int64_t)
#undef DRANO_X
#endif
