// Kernels in which each thread walks along a row: stage-rows-in-shared-memory mends them, and
// widen-loop-reads did before it.
//
//   drano fix --verify rows.cu -- 256 64
//   nvcc -O3 rows.cu -o rows && ./rows             16384 rows of 1024 elements
#include <cstdio>
#include <cstdlib>

__global__ void row_sums(float* __restrict__ out, const float* __restrict__ in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
      sum += x[i];
    }
    out[row] = sum;
  }
}

__global__ void products(float* out, const float* in, const float* vector, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) sum += in[row * columns + i] * vector[i];
    out[row] = sum;
  }
}

__global__ void variances(double* out, const double* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const double* x = in + row * columns;
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < columns; i++) {
      mean += x[i];
      square += x[i] * x[i];
    }
    mean /= columns;
    out[row] = square / columns - mean * mean;
  }
}

__global__ void row_maxima(int* out, const int* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const int* x = in + row * columns;
    int most = x[0];
    for (int i = 0; i < columns; i++) {
      if (x[i] > most) most = x[i];
    }
    out[row] = most;
  }
}

int main(int count, char** words) {
  int rows = count > 1 ? atoi(words[1]) : 16384, columns = count > 2 ? atoi(words[2]) : 1024;
  size_t elements = (size_t)rows * columns;
  double *in, *out;
  cudaMallocManaged(&in, elements * sizeof(double));
  cudaMallocManaged(&out, rows * sizeof(double));
  float* floats = (float*)in;
  int blocks = (rows + 127) / 128;
  for (size_t i = 0; i < elements; i++) floats[i] = i % 1000 * 0.001f;
  row_sums<<<blocks, 128>>>((float*)out, floats, rows, columns);
  products<<<blocks, 128>>>((float*)out, floats, floats, rows, columns);
  row_maxima<<<blocks, 128>>>((int*)out, (const int*)in, rows, columns);
  cudaDeviceSynchronize();
  for (size_t i = 0; i < elements; i++) in[i] = i % 1000 * 0.001;
  variances<<<blocks, 128>>>(out, in, rows, columns);
  cudaDeviceSynchronize();
  printf("%.17g\n", out[rows / 2]);
}
