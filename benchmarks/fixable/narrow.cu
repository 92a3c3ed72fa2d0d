// Kernels in which each thread walks along a row of elements of one or two bytes, or of a parameter
// that is moved to its row: widen-loop-reads mends them.
//
//   drano fix --verify narrow.cu -- 256 64
//   nvcc -O3 narrow.cu -o narrow && ./narrow       65536 rows of 1024 elements
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void half_sums(float* out, const __half* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
      sum += __half2float(in[row * columns + i]);
    }
    out[row] = sum;
  }
}

__global__ void byte_maxima(unsigned char* out, const unsigned char* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    unsigned char most = 0;
    for (int i = 0; i < columns; i++) {
      if (in[row * columns + i] > most) most = in[row * columns + i];
    }
    out[row] = most;
  }
}

__global__ void add_rows(__nv_bfloat16* sum, const __nv_bfloat16* a, const __nv_bfloat16* b, int rows,
                         int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  sum += row * columns;
  a += row * columns;
  b += row * columns;
  for (int i = 0; i < columns; i++) {
    sum[i] = (__nv_bfloat16)((float)a[i] + (float)b[i]);
  }
}

__global__ void float_sums(float* out, const float* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  in += row * columns;
  float sum = 0.0f;
  for (int i = 0; i < columns; i++) {
    sum += in[i];
  }
  out[row] = sum;
}

int main(int count, char** words) {
  int rows = count > 1 ? atoi(words[1]) : 65536, columns = count > 2 ? atoi(words[2]) : 1024;
  size_t elements = (size_t)rows * columns, bytes = elements * sizeof(float);
  float* values = (float*)malloc(bytes);
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  int blocks = (rows + 127) / 128;
  for (size_t i = 0; i < elements; i++) ((unsigned char*)values)[i] = i % 251;
  cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
  byte_maxima<<<blocks, 128>>>((unsigned char*)out, (unsigned char*)in, rows, columns);
  cudaMemcpy(values, out, rows, cudaMemcpyDeviceToHost);
  printf("%d\n", ((unsigned char*)values)[rows / 2]);
  for (size_t i = 0; i < elements; i++) ((__half*)values)[i] = __float2half(i % 1000 * 0.001f);
  cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
  half_sums<<<blocks, 128>>>(out, (__half*)in, rows, columns);
  cudaMemcpy(values, out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.9g\n", values[rows / 2]);
  for (size_t i = 0; i < elements; i++) values[i] = i % 1000 * 0.001f;
  cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
  float_sums<<<blocks, 128>>>(out, in, rows, columns);
  cudaMemcpy(values, out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.9g\n", values[rows / 2]);
  __nv_bfloat16* narrow = (__nv_bfloat16*)values;
  for (size_t i = 0; i < 2 * elements; i++) narrow[i] = (__nv_bfloat16)(i % 1000 * 0.001f);
  cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
  __nv_bfloat16 *a = (__nv_bfloat16*)in, *b = a + elements;
  add_rows<<<blocks, 128>>>((__nv_bfloat16*)out, a, b, rows, columns);
  cudaMemcpy(narrow, out, elements * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost);
  printf("%.9g\n", (float)narrow[elements / 2]);
}
