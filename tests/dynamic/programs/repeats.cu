// Launches that repeat, and what keeps them from it: on a GPU the counts must be those of every launch.
#include <cstdio>
#include <cuda_runtime.h>

#define N 4096

__global__ void gather(int *out, const int *in, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i] & (N - 1)];
}

__global__ void spread(int *index, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  index[i] = i * step;
}

__global__ void shift(int *p, const int *q, int by, float unused) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i + by] = q[i] + (int)unused;
}

__global__ void in_place(int *index) {
  int i = threadIdx.x;
  int next = index[i] & 31;
  index[next] = i + 1;
}

__global__ void shuffled(int *out, const int *index) {
  __shared__ int order[128];
  order[threadIdx.x] = index[threadIdx.x] & 127;
  __syncthreads();
  out[order[127 - threadIdx.x]] = order[order[threadIdx.x]];
}

// Lanes come to the inner accesses with others each time, and remember other requests.
__global__ void apart(const int *flags, int *out, int rounds) {
  __shared__ int own[128];
  int t = threadIdx.x, sum = 0;
  own[t] = t;
  for (int r = 0; r < rounds; r++) {
    for (int k = 0; k < (t & 7); k++)
      if (flags[(k * 5 + t + r) & 63] & 1) sum += own[t] + flags[k];
    if ((t + r) % 3 == 0) continue;
    sum += flags[t & 31];
  }
  out[t] = sum;
}

// A generic address: of global memory, and of the block's, in turn.
__global__ void either(int *p, int n) {
  __shared__ int own[64];
  own[threadIdx.x & 63] = 1;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    int *at = k % 3 == 1 ? own : k % 3 == 2 && threadIdx.x % 2 ? own : p;
    at[threadIdx.x & 63] += k;
  }
}

int main() {
  static int host[N];
  int *in, *out, *index, *other;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2 * sizeof host);
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&other, sizeof host);
  for (int i = 0; i < N; i++) host[i] = i;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; k++) gather<<<16, 256>>>(out, in, index, N);
  for (int i = 0; i < N; i++) host[i] = 7 * i;
  cudaMemcpyAsync(index, host, sizeof host, cudaMemcpyHostToDevice, 0);
  for (int k = 0; k < 2; k++) gather<<<16, 256>>>(out, in, index, N);
  gather<<<16, 256>>>(out, in, index, N - 40);
  cudaMemset(index, 0, sizeof host / 2);
  for (int k = 0; k < 2; k++) gather<<<16, 256>>>(out, in, index, N);
  for (int step = 1; step < 4; step++) {
    spread<<<16, 256>>>(index, 16 * step);
    gather<<<16, 256>>>(out, in, index, N);
    gather<<<16, 256>>>(out, in, index, N);
  }
  for (int i = 0; i < N; i++) host[i] = 3 * i;
  cudaMemcpy2D(index, 64, host, 64, 64, sizeof host / 64, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; k++) gather<<<16, 256>>>(out, in, index, N);
  cudaMemcpy(other, index, sizeof host, cudaMemcpyDeviceToDevice);
  for (int k = 0; k < 2; k++) gather<<<16, 256>>>(out, in, other, N);
  for (int k = 0; k < 3; k++) gather<<<16, 256>>>(in, out, other, N);  // other arrays, the same places
  gather<<<16, 256>>>(out, in, other + 8, N - 8);
  cudaFree(index);
  cudaMalloc(&index, sizeof host);
  cudaMemset(index, 0, sizeof host);
  for (int k = 0; k < 2; k++) gather<<<16, 256>>>(out, in, index, N);
  for (int k = 0; k < 6; k++) shift<<<8, 128>>>(k % 2 ? out : in, other, k / 4, (float)k);
  for (int k = 0; k < 6; k++) shift<<<8, 128>>>(out + k % 3, other + k / 3, 0, 1);
  for (int k = 0; k < 4; k++) in_place<<<1, 32>>>(other);
  for (int k = 0; k < 3; k++) shuffled<<<4, 128>>>(out, other);
  in_place<<<1, 32>>>(other);
  for (int k = 0; k < 3; k++) shuffled<<<4, 128>>>(out, other);
  for (int k = 0; k < 3; k++) apart<<<2, 128>>>(other, out, 5);
  for (int k = 0; k < 3; k++) either<<<1, 64>>>(out, 12);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < N; i++) sum += host[i];
  printf("%ld %s\n", sum, cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
