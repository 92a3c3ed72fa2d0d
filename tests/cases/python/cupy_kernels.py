"""Five kernels as CuPy's users write them; ``benchmarks/python_hardware.py`` launches them."""

import cupy as cp

N = 1 << 20

add = cp.RawKernel(
    r"""
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] + y[i];
}
""",
    "add",
)

row_sums = cp.RawKernel(
    r"""
extern "C" __global__ void row_sums(const float* x, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float total = 0;
    for (int k = 0; k < columns; k++)
        total += x[row * columns + k];  // drano: expect[DRN001] "4096 bytes"
    out[row] = total;
}
""",
    "row_sums",
)

transpose = cp.RawKernel(
    r"""
extern "C" __global__ void transpose(const float* x, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = x[row * columns + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[threadIdx.x][threadIdx.y];
}
""",
    "transpose",
)

first_of_eight = cp.RawKernel(
    r"""
extern "C" __global__ void first_of_eight(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[8 * i];  // drano: expect[DRN001] "32 bytes apart"
}
""",
    "first_of_eight",
)

count = cp.RawKernel(
    r"""
extern "C" __global__ void count(const int* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(counts + x[i], 1);  // drano: expect[DRN003] "x[i]"
}
""",
    "count",
)


def main():
    x, y, out = cp.random.rand(N), cp.random.rand(N), cp.empty(N, cp.float32)
    add((N // 256,), (256,), (x, y, out, N))
    row_sums((8,), (128,), (x, out, 1024, 1024))
    transpose((32, 32), (32, 32), (x, out, 1024, 1024))
    first_of_eight((N // 2048,), (256,), (x, out, N // 8))
    count((N // 256,), (256,), (cp.random.randint(0, 256, N, cp.int32), out, N))
