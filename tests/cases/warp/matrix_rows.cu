// ldmatrix and stmatrix: each of the first lanes gives the address of a row of 16 bytes.
#include <cuda_fp16.h>
__global__ void four(const half *a, unsigned *o) {
  __shared__ __align__(16) half close[64 * 64], padded[64 * 72];
  for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x) close[i] = padded[i] = a[i];
  __syncthreads();
  unsigned x, y, z, w, u, v;
  unsigned row = __cvta_generic_to_shared(&close[threadIdx.x % 16 * 64 + threadIdx.x / 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"  // drano: expect[DRN101] "32 wavefronts where 4 would do"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"  // drano: expect[DRN101] "16 wavefronts where 2 would do"
               : "=r"(u), "=r"(v) : "r"(row));
  unsigned good = __cvta_generic_to_shared(&padded[threadIdx.x % 16 * 72 + threadIdx.x / 16 * 8]);
  unsigned p, q, r, s, t;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(p), "=r"(q), "=r"(r), "=r"(s) : "r"(good));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(t) : "r"(good));
  o[threadIdx.x] = x + y + z + w + u + v + p + q + r + s + t;
}
__global__ void stored(unsigned *o, unsigned v) {
  __shared__ __align__(16) half close[64 * 64], swizzled[64 * 64];
  int lane = threadIdx.x, line = lane % 16, column = lane / 16;
  unsigned row = __cvta_generic_to_shared(&close[line * 64 + column * 8]);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};"  // drano: expect[DRN101] "32 wavefronts where 4 would do"
               :: "r"(row), "r"(v));
  unsigned good = __cvta_generic_to_shared(&swizzled[line * 64 + (column ^ line % 8) * 8]);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" :: "r"(good), "r"(v));
  __syncthreads();
  o[lane] = close[lane] + swizzled[lane] > half(0);
}
void launch(const half *a, unsigned *o) {
  four<<<8, 32>>>(a, o);
  stored<<<8, 32>>>(o, 7);
}
