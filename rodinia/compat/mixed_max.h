// Forced into units whose host code calls max() with one signed and one unsigned argument: nvcc's
// headers have these two overloads, clang's CUDA wrapper has not. As in nvcc, the result is unsigned.
#pragma once
#ifdef __CUDACC__
static inline __host__ __device__ unsigned int max(int a, unsigned int b) {
  return static_cast<unsigned int>(a) > b ? static_cast<unsigned int>(a) : b;
}
static inline __host__ __device__ unsigned int max(unsigned int a, int b) { return max(b, a); }
#endif
