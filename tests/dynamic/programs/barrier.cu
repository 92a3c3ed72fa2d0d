// A product of tiles, which sm_90 does by an instruction that a CPU lacks, and what memory a pointer is to.
#include <cstdio>

__global__ void turn(const float* in, float* out) {
  __shared__ float tile[128];
  float own = 0;
  float* volatile pointer = &own;
#if __CUDA_ARCH__ >= 800
  int d = 0;
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%0}, {%1}, {%1},"
               " {%0,%0};" : "+r"(d) : "r"(1));
#endif
  bool known = __isShared(tile) && !__isGlobal(tile) && __isGlobal(in) && __isLocal(pointer);
  tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = known ? tile[127 - threadIdx.x] : -1;
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 1024);
  cudaMallocManaged(&out, 1024);
  for (int i = 0; i < 256; ++i) in[i] = i;
  turn<<<2, 128>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 256; ++i)
    if (out[i] != i / 128 * 128 + 127 - i % 128) return std::printf("wrong at %d\n", i), 1;
  return std::puts("passed"), 0;
}
