"""CuPy's RawModule with an instance of a template, and a source with a constant filled in."""

import cupy as cp

WIDTH = 1 << 5

SOURCE = f"""
#define WIDTH {WIDTH}
template <typename T> __global__ void gather(const T* in, const int* at, T* out) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]];  // drano: expect[DRN003] "in[at[i]]"
}}

extern "C" __global__ void turned(const float* in, float* out) {{
    out[threadIdx.x * WIDTH + threadIdx.y] = in[threadIdx.y * WIDTH + threadIdx.x];  // drano: expect[DRN001] "128 bytes"
}}
"""  # noqa: E501

module = cp.RawModule(code=SOURCE, name_expressions=("gather<double>",))
turned = module.get_function("turned")


def main(a: cp.ndarray, b: cp.ndarray) -> None:
    turned((1,), (WIDTH, WIDTH), (a, b))
