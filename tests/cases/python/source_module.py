"""PyCUDA, whose launches have their shape in keywords."""

import numpy as np
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void add(float *a, float *b)
{
    int i = threadIdx.x;
    a[i] += b[i * 2];  // drano: expect[DRN001] "8 bytes"
}
""")
add = module.get_function("add")


def main(a: np.ndarray, b: np.ndarray) -> None:
    add(a, b, block=(256, 1, 1), grid=(1, 1))
