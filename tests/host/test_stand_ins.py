"""Launches in host code of libraries that are not installed: read with what stands in for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from tests.conftest import Run

TORCH = """\
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define WITH_FLAG(FLAG, NAME, ...)              \\
  [&] {                                         \\
    if (FLAG) {                                 \\
      constexpr static bool NAME = true;        \\
      return __VA_ARGS__();                     \\
    } else {                                    \\
      constexpr static bool NAME = false;       \\
      return __VA_ARGS__();                     \\
    }                                           \\
  }()
template <typename T, bool F> __global__ void scale(T *a, long n) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i * 2] = F;
}
at::Tensor scaled(at::Tensor a, bool flag) {
  auto stream = at::cuda::getCurrentCUDAStream();
  const int64_t n = a.numel();
  TORCH_CHECK(n > 0, "empty");
  const dim3 block(64, 2);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(a.scalar_type(), "scaled", [&] {
    WITH_FLAG(flag, F, [&] {
      auto kernel = &scale<scalar_t, F>;
      kernel<<<(n + 127) / 128, block, 0, stream>>>(a.data_ptr<scalar_t>(), n);
    });
  });
  return a;
}
"""
BLAS = """\
#include <cublas_v2.h>
__global__ void k(float *a) { a[2 * threadIdx.x] = 0; }
void go(cublasHandle_t handle, float *a, int n) {
  const float one = 1;
  int threads = 96;
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &one, a, n)) return;
  k<<<n, threads>>>(a);
}
"""


@pytest.mark.parametrize(
    ("text", "block"), [(TORCH, (64, 2, 1)), (BLAS, (96, 1, 1))], ids=["torch", "blas"]
)
def test_shapes_are_read(tmp_path: Path, text: str, block: tuple[int, int, int]) -> None:
    source = tmp_path / "unit.cu"
    source.write_text(text)
    found = unit_launches(str(source), CompileOptions())
    assert {site.block for site in found.sites} == {block}
    assert not any(site.named for site in found.sites)


def test_they_reach_the_report(tmp_path: Path, drano: Run) -> None:
    (tmp_path / "unit.cu").write_text(TORCH)
    outcome = drano("check", "unit.cu", cwd=tmp_path)
    assert "blocks of 64x2 threads" in outcome.stdout
    assert "assumed" not in outcome.stdout
