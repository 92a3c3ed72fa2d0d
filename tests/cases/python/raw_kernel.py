"""CuPy's RawKernel: launched with a block of two dimensions, good and bad."""

import cupy as cp

TILE = 32

copy_columns = cp.RawKernel(
    r"""
extern "C" __global__ void copy_columns(const float* in, float* out, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; ++k)
        out[row * n + k] = in[row * n + k];  // drano: expect[DRN001] "4096 bytes"
}
""",
    "copy_columns",
)

copy_rows = cp.RawKernel(
    r"""
extern "C" __global__ void copy_rows(const float* in, float* out, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n && row < n) out[row * n + column] = in[row * n + column];
}
""",
    "copy_rows",
)


def main() -> None:
    n = 1024
    a, b = cp.zeros((n, n), cp.float32), cp.zeros((n, n), cp.float32)
    copy_columns((n // 256,), (256,), (a, b, n))
    copy_rows((n // TILE, n // TILE), (TILE, TILE), (a, b, n))
