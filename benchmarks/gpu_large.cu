// Launches of many more blocks than a GPU runs at once, for what sampling costs: 2^26 elements, each
// kernel ten times. Prints a checksum.
#include <cstdio>
#include <vector>

const int SIDE = 8192, TILE = 32;

__global__ void scale(float *out, const float *in, float by) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  out[i] = by * in[i] + out[i];
}

__global__ void transpose(float *out, const float *in) {  // stores are uncoalesced
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[(size_t)x * SIDE + y] = in[(size_t)y * SIDE + x];
}

__global__ void transpose_tiled(float *out, const float *in) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * SIDE + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) out[(size_t)(y + k) * SIDE + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void stencil(float *out, const float *in) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1) return;
  size_t i = (size_t)y * SIDE + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - SIDE] + in[i + SIDE]);
}

__global__ void gather(float *out, const float *in, int step) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  out[i] += in[(i * (size_t)step) & ((size_t)SIDE * SIDE - 1)];
}

__global__ void sums(float *out, const float *in) {
  __shared__ float part[256];
  size_t i = blockIdx.x * (size_t)256 + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void polynomial(float *out, const float *in, const float *by, int terms) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  float x = in[i], y = 0;
  for (int k = 0; k < terms; k++) y = y * x + by[k];
  out[i] = y;
}

int main() {
  const size_t n = (size_t)SIDE * SIDE;
  std::vector<float> host(n);
  for (size_t i = 0; i < n; i++) host[i] = (float)(i % 1000) / 1000;
  float *a, *b, *by;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&by, 64 * sizeof(float));
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(by, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, n * sizeof(float));
  dim3 flat(n / 256), tiles(SIDE / TILE, SIDE / TILE), rows(SIDE / 32, SIDE / 8);
  for (int k = 0; k < 10; k++) {
    scale<<<flat, 256>>>(b, a, 0.5f);
    transpose<<<rows, dim3(32, 8)>>>(b, a);
    transpose_tiled<<<tiles, dim3(TILE, 8)>>>(a, b);
    stencil<<<rows, dim3(32, 8)>>>(b, a);
    gather<<<flat, 256>>>(b, a, 33);
    sums<<<flat, 256>>>(a, b);
    polynomial<<<flat, 256>>>(b, a, by, 64);
  }
  cudaMemcpy(host.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += host[i];
  printf("%g %s\n", sum, cudaGetErrorString(cudaDeviceSynchronize()));
}
