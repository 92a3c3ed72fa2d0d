// drano-flags: --as-written
// Lanes that fill or copy different numbers of bytes hold different values afterwards, and some of
// them access nothing.
#include <cstring>

__global__ void filled(const int *p, float *o, int m) {
  int a[4] = {m, m, m, m};
  memset(a, 0, p[threadIdx.x] & 15);
  o[a[2] & 1023] = 1;  // drano: expect[DRN003] "depends on"
}

__global__ void copied(const int *p, float *o, int m, int k) {
  int a[4] = {m, m, m, m}, b[4] = {k, k, k, k};
  memcpy(a, b, p[threadIdx.x] & 15);
  o[a[2] & 1023] = 1;  // drano: expect[DRN003] "depends on"
}

// As many in each lane: what the array holds is uniform.
__global__ void evenly(float *o, int m, int n) {
  int a[4] = {m, m, m, m};
  memset(a, 0, n & 15);
  o[a[2] & 1023] = 1;
}

__global__ void outwards(char *p, const int *n) {
  memset(p + 128 * threadIdx.x, 0, n[threadIdx.x]);
}
