// nvcc: --expt-relaxed-constexpr --extended-lambda
// What nvcc predefines.
#if !__CUDACC__
#error __CUDACC__
#endif
#ifndef __NVCC__
#error __NVCC__
#endif
#if __CUDACC_VER_MAJOR__ < 9
#error __CUDACC_VER_MAJOR__
#endif
#if !defined(__CUDACC_VER_MINOR__) || !defined(__CUDACC_VER_BUILD__)
#error __CUDACC_VER_MINOR__
#endif
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#error __CUDACC_RELAXED_CONSTEXPR__
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#error __CUDACC_EXTENDED_LAMBDA__
#endif
#ifndef __CUDA_ARCH_LIST__
#error __CUDA_ARCH_LIST__
#endif
#ifndef CUDART_VERSION
#error CUDART_VERSION
#endif
#if (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__) < 1100
#error old
#endif
__global__ void predefined(int *out) {
#if __CUDA_ARCH__ >= 700
  out[threadIdx.x] = __CUDA_ARCH__;
#endif
}
