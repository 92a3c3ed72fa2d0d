// Kernels that launch kernels, copy and fill; prints what is wrong.
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
struct Row { int *data; int size; };
__global__ void fills(Row *rows, int k) { rows[k].data[threadIdx.x] = k; }
__global__ void allocates(Row *rows) {
  int k = threadIdx.x;
  rows[k].size = k + 1;
  cudaMalloc((void **)&rows[k].data, rows[k].size * sizeof(int));
  fills<<<1, k + 1>>>(rows, k);
}
__global__ void sums(Row *rows, int *sum) {
  for (int i = 0; i < rows[threadIdx.x].size; i++) atomicAdd(sum, rows[threadIdx.x].data[i]);
  cudaFree(rows[threadIdx.x].data);
}
struct Shape { __device__ virtual int area() const = 0; };
struct Square : Shape { int side; __device__ int area() const override { return side * side; } };
__global__ void measures(int *sum) { Square s; s.side = 3; Shape *shape = &s; *sum += shape->area(); }
__global__ void adds(int *p, int n) { for (int i = 0; i < n; i++) p[i] += 1; }
// in the order of the stream: 64 fives, plus 1, copied, plus 1, and two rows of two of what results
__global__ void moves(int *p, int *rows) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemsetAsync(p, 5, 64, s);
  adds<<<1, 1, 0, s>>>(p, 16);
  cudaMemcpyAsync(p + 16, p, 64, cudaMemcpyDeviceToDevice, s);
  adds<<<1, 1, 0, s>>>(p + 16, 16);
  if (cudaGetErrorString(cudaSuccess)[0] == 'n') cudaMemset2DAsync(rows, 12, 0, 12, 2, s);
  cudaMemcpy2DAsync(rows, 12, p + 14, 8, 8, 2, cudaMemcpyDeviceToDevice, s);
}

int main() {
  Row *rows;
  int *sum;
  OK(cudaMalloc(&rows, 8 * sizeof(Row)));
  OK(cudaMallocManaged(&sum, 4));
  *sum = 0;
  allocates<<<1, 8>>>(rows);
  sums<<<1, 8>>>(rows, sum);
  measures<<<1, 1>>>(sum);
  OK(cudaDeviceSynchronize());
  WANT(*sum == 168 + 9);
  int *moved;
  OK(cudaMallocManaged(&moved, 38 * 4));
  moves<<<1, 1>>>(moved, moved + 32);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 16; k++) WANT(moved[k] == 0x05050506 && moved[16 + k] == 0x05050507);
  for (int k = 0; k < 6; k++) WANT(moved[32 + k] == (k % 3 == 2 ? 0 : 0x05050506 + k / 3));
  int *p;
  OK(cudaMallocManaged(&p, 384));
  parent<<<1, 64>>>(p);
  OK(cudaDeviceSynchronize());
  for (int k = 0; k < 32; k++) WANT(p[k] == 90 && p[32 + k] == 9 && p[64 + k] == 1);
  if (!failures) printf("all as it should be\n");
  return failures != 0;
}
