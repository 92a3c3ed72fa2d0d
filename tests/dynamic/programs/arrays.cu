// Kernels that get other arrays in other launches; what each array is accessed for is known from the source.
#include <cstdio>
struct two { int n; const float *in; float *out; };
__device__ __align__(128) float scale[64];
__constant__ float shift[2];

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i] * scale[i & 63];
}
__global__ void part(two t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.n) t.out[i * 2] = t.in[i] + shift[0];
}
__global__ void either(const float *a, const float *b, float *c, int n, int which) {
  const float *from = which ? a : b;
  for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] += from[i ^ 3];
}
__global__ void tally(int *counters, const float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[(int)values[i] & 7], 1);
}
__global__ void nothing() {}

// With an argument also a graph, which only a GPU has.
int main(int argc, char **) {
  const int n = 1000, bytes = n * sizeof(float);
  float *x, *y, *z, *rows[2], *pinned, *late;
  int *counters;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, 2 * bytes);
  for (int k = 0; k < 2; k++) cudaMalloc(&rows[k], bytes);
  cudaMallocHost((void **)&pinned, bytes);
  cudaMalloc(&counters, 8 * sizeof(int));
  cudaMemset(x, 0, bytes);
  cudaMemset(y, 0, bytes);
  cudaMemset(z, 0, 2 * bytes);
  for (int k = 0; k < 2; k++) cudaMemset(rows[k], 0, bytes);
  cudaMemset(counters, 0, 8 * sizeof(int));
  for (int i = 0; i < n; i++) pinned[i] = (float)(i % 5);
  nothing<<<1, 1>>>();
  for (int k = 0; k < 6; k++) add<<<8, 128>>>(k & 1 ? x : y, z, k & 1 ? y : x, n);
  add<<<8, 128>>>(pinned, z + n, rows[0], n - 24);
  add<<<8, 128>>>(rows[0], rows[1], rows[1], n);
  part<<<4, 256>>>(two{n, x, z});
  part<<<4, 256>>>(two{n - 8, rows[1], z});
  either<<<1, 96>>>(x, x, z, 512, 0);
  either<<<1, 96>>>(rows[0], rows[1], y, 512, 1);
  tally<<<8, 128>>>(counters, pinned, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaMalloc(&late, bytes); // where x was, perhaps
  cudaStream_t streams[2];
  for (int k = 0; k < 2; k++) {
    cudaStreamCreate(&streams[k]);
    add<<<8, 128, 0, streams[k]>>>(k ? y : z, pinned, k ? late : y, k ? n : 500);
    cudaStreamSynchronize(streams[k]);
  }
  tally<<<8, 128, 0, streams[0]>>>(counters, late, 700);
  if (argc > 1) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
    tally<<<8, 128, 0, streams[0]>>>(counters, late, 700);
    cudaStreamEndCapture(streams[0], &graph);
    void *arguments[] = {&counters, &y, (void *)&n};
    cudaKernelNodeParams node = {(void *)tally, dim3(8), dim3(128), 0, arguments, NULL};
    cudaGraphNode_t added;
    cudaGraphAddKernelNode(&added, graph, NULL, 0, &node);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
    for (int k = 0; k < 3; k++) cudaGraphLaunch(exec, streams[0]);
  }
  cudaError_t error = cudaStreamSynchronize(streams[0]);
  int total[8];
  cudaMemcpy(total, counters, sizeof total, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += total[k];
  printf("%d %s\n", sum, cudaGetErrorString(error));
  return 0;
}
