// One of two units that have a static kernel of the same name.
#include <cstdio>
static __global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }
__managed__ int limit = 3;
__global__ void raise(int *out) { out[threadIdx.x] += ++limit; }
void second(int *);
extern "C" int add_up(const int *, int);
int main() {
  int *device, host[32];
  cudaMalloc(&device, sizeof host);
  fill<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d ", add_up(host, 32));
  second(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d ", add_up(host, 32));
  limit = 10;
  raise<<<1, 1>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %s\n", host[0], limit, cudaGetErrorName(cudaGetLastError()));
}
