"""Macros that PyTorch's builds of extensions define."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.macros.torch_builds import MACROS, wanted
from tests.conftest import Run

SOURCE = """#include <torch/extension.h>
#include <cuda_fp16.h>
__global__ void k(const c10::complex<at::Half> *z, half *real) {
    int i = threadIdx.x;
    real[i] = z[i].real();
}
int main() { k<<<1, 128>>>(nullptr, nullptr); }
"""


def test_they_are_defined_where_conversions_are_ambiguous(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    ran = drano("check", path, "--show", "all")
    assert "1 kernel, 2 global accesses" in ran.stdout
    said = "compiled as if given -D__CUDA_NO_HALF_OPERATORS__, -D__CUDA_NO_HALF_CONVERSIONS__"
    assert said in ran.stderr
    assert "as PyTorch builds extensions" in ran.stderr


def test_not_where_operators_are_used(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    more = "__global__ void sum(half *a, const half *b) { a[threadIdx.x] = a[threadIdx.x] + *b; }\n"
    path.write_text(SOURCE.replace("int main", f"{more}int main"))
    ran = drano("check", path, "--show", "all")
    assert ran.status == 2
    assert "kernel k at " in ran.stdout
    assert "1 kernel, 2 global accesses" in ran.stdout
    assert "as PyTorch builds extensions" not in ran.stderr


def test_not_where_a_build_undefines_one(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    ran = drano("check", path, "-U", "__CUDA_NO_HALF_CONVERSIONS__")
    assert ran.status == 2
    assert "is ambiguous" in ran.stdout


@pytest.mark.parametrize(
    ("message", "lacking"),
    [
        ("use of overloaded operator '=' is ambiguous (with operand types 'half' (aka '__half') "
         "and 'c10::Half')", True),
        ("conversion from 'const c10::BFloat16' to 'const __nv_bfloat16' is ambiguous", True),
        ("use of overloaded operator '=' is ambiguous (with operand types 'A' and 'B')", False),
        ("no viable conversion from 'c10::Half' to 'A'", False),
    ],
)  # fmt: skip
def test_complaints(message: str, lacking: bool) -> None:
    assert wanted([message]) == (MACROS if lacking else ())
