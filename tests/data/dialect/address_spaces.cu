// Functions on addresses and the state spaces they are in.
#include <cuda_pipeline.h>
#include <cuda_awbarrier_primitives.h>
__global__ void addresses(float *out, const float *__restrict__ in, const __grid_constant__ float4 four) {
  __shared__ float tile[256];
  int i = threadIdx.x;
  if (__isGlobal(in)) out[i] = 1;
  if (__isShared(tile)) out[i] = 2;
  if (__isConstant(in) || __isLocal(in) || __isGridConstant(&four) || __isClusterShared(tile)) out[i] = 3;
  size_t s = __cvta_generic_to_shared(tile), g = __cvta_generic_to_global(in), c = __cvta_generic_to_constant(in), l = __cvta_generic_to_local(in);
  float *back = (float *)__cvta_shared_to_generic(s), *gback = (float *)__cvta_global_to_generic(g);
  const float *grid = (const float *)__cvta_grid_constant_to_generic(__cvta_generic_to_grid_constant(&four));
  back[i] = gback[i] + grid[0] + c + l;
  float *aligned = (float *)__builtin_assume_aligned(out, 16);
  aligned[i] = __ldg(in + i) + __ldg((const float4 *)in + i).x;
  __builtin_assume(i < 32);
  __pipeline_memcpy_async(&tile[4 * i], &in[4 * i], 16);
  __pipeline_memcpy_async(&tile[i], &in[i], 4, 2);
  __pipeline_commit(); __pipeline_wait_prior(0);
  __shared__ __mbarrier_t bar;
  if (i == 0) __mbarrier_init(&bar, 32);
  __mbarrier_token_t t = __mbarrier_arrive(&bar); while (!__mbarrier_test_wait(&bar, t)) {}
  if (i > 3000) { __trap(); __brkpt(); __prof_trigger(1); }
  out[i] = tile[i] + clock() + clock64() + warpSize;
  memcpy(out + i, in + i, 16); memset(out, 0, 4);
  __builtin_unreachable();
}
