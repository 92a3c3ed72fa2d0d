// drano: expect-none
// What a kernel prints says nothing of where pointers lead that it loads.
#include <cstdio>
struct Matrices { float* storage; const int* starts; int count; };
__global__ void fill(Matrices* m, int n) {
  const int id = blockIdx.z;
  if (id >= m->count) printf("%d of %d\n", id, m->count);
  float* row = m->storage + m->starts[id];
  for (int i = threadIdx.x; i < n; i += 32) row[i] = 1;
}
void run(Matrices* m, int n) { fill<<<dim3(1, 1, n), 32>>>(m, n); }
