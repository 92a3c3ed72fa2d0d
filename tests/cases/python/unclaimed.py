"""A kernel's text that nobody is seen to compile, and one that no compiler would take."""

import kernels

doubled = kernels.compile_it(
    '__global__ void doubled(float* a) {\n'
    '    a[threadIdx.x * 2] *= 2;\n'  # drano: expect[DRN001] "8 bytes"
    '}\n'
)  # fmt: skip
pattern = "__global__ void {} (float* a) { }"
