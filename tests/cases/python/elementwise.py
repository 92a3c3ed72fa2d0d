"""CuPy's ElementwiseKernel: the operation alone is in the source."""

import cupy as cp

squared_difference = cp.ElementwiseKernel(
    "float32 x, float32 y",
    "float32 z",
    "z = (x - y) * (x - y)",
    "squared_difference",
)

every_eighth = cp.ElementwiseKernel(
    "raw T x",
    "T y",
    """
    T sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += x[i * 8 + k];  // drano: expect[DRN001] "32 bytes"
    y = sum;
    """,
    "every_eighth",
)

within = cp.ElementwiseKernel(
    "raw T x, raw int32 count, raw T low, int64 k",
    "T y",
    """
    if (k < count)
        y = max(x[i * 2], low);  // drano: expect[DRN001] "8 bytes"
    """,
    "within",
)
