// nvcc: -arch=sm_90a
// The macros of architecture-specific features.
#ifdef __CUDA_ARCH__
#ifndef __CUDA_ARCH_FEAT_SM90_ALL
#error __CUDA_ARCH_FEAT_SM90_ALL
#endif
#if __CUDA_ARCH_SPECIFIC__ != 900
#error __CUDA_ARCH_SPECIFIC__
#endif
#endif
__global__ void feature(int *out) { out[threadIdx.x] = 1; asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
