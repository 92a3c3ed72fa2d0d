// One fault, chosen by the argument; prints the error that follows it.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

__global__ void beyond(int *p, int n) { p[threadIdx.x + n] = 1; }
__global__ void skewed(char *p) { *(int *)(p + 1 + threadIdx.x * 4) = 2; }
__global__ void read(const int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void through(int **p) { *p[threadIdx.x] = 3; }
__global__ void shared_beyond(int *out, int n) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  out[0] = tile[threadIdx.x + n];
}
__global__ void part(int *out) {
  if (threadIdx.x < 32)
    __nvvm_barrier_sync(1);
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void local_beyond(int *out, int n) {
  int own[8];
  for (int k = 0; k < 8; k++) own[k] = k * threadIdx.x;
  own[int(threadIdx.x * 3 & 7) + n] = 5;
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += own[k * n & 7];
  out[threadIdx.x] = sum;
}
__global__ void endless(int *p) { while (*(volatile int *)p == 0) {} }
__global__ void fine(int *p) { p[threadIdx.x] = 4; }

int main(int argc, char **argv) {
  int choice = atoi(argv[1]), *p, host = 0;
  cudaMalloc(&p, 32 * sizeof(int));
  switch (choice) {
    case 0: beyond<<<1, 32>>>(p, 1); break;
    case 1: skewed<<<1, 4>>>((char *)p); break;
    case 2: { int *old; cudaMalloc(&old, 128); cudaFree(old); read<<<1, 32>>>(old, p); break; }
    case 3: read<<<1, 32>>>(nullptr, p); break;
    case 4: through<<<1, 16>>>((int **)p); break;
    case 5: read<<<1, 1>>>(&host, p); break;
    case 6: shared_beyond<<<1, 32>>>(p, 4000); break;
    case 7: part<<<1, 64>>>(p); break;
    case 12: local_beyond<<<1, 32>>>(p, 1); break;
    case 13: local_beyond<<<1, 32>>>(p, 1 << 24); break;
    case 14: local_beyond<<<1, 32>>>(p, -1000); break;
    case 15: local_beyond<<<1, 32>>>(p, 0); break;
    case 8: fine<<<1, 32>>>(p); abort();
    case 9: fine<<<1, 32>>>(p); fflush(stdout); _exit(3);
    case 10: printf("started\n"); fflush(stdout); endless<<<1, 32>>>(p); break;
    case 11: fine<<<1, 32>>>(p); exit(4);
  }
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s, then %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaMemset(p, 0, 4)));
  cudaDeviceReset();
  printf("after a reset: %s\n", cudaGetErrorName(cudaMemset(p, 0, 4)));
  return 0;
}
