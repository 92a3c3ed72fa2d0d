// Launches that the host counts, as no data decides their accesses, or arrays that it has copies of. What
// kernels store decides nothing here, so that the counts are the same where kernels do nothing.
#include <cstdio>
#include <unistd.h>
#include <cuda_runtime.h>

#define N 4096

struct view { float *at; int pitch, rows; };
__constant__ __align__(128) float weights[64];
__device__ __align__(128) int table[256];

__global__ void strided(float *out, const float *in, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i * step < n; i += gridDim.x * blockDim.x) out[i] = in[i * step];
}

__global__ void tiles(float *out, const float *in, int pitch) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * pitch + x];
  __syncthreads();
  out[x * pitch + y] = tile[threadIdx.x][threadIdx.y];
}

// What it adds up can stay in a register as long as nothing else may point to the shared memory.
__global__ void pairs(float *sum, const float *in, int n) {
  __shared__ float part[64];
  for (int from = 0; from < n; from += 64) {
    part[threadIdx.x] = in[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; k++) sum[blockIdx.x * 64 + threadIdx.x] += part[k] * part[threadIdx.x];
    __syncthreads();
  }
}

__global__ void rows(view v) {
  int row = blockIdx.x, lane = threadIdx.x;
  if (row >= v.rows) return;
  float sum = 0;
  for (int k = lane; k < v.pitch; k += blockDim.x) sum += v.at[row * v.pitch + k] * weights[k & 63];
  if (sum > 1) sum = 1 / sum;
  v.at[row * v.pitch] = sum;
}

__global__ void triangle(double *out, int n) {
  for (int k = 0; k < n; k++)
    if ((int)threadIdx.x > k) out[k * n + threadIdx.x] = table[(threadIdx.x * k) & 255];
}

__global__ void ordered(int *out, int n) {
  __shared__ int place[128];
  place[threadIdx.x] = (threadIdx.x * 7) & 127;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    out[place[place[threadIdx.x]]] = k;
    __syncthreads();
  }
}

__global__ void gather(int *out, const int *in, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i] & (N - 1)];
}

__global__ void sparse(float *y, const float *x, const int *first, const int *column, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int k = first[row]; k < first[row + 1]; k++) sum += x[column[k]];
  y[row] = sum;
}

__global__ void own(int *flags, int *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flags[i] & 1) {
    flags[i] = 0;
    out[i] = in[i ^ 5];
  }
  if (flags[i] == 0) atomicAdd(&out[i / 8], 1);
}

// The block's flag by one pointer, an order by another: not for the host where both are of one array.
__global__ void two(int *flags, int *out, const int *order) {
  if (flags[blockIdx.x * blockDim.x + threadIdx.x] & 1) flags[blockIdx.x * blockDim.x + threadIdx.x] = 0;
  out[order[threadIdx.x] & 31] = flags[blockIdx.x * blockDim.x + threadIdx.x];
}

// Powers of two as hardware approximates them, and what they are converted to: the GPU is asked.
__global__ void halves(float *a, int most, float huge) {
  for (int i = -2; i <= most; i++) {
    const int distance = (int)__powf(2, i);
    if (distance && threadIdx.x % distance == 0) a[threadIdx.x + distance / 2] = exp2f(i + blockIdx.x) < 40;
    if (exp2f(threadIdx.x) > huge) a[(int)exp2f(i * 500) & 63] = 0;
  }
}

__global__ void beyond(int *out, const int *index) { out[index[threadIdx.x * 100000] & 31] = 1; }

int main(int argc, char **argv) {
  static int host[N + 1];
  float *a, *b;
  int *index, *other, *flags;
  double *d;
  cudaMalloc(&a, 64 * N);
  cudaMalloc(&b, 64 * N);
  cudaMalloc(&d, 64 * N);
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&other, sizeof host);
  cudaMalloc(&flags, sizeof host);
  for (int step = 1; step < 5; step++) strided<<<8, 128>>>(a, b, N, step);
  for (int k = 0; k < 3; k++) strided<<<8, 100>>>(a + k, b + 3, N - 7, 1);
  tiles<<<dim3(8, 8), dim3(16, 16)>>>(a, b, 128);
  pairs<<<3, 64>>>(a, b, 256);
  rows<<<40, 64>>>(view{a, 100, 37});
  rows<<<40, 64>>>(view{b, 100, 37});
  triangle<<<2, 50>>>(d, 20);
  for (int k = 0; k < 5; k++) ordered<<<1, 128>>>(flags, k % 2 + 2);
  for (int k = 0; k <= N; k++) host[k] = k * 37 % N;
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; k++) gather<<<16, 256>>>((int *)a, (int *)b, index, N - k / 2);
  for (int k = 0; k <= N; k++) host[k] = k * 3;
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  gather<<<16, 256>>>((int *)b, (int *)a, index, N);
  for (int k = 0; k <= N; k++) host[k] = k / 2 + k % 3;
  cudaMemcpyAsync(other, host, sizeof host, cudaMemcpyHostToDevice);
  sparse<<<5, 96>>>(a, b, other, index, 450);
  cudaMemcpy(flags, host, sizeof host, cudaMemcpyHostToDevice);
  own<<<16, 256>>>(flags, (int *)a, (int *)b);
  halves<<<3, 128>>>(a, 6, 1e9f);
  const char how = argc > 1 ? argv[1][0] : ' ';
  if (how == 'b') beyond<<<1, 32>>>((int *)a, index);
  if (how == 'a') two<<<2, 32>>>(flags, (int *)a, flags);
  if (how == 'd') two<<<2, 32>>>(flags, (int *)a, other);
  if (how == 'f' && fork() == 0) return 0;  // a copy of the process has no thread that counts
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
