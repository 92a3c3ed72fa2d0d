// Accesses of every kind, whose counts do not depend on where arrays lie nor on how lanes are scheduled.
#include <cstdio>
struct three { float a, b, c; };
__device__ __align__(128) float table[256];
__constant__ __align__(128) int constants[64];

__global__ void straight(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride] + table[i & 255];
}
__global__ void loops(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  for (int k = 0; k < 300; k++) sum += in[(threadIdx.x * 33 + k) % n];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void scattered(const float *in, const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[index[i]] + in[i ^ 5];
}
__global__ void branches(float *out, const double *wide, const float4 *four, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) out[i] = (float)wide[i];
  else if (i % 7 < 3) out[i] = four[i].y + four[i].x;
  if (threadIdx.x < 3) out[i] += 1;
  if (threadIdx.x == 40) out[i] += 2;
}
__global__ void banks(float *out, int n) {
  __shared__ float tile[32][32];
  __shared__ double pairs[256];
  extern __shared__ int dynamic[];
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  for (int row = y; row < 32; row += 8) tile[row][x] = (float)(row + x);
  pairs[t] = t;
  dynamic[t * 3 % 256] = t;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; k++) sum += tile[x][k] + tile[k][x] + tile[0][k];
  if (x & 1) sum += (float)pairs[(t * 2) % 256] + (float)dynamic[(t * 5) % 256];
  out[t] = sum + (float)pairs[t];
}
__global__ void structs(three *all, const three *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) all[i] = from[i];
  if (i < n && i % 2) all[i].b = all[i].a + constants[i % 64];
}
__global__ void atomics(int *bins, const int *index, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&bins[index[i] % 16], 1);
    atomicAdd(&local[index[i] % 16], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
__global__ void either(float *out, int n) {
  __shared__ float here[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *to = threadIdx.x < 40 ? &here[threadIdx.x] : &out[i];
  if (threadIdx.x < 64) *to = 3;
  __syncthreads();
  if (threadIdx.x < 40) out[i] = here[threadIdx.x];
}
int main() {
  const int n = 10000;
  float *in, *out;
  double *wide;
  float4 *four;
  three *all, *from;
  int *index, *bins;
  cudaMalloc(&in, n * 8 * sizeof(float));
  cudaMalloc(&out, n * 2 * sizeof(float));
  cudaMalloc(&wide, n * 2 * sizeof(double));
  cudaMalloc(&four, n * 2 * sizeof(float4));
  cudaMalloc(&all, n * sizeof(three));
  cudaMalloc(&from, n * sizeof(three));
  cudaMalloc(&index, n * sizeof(int));
  cudaMalloc(&bins, 16 * sizeof(int));
  cudaMemset(in, 0, n * 8 * sizeof(float));
  cudaMemset(bins, 0, 16 * sizeof(int));
  int *host = new int[n];
  unsigned seed = 1;
  for (int i = 0; i < n; i++) host[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 8) % n;
  cudaMemcpy(index, host, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int stride = 1; stride <= 8; stride *= 2) straight<<<(n + 255) / 256, 256>>>(in, out, n, stride);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  loops<<<8, 96, 0, stream>>>(in, out, n);
  scattered<<<(n + 127) / 128, 128>>>(in, index, out, n);
  branches<<<n / 100, 100>>>(out, wide, four, n);
  banks<<<4, dim3(32, 8), 256 * sizeof(int)>>>(out, n);
  structs<<<(n + 255) / 256, 256>>>(all, from, n);
  atomics<<<(n + 255) / 256, 256>>>(bins, index, n);
  either<<<10, 96>>>(out, n);
  cudaMemcpy(host, bins, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  int total = 0;
  for (int k = 0; k < 16; k++) total += host[k];
  printf("%d %s\n", total, cudaGetErrorName(cudaDeviceSynchronize()));
  return total != 2 * n;
}
