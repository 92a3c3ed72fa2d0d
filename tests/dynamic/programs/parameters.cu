// Structures given by value whose addresses go to calls, and among other addresses; prints what is wrong.
#include <cstdio>
struct Given { int *from, *to; int n; };
__device__ int by_address(const Given *g, int depth) {
  return depth > 0 ? by_address(g, depth - 1) + g->n : g->from[0];
}
__device__ int by_value(Given g, int depth) {
  g.n += depth;
  return depth > 0 ? by_value(g, depth - 1) : by_address(&g, 1);
}
__global__ void calls(Given g) {
  g.to[threadIdx.x] = by_address(&g, threadIdx.x);
  g.to[32 + threadIdx.x] = by_value(g, threadIdx.x);
}
__global__ void chooses(Given g, const Given *others) {
  const Given &one = threadIdx.x & 1 ? g : others[threadIdx.x / 2];
  g.to[threadIdx.x] = one.n;
}
int main() {
  int *p, failures = 0;
  Given *others;
  cudaMallocManaged(&p, 65 * 4);
  cudaMallocManaged(&others, 16 * sizeof(Given));
  Given g{p + 64, p, 3};
  p[64] = 7;
  for (int k = 0; k < 16; k++) others[k].n = 100 + k;
  calls<<<1, 32>>>(g);
  failures += cudaDeviceSynchronize() != cudaSuccess;
  for (int k = 0; k < 32; k++) failures += p[k] != 7 + 3 * k || p[32 + k] != 10 + k * (k + 1) / 2;
  chooses<<<1, 32>>>(g, others);
  failures += cudaDeviceSynchronize() != cudaSuccess;
  for (int k = 0; k < 32; k++) failures += p[k] != (k & 1 ? 3 : 100 + k / 2);
  printf(failures ? "%d are wrong\n" : "all as it should be\n", failures);
  return failures != 0;
}
