/* Stands in for PyTorch's names of warp operations. */
#ifndef DRANO_STUB_ATEN_CUDA_DEVICEUTILS_H
#define DRANO_STUB_ATEN_CUDA_DEVICEUTILS_H
#include "../../c10/core/ScalarType.h"
#define DRANO_X(name, call, lane) \
    template <typename T> __device__ __forceinline__ T name( \
        T value, lane, int width = warpSize, unsigned int mask = 0xffffffff) { \
        return call(mask, value, by, width); \
    }
DRANO_X(WARP_SHFL, __shfl_sync, int by)
DRANO_X(WARP_SHFL_XOR, __shfl_xor_sync, int by)
DRANO_X(WARP_SHFL_UP, __shfl_up_sync, unsigned int by)
DRANO_X(WARP_SHFL_DOWN, __shfl_down_sync, unsigned int by)
#undef DRANO_X
__device__ __forceinline__ unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffff) {
    return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ void WARP_SYNC(unsigned int mask = 0xffffffff) { __syncwarp(mask); }
#endif
