/* Stands in for PyTorch's reductions of a block, which access shared memory as it does. */
#ifndef DRANO_STUB_ATEN_NATIVE_CUDA_BLOCK_REDUCE_H
#define DRANO_STUB_ATEN_NATIVE_CUDA_BLOCK_REDUCE_H
#include "../../NumericUtils.h"
#include "../../ceil_div.h"
#include "../../cuda/DeviceUtils.cuh"
namespace at::native::cuda_utils {
constexpr int kCUDABlockReduceNumThreads = 512;
constexpr int kCUDABlockReduceMaxThreads = C10_WARP_SIZE * C10_WARP_SIZE;
template <typename T> __device__ __forceinline__ T max_propagate_nan(T a, T b) {
    if (at::_isnan(a)) return a;
    return a > b || at::_isnan(b) ? (at::_isnan(b) ? b : a) : b;
}
template <typename T> __inline__ __device__ T WarpReduceSum(T value) {
#pragma unroll
    for (int offset = C10_WARP_SIZE >> 1; offset > 0; offset >>= 1) value += WARP_SHFL_DOWN(value, offset);
    return value;
}
template <typename T> __inline__ __device__ T WarpReduceMax(T value) {
#pragma unroll
    for (int offset = C10_WARP_SIZE >> 1; offset > 0; offset >>= 1)
        value = max_propagate_nan(value, WARP_SHFL_DOWN(value, offset));
    return value;
}
template <typename T, typename Op> __inline__ __device__ T WarpReduce(T value, const Op &op) {
#pragma unroll
    for (int offset = C10_WARP_SIZE >> 1; offset > 0; offset >>= 1)
        value = op.combine(value, op.warp_shfl_down(value, offset));
    return value;
}
struct Block1D {
    static __forceinline__ __device__ int Tid() { return threadIdx.x; }
    static __forceinline__ __device__ int Warps() { return blockDim.x / C10_WARP_SIZE; }
};
struct Block2D {
    static __forceinline__ __device__ int Tid() { return threadIdx.x + threadIdx.y * blockDim.x; }
    static __forceinline__ __device__ int Warps() { return blockDim.x * blockDim.y / C10_WARP_SIZE; }
};
/* By the warps first, then by the first warp of what these put into shared memory. */
template <typename B, typename T, typename F>
__inline__ __device__ T drano_block_reduce(T value, const T &none, T *shared, F by_warp) {
    const int lane = B::Tid() % C10_WARP_SIZE, warp = B::Tid() / C10_WARP_SIZE;
    value = by_warp(value);
    __syncthreads();
    if (lane == 0) shared[warp] = value;
    __syncthreads();
    value = B::Tid() < B::Warps() ? shared[lane] : none;
    return warp == 0 ? by_warp(value) : value;
}
template <typename T, typename B = Block1D> __inline__ __device__ T BlockReduceSum(T value, T *shared) {
    return drano_block_reduce<B>(value, T(0), shared, [](T each) { return WarpReduceSum(each); });
}
template <typename T, typename B = Block1D> __inline__ __device__ T BlockReduceMax(T value, T *shared) {
    return drano_block_reduce<B>(value, T(0), shared, [](T each) { return WarpReduceMax(each); });
}
template <typename T, typename Op, typename B = Block1D>
__inline__ __device__ T BlockReduce(T value, const Op &op, const T &identity, T *shared) {
    return drano_block_reduce<B>(value, identity, shared, [&](T each) { return WarpReduce(each, op); });
}
}
#endif
