"""Pointers of objects that have an array of the GPU: a part of one may begin anywhere in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.small_units import most_sectors

TORCH = """
#include <torch/extension.h>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
%s
"""
OPENCV = """
#include <opencv2/opencv.hpp>
__global__ void k(cv::cuda::PtrStepSz<float> a) { a.data[threadIdx.x] = 1; }
%s
"""
ACCESSOR = """
#include <torch/extension.h>
__global__ void k(at::PackedTensorAccessor32<float, 1> a) { a.data()[threadIdx.x] = 1; }
void go(at::Tensor t) { k<<<1, 32>>>(%s.packed_accessor32<float, 1>()); }
"""
OWN = """
__global__ void k(float *a) { a[threadIdx.x] = 1; }
struct Tensor {
  float *d;
  Tensor operator[](int i) { return Tensor{d + i}; }
};
void go(Tensor t, int n) { k<<<1, 32>>>(t[n].d); k<<<1, 32>>>(%s.d); }
"""


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (TORCH % "void go(at::Tensor t) { k<<<1, 32>>>(t.data_ptr<float>()); }", 4),
        (TORCH % "void go(at::Tensor t) { k<<<1, 32>>>(t[1].data_ptr<float>()); }", 5),
        (TORCH % "void go(at::Tensor t) { k<<<1, 32>>>(t.narrow(0, 1, 4).data_ptr<float>()); }", 5),
        (
            TORCH % "void go(at::Tensor t) { auto part = t.select(0, 3).contiguous();\n"
            "  auto *p = part.data_ptr<float>(); k<<<1, 32>>>(p); }",
            5,
        ),
        (
            TORCH % "at::Tensor part(at::Tensor t, int i) { return t.slice(0, i, i + 4); }\n"
            "void go(at::Tensor t) { k<<<1, 32>>>(part(t, 3).data_ptr<float>()); }",
            5,
        ),
        (
            TORCH % "void go(at::Tensor t) {\n"
            "  k<<<1, 32>>>(at::narrow(t, 0, 1, 4).data_ptr<float>()); }",
            5,
        ),
        (ACCESSOR % "t", 4),
        (ACCESSOR % "t[1]", 5),
        (OWN % "t", 5),
        (OWN.replace("d + i", "d") % "t", 4),
        (OPENCV % "void go(cv::cuda::GpuMat m) { k<<<1, 32>>>(m); }", 4),
        (
            OPENCV % "void go(cv::cuda::GpuMat m) { k<<<1, 32>>>(m(cv::Rect(1, 0, 64, 1))); }",
            5,
        ),
        (
            OPENCV % "void go(cv::cuda::GpuMat m) { auto c = m.colRange(3, 99); k<<<1, 32>>>(c); }",
            5,
        ),
    ],
)
def test_parts_of_arrays(text: str, most: int, tmp_path: Path) -> None:
    assert most_sectors(tmp_path, text) == most


def test_operators_of_others_make_no_parts(tmp_path: Path) -> None:
    body = (
        "#include <vector>\nvoid go(at::Tensor t, std::vector<int> n) {\n"
        "  k<<<n[2], 32>>>(t.data_ptr<float>()); }"
    )
    assert most_sectors(tmp_path, TORCH % body) == 4
