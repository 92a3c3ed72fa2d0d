// Sparse matrix times vector. "Scalar" CSR gives each thread a row: lanes read values and columns
// wherever their rows begin. "Vector" CSR gives each warp a row: its lanes read neighbours, and
// only the gather of x depends on the data.
#include <cstdio>
#include <vector>

__global__ void spmv_csr_scalar(int rows, const int* row_begin, const int* column,
                                const float* value, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = row_begin[row]; k < row_begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void spmv_csr_vector(int rows, const int* row_begin, const int* column,
                                const float* value, const float* x, float* y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = row_begin[row] + lane; k < row_begin[row + 1]; k += 32) {
    sum += value[k] * x[column[k]];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (lane == 0) y[row] = sum;
}

template <typename T>
T* upload(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int rows = 4096;
  std::vector<int> row_begin(rows + 1), column;
  std::vector<float> value, x(rows, 1.0f), y(rows);
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < 1 + row % 7; ++k) {
      column.push_back((row * 31 + k * 17) % rows);
      value.push_back(1.0f);
    }
    row_begin[row + 1] = static_cast<int>(column.size());
  }
  int* d_begin = upload(row_begin);
  int* d_column = upload(column);
  float* d_value = upload(value);
  float* d_x = upload(x);
  float* d_y = upload(y);

  spmv_csr_scalar<<<(rows + 127) / 128, 128>>>(rows, d_begin, d_column, d_value, d_x, d_y);
  spmv_csr_vector<<<rows / 4, 128>>>(rows, d_begin, d_column, d_value, d_x, d_y);

  cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("y[6] = %g, expected 7\n", y[6]);
  return y[6] == 7.0f ? 0 : 1;
}
