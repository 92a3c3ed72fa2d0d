"""Const tables lie in global memory, as nvcc has it, unless the source says ``__constant__``."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.constant_tables import with_constant_tables
from drano.model.settings import CompileOptions

SOURCE = """
static __device__ const int of_file[] = {1, 2, 3, 4};
__constant__ int declared[4];
static __constant__ const int of_unit[] = {4, 3, 2, 1};
extern __constant__ int elsewhere[];
#define TABLE __device__ __constant__
TABLE int by_macro[4];
__global__ void k(const int *x, int *y) {
  static const int local[] = {7, 8, 9, 10};
  static __constant__ const int local_constant[] = {7, 8, 9, 11};
  int i = x[threadIdx.x];
  y[i] = of_file[i] + declared[i] + of_unit[i] + elsewhere[i] + by_macro[i]
    + local[i] + local_constant[i];
}
"""

TEXT = """@.str = private unnamed_addr constant [15 x i8] c"drano.constant\\00", section "llvm.metadata"
@a = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4
@b = addrspace(4) externally_initialized constant [2 x i32] zeroinitializer, align 4
@c = external addrspace(4) constant [2 x i32]
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(4) @b to ptr), ptr @.str, ptr @.str, i32 3, ptr null }], section "llvm.metadata"
define void @f() {
  %1 = load i32, ptr addrspacecast (ptr addrspace(4) @a to ptr), align 4
  %2 = load i32, ptr addrspacecast (ptr addrspace(4) @b to ptr), align 4
  %3 = load i32, ptr addrspacecast (ptr addrspace(4) @c to ptr), align 4
"""  # noqa: E501 - as LLVM prints it


def test_the_address_space_is_what_the_source_declares(tmp_path: Path) -> None:
    path = tmp_path / "tables.cu"
    path.write_text(SOURCE)
    ir = compile_unit(str(path), CompileOptions()).ir
    assert ir is not None
    lines = [line for line in ir.splitlines() if line.startswith("@")]
    spaces = {
        name: next(line for line in lines if name in line.split(" = ")[0]).partition("space(")[2][0]
        for name in ("of_file", "declared", "of_unit", "elsewhere", "by_macro",
                     "E5local", "local_constant")
    }  # fmt: skip
    assert spaces == {
        "of_file": "1", "declared": "4", "of_unit": "4", "elsewhere": "4",
        "by_macro": "4", "E5local": "1", "local_constant": "4",
    }  # fmt: skip
    assert "llvm.global.annotations" not in ir


def test_uses_follow_their_variable() -> None:
    moved = with_constant_tables(TEXT)
    assert "@a = internal addrspace(1) constant" in moved
    assert "(ptr addrspace(1) @a to ptr)" in moved
    assert moved.count("addrspace(4)") == 5


@pytest.mark.parametrize(
    "use", ["  %4 = load i32, ptr addrspace(4) %p\n", "  call void @g(ptr addrspace(4))\n"]
)
def test_pointers_that_would_not_fit_leave_all_as_it_is(use: str) -> None:
    assert with_constant_tables(TEXT + use) == TEXT + use


def test_without_tables_nothing_changes() -> None:
    text = TEXT.replace("@a = internal", "@a = external")
    assert with_constant_tables(text) is text
