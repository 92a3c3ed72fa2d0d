// The barrier of a whole grid waits in a loop, by a pointer of its own: nothing for its user to mend.
// drano: expect-none
#include <cooperative_groups.h>

__global__ void rounds(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1;
  cooperative_groups::this_grid().sync();
  a[i + n] = a[i] + 2;
}

int main() {
  float* a;
  int n = 256;
  cudaMalloc(&a, 4096);
  void* arguments[] = {&a, &n};
  cudaLaunchCooperativeKernel((void*)rounds, 1, 256, arguments, 0, 0);
}
