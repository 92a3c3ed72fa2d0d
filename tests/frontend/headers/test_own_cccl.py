"""CUB, Thrust and libcu++ of a project's own, of another version than the SDK's."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend import clang
from drano.frontend.headers.own_cccl import own_cccl
from drano.model.settings import CompileOptions

UNIT = """
#include <cub/cub.cuh>
__global__ void k(float *p) { p[threadIdx.x * cub::OWN_STRIDE] = OWN_COMPILER; }
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    directory = tmp_path / "deps" / "cccl"
    for name, text in (
        ("cuda/std/__cccl/compiler.h", "#pragma once\n#define OWN_COMPILER 1\n"),
        ("cub/cub.cuh", "#pragma once\nnamespace cub { constexpr int OWN_STRIDE = 2; }\n"),
    ):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return directory


def options(kind: str, own: Path) -> CompileOptions:
    if kind == "include_dirs":
        return CompileOptions(include_dirs=(str(own),), std="c++17")
    return CompileOptions(flags=(kind, str(own)), std="c++17")


@pytest.mark.parametrize("kind", ["include_dirs", "-I", "-isystem"])
def test_it_comes_before_the_sdks(kind: str, own: Path, tmp_path: Path) -> None:
    source = tmp_path / "unit.cu"
    source.write_text(UNIT)
    unit = clang.compile_unit(str(source), options(kind, own))
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]


def test_which_directories_have_some(own: Path, tmp_path: Path) -> None:
    plain, sdk = tmp_path / "include", tmp_path / "cuda" / "include"
    plain.mkdir()
    (sdk / "cub").mkdir(parents=True)
    for name in ("cub/cub.cuh", "cuda_runtime.h"):
        (sdk / name).write_text("")
    given = CompileOptions(
        include_dirs=(str(plain), str(own)), flags=("-isystem", str(own), f"-I{sdk}", "-isystem")
    )
    assert own_cccl(given) == [f"-I{own}", f"-isystem{own}"]
