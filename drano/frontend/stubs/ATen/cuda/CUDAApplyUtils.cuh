/* Stands in for PyTorch's launch shapes of elementwise kernels. */
#ifndef DRANO_STUB_ATEN_CUDA_CUDAAPPLYUTILS_H
#define DRANO_STUB_ATEN_CUDA_CUDAAPPLYUTILS_H
#include "../ceil_div.h"
#include "CUDAContext.h"
namespace at {
namespace cuda {
constexpr unsigned AT_APPLY_THREADS_PER_BLOCK = 512;
constexpr unsigned AT_APPLY_BLOCKS_PER_SM = 4;
template <typename T> C10_HOST_DEVICE T ATenCeilDiv(T a, T b) { return at::ceil_div(a, b); }
inline dim3 getApplyBlock(unsigned threads = AT_APPLY_THREADS_PER_BLOCK) { return dim3(threads); }
}
}
#endif
