// Cooperative groups of several warps, and atomics of a scope; prints what is wrong.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)
#define OK(call) WANT((call) == cudaSuccess)

namespace cg = cooperative_groups;

__global__ void wide(int *o) {
  auto block = cg::this_thread_block();
  auto half = cg::tiled_partition<64>(block);
  o[threadIdx.x] = cg::reduce(half, (int)threadIdx.x, cg::plus<int>());
  half.sync();
}
__global__ void scopes(int *p, float *f, unsigned long long *u) {
  int t = threadIdx.x;
  atomicAdd_system(p, 1);
  atomicMax_system(p + 1, t);
  atomicCAS_system(p + 2, t, t + 1);
  atomicInc_system((unsigned *)p + 3, 17);
  atomicExch_block(p + 4, 5);
  atomicMin_system((unsigned *)p + 5, (unsigned)t);
  atomicAdd_block(f, 1.0f);
  atomicOr_system(u, 1ull << t);
}
int main() {
  int *p, *o;
  float *f;
  unsigned long long *u;
  OK(cudaMallocManaged(&p, 64));
  OK(cudaMallocManaged(&o, 512));
  OK(cudaMallocManaged(&f, 4));
  OK(cudaMallocManaged(&u, 8));
  p[5] = -1;
  scopes<<<1, 64>>>(p, f, u);
  OK(cudaDeviceSynchronize());
  WANT(p[0] == 64 && p[1] == 63 && p[2] == 64 && p[3] == 10 && p[4] == 5 && p[5] == 0);
  WANT(*f == 64 && *u == ~0ull);
  wide<<<3, 128>>>(o);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 128; k++) WANT(o[k] == (k < 64 ? 2016 : 6112));
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
