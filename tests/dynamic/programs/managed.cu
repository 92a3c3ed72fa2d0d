// Managed variables, as host code and kernels use them.
#include <cstdio>
struct box { int rows, columns; double *data; int cells[8]; };
__managed__ int limit = 3;
__device__ __managed__ __align__(128) float values[256];
__managed__ __align__(128) box boxes[2] = {{1, 2}, {3, 4}};
__managed__ int *where;
__global__ void raise(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i * 3 % 256] += limit + boxes[1].cells[i & 7];
}
__global__ void more() { ++limit; }
__global__ void through(int *to) { to[threadIdx.x] = where[threadIdx.x] + boxes[threadIdx.x & 1].rows; }
static int sum(const int *from, int n) { return n ? *from + sum(from + 1, n - 1) : 0; }
template <class T> static T &first(T *from) { return from[0]; }
static int chosen(bool which, int n) {
  int *from = which ? boxes[0].cells : boxes[1].cells + 2;
  for (int i = 0; i < n; i++) from = i & 1 ? &limit : &boxes[1].columns;
  return *from + *(n > 5 ? &limit : &boxes[0].rows);
}
int main() {
  box copy = boxes[1];
  for (int i = 0; i < 256; i++) values[i] = i;
  for (int &cell : boxes[1].cells) cell = static_cast<int>(&cell - boxes[1].cells);
  boxes[0].data = reinterpret_cast<double *>(&values[7]);
  printf("%d %d %d ", limit, copy.columns, sum(boxes[1].cells, 8));
  raise<<<4, 64>>>(250);
  more<<<1, 1>>>();
  cudaDeviceSynchronize();
  limit += 10;
  first(values) = 0.5f;
  raise<<<2, 64>>>(100);
  cudaDeviceSynchronize();
  int *to, host[32];
  cudaMallocManaged(&where, 32 * sizeof(int));
  cudaMalloc(&to, sizeof host);
  for (int i = 0; i < 32; i++) where[i] = i;
  through<<<1, 32>>>(to);
  cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
  float total = 0;
  for (float value : values) total += value;
  printf("%d %.1f %d ", limit, total, sum(host, 32));
  printf("%d %d %td ", chosen(true, 3), chosen(false, 6), (char *)boxes[0].data - (char *)values);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
