// Atomic functions of all types and scopes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void atomics(int *i32, unsigned *u32, unsigned long long *u64, long long *s64, float *f, double *d, float2 *f2, float4 *f4, unsigned short *u16, __half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  int i = threadIdx.x;
  atomicAdd(i32 + i, 1); atomicAdd(u32 + i, 1u); atomicAdd(u64 + i, 1ull); atomicAdd(f + i, 1.f); atomicAdd(d + i, 1.);
  atomicAdd(f2 + i, make_float2(1, 2)); atomicAdd(f4 + i, make_float4(1, 2, 3, 4));
  atomicAdd(h + i, __half(1.f)); atomicAdd(h2 + i, __half2(1.f, 2.f)); atomicAdd(b + i, __nv_bfloat16(1.f)); atomicAdd(b2 + i, __nv_bfloat162(1.f, 2.f));
  atomicSub(i32 + i, 1); atomicSub(u32 + i, 1u); atomicExch(i32 + i, 1); atomicExch(f + i, 1.f); atomicExch(u64 + i, 1ull);
  atomicMin(i32 + i, 1); atomicMax(u32 + i, 1u); atomicMin(s64 + i, 1ll); atomicMax(u64 + i, 1ull);
  atomicInc(u32 + i, 7u); atomicDec(u32 + i, 7u); atomicAnd(i32 + i, 1); atomicOr(u32 + i, 1u); atomicXor(u64 + i, 1ull);
  atomicCAS(i32 + i, 1, 2); atomicCAS(u64 + i, 1ull, 2ull); atomicCAS(u16 + i, (unsigned short)1, (unsigned short)2);
  atomicAdd_block(i32 + i, 1); atomicAdd_system(u32 + i, 1u); atomicCAS_system(i32 + i, 1, 2); atomicMax_block(i32 + i, 3); atomicExch_system(i32, 3); atomicOr_system(u32, 1u); atomicAdd_system(f, 1.f); atomicAdd_block(d, 1.);
}
