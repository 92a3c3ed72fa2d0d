// Kernels that launch kernels; prints what is wrong.
#include <cstdio>
static int failures;
#define WANT(condition) \
  do { if (!(condition)) { failures++; printf("line %d: %s\n", __LINE__, #condition); } } while (0)
#define OK(call) WANT((call) == cudaSuccess)

__global__ void child(int *p, int v, double d) {
  p[threadIdx.x + 32 * blockIdx.x] += v + (int)d;
  if (v > 1 && threadIdx.x == 0 && blockIdx.x == 0) child<<<2, 32>>>(p, v - 1, d);
}
__global__ void last(int *p) { p[threadIdx.x] *= 10; }
__global__ void parent(int *p) {
  if (threadIdx.x == 0) {
    last<<<1, 32, 0, cudaStreamTailLaunch>>>(p);
    child<<<2, 32, 0, cudaStreamFireAndForget>>>(p, 3, 1.0);
  }
  if (threadIdx.x < 2) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    child<<<1, 32, 0, s>>>(p + 64, threadIdx.x, 0.0);
    cudaStreamDestroy(s);
  }
}
int main() {
  int *p;
  OK(cudaMallocManaged(&p, 384));
  parent<<<1, 64>>>(p);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 32; k++) WANT(p[k] == 90 && p[32 + k] == 9 && p[64 + k] == 1);
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
