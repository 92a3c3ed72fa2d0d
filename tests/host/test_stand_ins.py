"""Launches in host code of libraries that are not installed: read with what stands in for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
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


CHANGING = {
    "checks in debug builds only": (
        "torch/extension.h",
        "TORCH_INTERNAL_ASSERT_DEBUG_ONLY(x = 3);",
    ),
    "what torch calls back": (
        "torch/extension.h",
        "at::parallel_for(0, 4, 1, [&](long a, long b) { x = a; });",
    ),
    "arguments of macros": ("cutil.h", "CUT_DEVICE_INIT(x = 3, 0);"),
    "arguments that macros give on": ("cutil.h", "cutilDeviceInit(set(x), 0);"),
    "checks": ("torch/extension.h", "TORCH_CHECK(x = any(), 0);"),
    "what checks call": ("c10/cuda/CUDAException.h", "C10_CUDA_CHECK((cudaError_t)set(x));"),
    "what tests compare": ("gtest/gtest.h", "EXPECT_EQ(x = any(), 3);"),
    "what checks of glog call": ("glog/logging.h", "CHECK(x = any());"),
    "checks of glog in debug builds only": ("glog/logging.h", "DCHECK(x = 3) << 1;"),
    "what glog logs at times": ("glog/logging.h", "VLOG(1) << (x = any());"),
    "flags": (
        "gflags/gflags.h",
        "FLAGS_n = 96; gflags::ParseCommandLineFlags(0, 0, true); x = FLAGS_n;",
    ),
}


@pytest.mark.parametrize("name", CHANGING)
def test_what_they_may_change_is_not_known(tmp_path: Path, name: str) -> None:
    header, statement = CHANGING[name]
    flags = 'DEFINE_int32(n, 32, "");\n' if name == "flags" else ""
    source = tmp_path / "unit.cu"
    source.write_text(
        f"#include <{header}>\n{flags}"
        "__global__ void k(float *a) { a[2 * threadIdx.x] = 0; }\n"
        "int any();\nint set(int &n) { return n = any(); }\n"
        f"void f(float *a) {{ int x = 96; {statement} k<<<1, x>>>(a); }}\n"
    )
    found = unit_launches(str(source), CompileOptions())
    assert not found.reason
    assert {site.block[0] for site in found.sites} & {None, 3}


REGISTERED = {
    "pybind11": ("pybind11/pybind11.h", 'PYBIND11_MODULE(ext, m) { m.def("go", &go); }'),
    "torch library": ("torch/extension.h", 'TORCH_LIBRARY(ext, m) { m.def("go", &go); }'),
    "torch function": (
        "torch/extension.h",
        'TORCH_LIBRARY_IMPL(ext, CUDA, m) { m.impl("go", TORCH_FN(go)); }',
    ),
    "torch dispatch": ("ATen/ATen.h", "REGISTER_DISPATCH(go_stub, &go);"),
    "lambda": (
        "pybind11/pybind11.h",
        'PYBIND11_MODULE(ext, m) { m.def("go", [](size_t p, int n) { go((float *)p, n); }); }',
    ),
}


@pytest.mark.parametrize("name", REGISTERED)
def test_what_others_may_call_may_get_any_argument(tmp_path: Path, name: str) -> None:
    header, text = REGISTERED[name]
    source = tmp_path / "unit.cu"
    source.write_text(
        f"#include <{header}>\n__global__ void k(float *a) {{ a[2 * threadIdx.x] = 0; }}\n"
        "void go(float *p, int n) { k<<<1, n>>>(p); }\nvoid own(float *p) { go(p, 32); }\n" + text
    )
    found = unit_launches(str(source), CompileOptions())
    assert {site.block[0] for site in found.sites} >= {None}
