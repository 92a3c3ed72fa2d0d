// Matrix product with one thread for each element of c. With threadIdx.x as the row, the lanes of
// a warp walk down the columns of a and c; with threadIdx.x as the column they share a's element
// and read b and c along rows.
#include <cstdio>
#include <vector>

__global__ void matmul_wrong_order(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

int main() {
  const int n = 512;
  std::vector<float> ones(n * n, 1.0f);
  const size_t bytes = ones.size() * sizeof(float);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  matmul_wrong_order<<<dim3(n / 32, n / 8), block>>>(a, b, c, n);
  matmul<<<dim3(n / 32, n / 8), block>>>(a, b, c, n);

  cudaMemcpy(ones.data(), c, bytes, cudaMemcpyDeviceToHost);
  std::printf("c[0] = %g, expected %d\n", ones[0], n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return ones[0] == static_cast<float>(n) ? 0 : 1;
}
