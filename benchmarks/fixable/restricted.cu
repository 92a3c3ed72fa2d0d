// Kernels that load the members of an element one by one, as stores stand between:
// restrict-parameters mends them.
//
//   drano fix --verify restricted.cu -- 1000
//   nvcc -O3 restricted.cu -o restricted && ./restricted    16777216 elements
#include <cstdio>
#include <cstdlib>
__global__ void split(float *a, float* b, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i].x;
    b[i] = in[i].y;
  }
}
__global__ void all(float* a, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i].x;
    a[i + n] = in[i].y;
    a[i + 2 * n] = in[i].z;
    a[i + 3 * n] = in[i].w;
  }
}
int main(int count, char** words) {
  int n = count > 1 ? atoi(words[1]) : 1 << 24;
  float *a, *b; float4* q;
  cudaMalloc(&a, 4l * n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMalloc(&q, (long)n * sizeof(float4));
  float4* h = (float4*)malloc((long)n * sizeof(float4));
  for (int i = 0; i < n; i++) h[i] = make_float4(i, 2.0f * i, 3.0f * i, 4.0f * i);
  cudaMemcpy(q, h, (long)n * sizeof(float4), cudaMemcpyHostToDevice);
  split<<<(n + 255) / 256, 256>>>(a, b, q, n);
  all<<<(n + 255) / 256, 256>>>(a, q, n);
  float* r = (float*)malloc(4l * n * sizeof(float));
  cudaMemcpy(r, a, 4l * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 4 * n; i++) wrong += r[i] != (float)(i / n + 1) * (i % n);
  printf("%d wrong\n", wrong);
  return wrong > 0;
}
