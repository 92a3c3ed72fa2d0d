// Kernels in which each thread walks along a row: stage-rows-in-shared-memory mends them, in blocks
// of a known size with tiles of 32 columns, and in `moments_any`, of any size, with tiles of 8.
//
//   drano fix --verify staged.cu -- 200 70
//   nvcc -O3 staged.cu -o staged && ./staged        65536 rows of 1024 elements
//
// Times on a GPU, of all kernels:
//
//   cp -r benchmarks/fixable /tmp/before && cp -r /tmp/before /tmp/after
//   drano fix /tmp/after/staged.cu
//   python benchmarks/gpu_fix_times.py /tmp/before /tmp/after staged.cu -- 65536 1024 128
#include <cstdio>
#include <cstdlib>

__global__ void moments(float* mean, float* variance, const float* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < columns; i++) sum += x[i];
    sum /= columns;
    for (int i = 0; i < columns; i++) {
      float shifted = x[i] - sum;
      squares += shifted * shifted;
    }
    mean[row] = sum;
    variance[row] = squares / columns;
  }
}

__global__ void moments_any(float* mean, float* variance, const float* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < columns; i++) sum += x[i];
    sum /= columns;
    for (int i = 0; i < columns; i++) {
      float shifted = x[i] - sum;
      squares += shifted * shifted;
    }
    mean[row] = sum;
    variance[row] = squares / columns;
  }
}

__global__ void maxima(float* out, const float* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = in[row * columns];
  for (int i = 0; i < columns; i++) most = fmaxf(most, in[row * columns + i]);
  out[row] = most;
}

__global__ void products(double* out, const double* in, const double* vector, int rows,
                         int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    double sum = 0.0;
    for (int i = 0; i < columns; i++) sum += in[row * columns + i] * vector[i];
    out[row] = sum;
  }
}

__global__ void distances(float* out, const float* in, const float* others, int rows,
                          int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
      float apart = in[row * columns + i] - others[row * columns + i];
      sum += apart * apart;
    }
    out[row] = sqrtf(sum);
  }
}

int main(int count, char** words) {
  int rows = count > 1 ? atoi(words[1]) : 65536, columns = count > 2 ? atoi(words[2]) : 1024;
  int threads = count > 3 ? atoi(words[3]) : 128;
  size_t elements = (size_t)rows * columns;
  float *in, *others, *out, *more;
  cudaMallocManaged(&in, elements * sizeof(float));
  cudaMalloc(&others, elements * sizeof(float));
  cudaMallocManaged(&out, rows * sizeof(double));
  cudaMalloc(&more, rows * sizeof(float));
  for (size_t i = 0; i < elements; i++) in[i] = i % 1000 * 0.001f;
  cudaMemcpy(others, in, elements * sizeof(float), cudaMemcpyDefault);
  int blocks = (rows + 127) / 128;
  moments<<<blocks, 128>>>(out, more, in, rows, columns);
  moments_any<<<(rows + threads - 1) / threads, threads>>>(out, more, in, rows, columns);
  maxima<<<blocks, 128>>>(out, in, rows, columns);
  distances<<<blocks, 128>>>(out, in, others, rows, columns);
  cudaDeviceSynchronize();
  printf("%.9g\n", out[rows / 2]);
  products<<<blocks, 128>>>((double*)out, (double*)in, (double*)others, rows, columns / 2);
  cudaDeviceSynchronize();
  printf("%.17g\n", ((double*)out)[rows / 2]);
}
