"""Kernels with ``__block_size__`` and ``__cluster_dims__``."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.analysis.blocks.block_shapes import launches_of
from drano.frontend.clang import compile_unit
from drano.frontend.text.block_sizes import with_block_sizes
from drano.host.launching.unit_launches import unit_launches
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import Launch
from drano.model.report import FileReport
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit

BODY = "{ p[threadIdx.x + blockIdx.x] = 1; }"
HOST = "void host(float *p) { %s }\n"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "unit.cu"
    path.write_text(text)
    return path


def check(tmp_path: Path, text: str) -> FileReport:
    return check_unit(str(write(tmp_path, text)), Config())


def launches(tmp_path: Path, text: str) -> tuple[Launch, ...]:
    (kernel,) = check(tmp_path, text).kernels
    return kernel.launches


FIXED = [
    (f"__global__ void __block_size__((128, 2, 1)) k(float *p) {BODY}", (128, 2, 1)),
    (f"__block_size__((8, 4, 2), (2, 1, 1)) __global__ void k(float *p) {BODY}", (8, 4, 2)),
    (
        "#define SIZE 64\nconstexpr int deep = 3;\n__global__ void"
        f" __block_size__((SIZE, sizeof(int), deep - 1)) k(float *p) {BODY}",
        (64, 4, 2),
    ),
    (
        f"__block_size__((32, 4, 1)) __global__ void k(float *p);\n"
        f"__global__ void k(float *p) {BODY}",
        (32, 4, 1),
    ),
    (f"static __launch_bounds__(512) __global__ __block_size__((16, 2, 1)) void k(float *p) {BODY}",
     (16, 2, 1)),
    (f"namespace n {{ __global__ void __block_size__((16, 8, 1)) k(float *p) {BODY} }}\n"
     "using n::k;", (16, 8, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "block"), FIXED)
def test_block_size_wins_over_launches(
    tmp_path: Path, kernel: str, block: tuple[int, int, int]
) -> None:
    expected = (Launch(block, assumed=False),)
    for body in ("k<<<4, 1>>>(p);", "k<<<4>>>(p);", "k<<<4, 256>>>(p);"):
        assert launches(tmp_path, f"{kernel}\n{HOST % body}") == expected


def test_templates_have_the_sizes_of_their_arguments(tmp_path: Path) -> None:
    text = f"template <int N> __global__ void __block_size__((N, 2, 1)) k(float *p) {BODY}\n"
    report = check(tmp_path, text + HOST % "k<16><<<1, 1>>>(p); k<32><<<1, 1>>>(p);")
    assert [kernel.launches[0].block for kernel in report.kernels] == [(16, 2, 1), (32, 2, 1)]


def test_clusters_say_nothing_of_blocks(tmp_path: Path) -> None:
    kernel = f"__global__ void __cluster_dims__(2, 1, 1) k(float *p) {BODY}\n"
    assert launches(tmp_path, kernel) == (Launch((32, 1, 1), assumed=True),)
    known = (Launch((64, 2, 1), assumed=False),)
    assert launches(tmp_path, kernel + HOST % "k<<<4, dim3(64, 2)>>>(p);") == known


@pytest.mark.parametrize(
    ("attribute", "grid"),
    [
        ("__block_size__((64, 1, 1), (2, 3, 1))", (14, 6, None)),
        ("__block_size__((64, 1, 1))", (7, 2, None)),
        ("__cluster_dims__(7, 1, 1)", (7, 2, None)),
    ],
)
def test_a_grid_of_clusters_is_one_of_blocks(
    tmp_path: Path, attribute: str, grid: tuple[int | None, ...]
) -> None:
    body = "void host(float *p, int n) { k<<<dim3(7, 2, n), 1>>>(p); }"
    path = write(tmp_path, f"__global__ void {attribute} k(float *p) {BODY}\n{body}\n")
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None
    (kernel,) = read_module(prepare(unit.ir, str(path))).kernels
    (site,) = launches_of(kernel, unit_launches(str(path), CompileOptions()).sites)
    assert site.grid == grid


MODULE = """@.str = private unnamed_addr constant [17 x i8] c"drano.block_size\\00", section "llvm.metadata"
@.other = private unnamed_addr constant [2 x i8] c"x\\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i64, i32 } { i32 8, i64 2, i32 1 }, section "llvm.metadata"
@.more = private unnamed_addr constant { i32, i64, i32 } { i32 8, i64 4, i32 1 }, section "llvm.metadata"
@.less = private unnamed_addr constant { i32, i32, i32 } { i32 8, i32 -4, i32 1 }, section "llvm.metadata"
@llvm.global.annotations = appending global [9 x { ptr, ptr, ptr, i32, ptr }] [%s], section "llvm.metadata"
define ptx_kernel void @one(ptr align 4 %%p) #0 !dbg !15 {
define ptx_kernel void @"two(int) #1"(ptr byval(%%s) %%p) unnamed_addr #1 {
"""  # noqa: E501 - as LLVM prints it


@pytest.mark.parametrize(
    ("kernel", "said", "there"),
    [
        ("@one", [("@.str", "@.args")], '%p) "nvvm.reqntid"="8,2,1" #0 !dbg !15'),
        ('@"two(int) #1"', [("@.str", "@.args")], '%p) unnamed_addr "nvvm.reqntid"="8,2,1" #1 {'),
        ("@one", [("@.str", "@.args"), ("@.str", "@.more")], "%p) #0 !dbg !15"),
        ("@one", [("@.str", "@.less")], "%p) #0 !dbg !15"),
        ("@one", [("@.other", "@.args")], "%p) #0 !dbg !15"),
    ],
)
def test_annotations_become_attributes(
    kernel: str, said: list[tuple[str, str]], there: str
) -> None:
    entries = [
        f"{{ ptr, ptr, ptr, i32, ptr }} {{ ptr {kernel}, ptr {text}, ptr @.other, i32 3,"
        f" ptr {args} }}"
        for text, args in said
    ]
    after = with_block_sizes(MODULE % ", ".join(entries))
    assert there in after
    assert "annotations" not in after
