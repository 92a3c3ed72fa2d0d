"""CUDA in a Python string: CuPy compiles it when the program runs, drano finds it in the text."""

import cupy as cp

scale_columns = cp.RawKernel(
    r"""
extern "C" __global__ void scale_columns(float* a, const float* scale, int rows, int columns) {
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns)
        a[row * columns + column] *= scale[column];
}
""",
    "scale_columns",
)


def main(rows: int, columns: int) -> None:
    a = cp.ones((rows, columns), cp.float32)
    scale = cp.arange(columns, dtype=cp.float32)
    grid = ((rows + 31) // 32, (columns + 7) // 8)
    scale_columns(grid, (32, 8), (a, scale, rows, columns))
