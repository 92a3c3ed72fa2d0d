"""Kernels of files that nobody asks about: which are dropped, and which the user's code keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.ir.prepare.inlining import split_module
from drano.ir.prepare.own_kernels import with_own_kernels
from drano.model.settings import CompileOptions

LIBRARY = """
template <class F> __device__ void each(F f) { f(threadIdx.x); }
template <class F> __global__ void run(F f) { each(f); }
template <int N> __global__ void fill(float* a) {
  asm volatile("{ .reg .pred p; setp.eq.s32 p, 1, 1; @p bar.sync 0; }");
  a[threadIdx.x * N] = 1;
}
struct Pair { float first, second; };
template <int* P> __global__ void put(int v) { *P = v; }
template <class F> __global__ void copied(Pair* to, const Pair* from) { *to = *from; }
"""


def kernels(tmp_path: Path, source: str) -> set[str]:
    """Symbols of the kernels of ``source`` that are the user's own."""
    header = tmp_path / "library.cuh"
    header.write_text(LIBRARY)
    unit = tmp_path / "a.cu"
    unit.write_text(f'#include "library.cuh"\n{source}\n')
    ir = compile_unit(str(unit), CompileOptions()).ir
    assert ir is not None
    own = with_own_kernels(ir, lambda path: path == str(header))
    functions = split_module(own.ir).functions.values()
    kept = {function.name for function in functions if function.is_kernel}
    every = {f.name for f in split_module(ir).functions.values() if f.is_kernel}
    assert own.foreign == every - kept
    return kept


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("void go(float* a) { fill<2><<<1, 32>>>(a); }", 0),
        ("void go(Pair* a) { copied<int><<<1, 32>>>(a, a); }", 0),
        ("__global__ void own(float* a) { a[1] = 2; }", 1),
        (
            "struct F { float* a; __device__ void operator()(int i) { a[2 * i] = 1; } };\n"
            "void go(float* a) { run<<<1, 32>>>(F{a}); }",
            1,
        ),
        (
            "struct F { float* a; __device__ void operator()(int i); };\n"
            "void go(float* a) { run<<<1, 32>>>(F{a}); }",
            1,
        ),
        # What it writes the user's kernels may read: their values are not those of the start.
        ("static __device__ int step = 2;\nvoid go() { put<&step><<<1, 1>>>(3); }", 1),
    ],
    ids=[
        *("of the library", "with a copy", "own", "with a functor", "with a functor elsewhere"),
        "with a variable",
    ],
)
def test_users_code_makes_a_kernel_the_users(tmp_path: Path, source: str, kept: int) -> None:
    assert len(kernels(tmp_path, source)) == kept


def test_functions_behind_a_table_are_reached(tmp_path: Path) -> None:
    header = (
        "typedef void (*Step)(float*);\nextern __device__ const Step steps[2];\n"
        "template <int N> __global__ void stepped(float* a) { steps[a[0] > 0](a); }\n"
    )
    library = tmp_path / "steps.cuh"
    library.write_text(header)
    unit = tmp_path / "b.cu"
    unit.write_text(
        '#include "steps.cuh"\n'
        "__device__ void up(float* a) { a[2 * threadIdx.x] = 1; }\n"
        "__device__ void down(float* a) { a[3 * threadIdx.x] = 1; }\n"
        "__device__ const Step steps[2] = {up, down};\n"
        "void go(float* a) { stepped<1><<<1, 32>>>(a); }\n"
    )
    ir = compile_unit(str(unit), CompileOptions()).ir
    assert ir is not None
    assert not with_own_kernels(ir, lambda path: path == str(library)).foreign
