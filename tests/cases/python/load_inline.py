"""PyTorch's load_inline: the launch is in the C++ of the same source."""

from torch.utils.cpp_extension import load_inline

SOURCE = r"""
__global__ void scale(float* a, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i * 3] *= 2.0f;  // drano: expect[DRN001] "12 bytes"
}

void run(torch::Tensor a) {
    scale<<<4, 128>>>(a.data_ptr<float>(), 3);
}
"""

module = load_inline(
    name="scale",
    cpp_sources="void run(torch::Tensor a);",
    cuda_sources=[SOURCE],
    functions=["run"],
)
