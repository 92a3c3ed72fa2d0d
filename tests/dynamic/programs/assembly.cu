// Inline PTX that computes its own addresses; prints what is wrong.
#include <cstdio>
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)

__global__ void scaled(int *p) {
  asm volatile("{ .reg .u64 a; .reg .u32 v; mul.wide.u32 a, %1, 8; add.u64 a, a, %0;\n\t"
               "ld.global.u32 v, [a+4]; add.u32 v, v, 3; st.global.u32 [a], v; }"
               :: "l"(p), "r"(threadIdx.x) : "memory");
}
__global__ void own_lane(int *p) {
  asm volatile("{ .reg .u64 a; .reg .u32 i; mov.u32 i, %%tid.x; mul.wide.u32 a, i, 128;"
               " add.u64 a, a, %0; st.global.u32 [a], 5; }" :: "l"(p) : "memory");
}
__global__ void guarded(int *p) {
  asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 7; @q red.global.add.u32 [%0], 1; }"
               :: "l"(p + threadIdx.x), "r"(threadIdx.x) : "memory");
}
__global__ void jumps(int *p) {
  int t = threadIdx.x, rounds = 0, sum = 0;
  asm volatile("{ .reg .pred q; .reg .u64 a; .reg .u32 v;\n"
               "mov.u64 a, %2;\n"
               "again_%=: setp.ge.s32 q, %0, %3;\n"
               "@q bra done_%=;\n"
               "ld.global.u32 v, [a]; add.u32 %1, %1, v; add.u64 a, a, 4; add.s32 %0, %0, 1;\n"
               "bra again_%=;\n"
               "done_%=: }" : "+r"(rounds), "+r"(sum) : "l"(p), "r"(t));
  p[64 + t] = sum + rounds;
}
__global__ void shared_numbers(int *p) {
  __shared__ int before[16], tile[64];
  int t = threadIdx.x, v;
  before[t % 16] = 100;
  unsigned a = __cvta_generic_to_shared(&tile[t]);
  asm volatile("st.shared.u32 [%0], %1;" :: "r"(a), "r"(t) : "memory");
  __syncthreads();
  asm volatile("{ .reg .u32 b; xor.b32 b, %1, 4; ld.shared.u32 %0, [b]; }" : "=r"(v) : "r"(a));
  p[t] = v + before[0];
}
int main() {
  int *p;
  cudaMallocManaged(&p, 8192);
  auto done = [] { WANT(cudaDeviceSynchronize() == cudaSuccess); };
  for (int k = 0; k < 2048; k++) p[k] = k;
  scaled<<<1, 32>>>(p), done();
  for (int k = 0; k < 32; k++) WANT(p[2 * k] == 2 * k + 4);
  own_lane<<<1, 32>>>(p), done();
  for (int k = 0; k < 32; k++) WANT(p[32 * k] == 5);
  for (int k = 0; k < 32; k++) p[k] = k;
  guarded<<<1, 32>>>(p), done();
  for (int k = 0; k < 32; k++) WANT(p[k] == k + (k < 7));
  for (int k = 0; k < 32; k++) p[k] = k;
  jumps<<<1, 32>>>(p), done();
  for (int k = 0; k < 32; k++) WANT(p[64 + k] == k * (k - 1) / 2 + k);
  shared_numbers<<<1, 32>>>(p), done();
  for (int k = 0; k < 32; k++) WANT(p[k] == (k ^ 1) + 100);
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
