"""Values that are not followed: which these are, and that no answer depends on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from drano.analysis.access_sites import memory_sites
from drano.analysis.blocks.block_shapes import Dim, shape_of
from drano.analysis.control_structure import Structure
from drano.analysis.needed_values import unneeded_values
from drano.analysis.points_to import Spaces
from drano.analysis.thread_layout import layout_of
from drano.analysis.warp import WarpState, interpret
from drano.analysis.warp.verdict.judge import judge
from drano.frontend.clang import compile_unit
from drano.ir.model import Binary, Cast, Function
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import Launch
from drano.model.settings import AnalysisOptions, CompileOptions, View
from tests.analysis.warp.fuzz.harness import SHAPES, read
from tests.analysis.warp.fuzz.programs import kernels


def function_of(directory: Path, body: str) -> Function:
    """A kernel with blocks of 32 threads."""
    source = directory / "a.cu"
    source.write_text(
        "__global__ void k(const int* a, const float* f, float* o, int* p, long* q, int n) {\n"
        f"  int i = threadIdx.x;\n  {body}\n}}\n",
        encoding="utf-8",
    )
    unit = compile_unit(str(source), CompileOptions())
    module = read_module(prepare(unit.ir, "a.cu", trusted=True, view=View.COMPILED))
    return next(f for f in module.functions.values() if f.is_kernel)


def unfollowed(function: Function) -> set[str]:
    """The operations of values that are not followed."""
    left = unneeded_values(function, Structure(function).operands)
    found = [i for block in function.blocks for i in block.instructions if i.index in left]
    return {i.op for i in found if isinstance(i, Binary | Cast)}


@pytest.mark.parametrize(
    ("body", "operation", "left"),
    [
        ("o[i] = f[i] * f[i + n];", "fmul", True),
        ("float s = 0; for (int j = 0; j < n; j++) s += f[i + j]; o[i] = s;", "fadd", True),
        ("p[i] = a[i] ^ 5;", "xor", True),
        ("p[a[i] ^ 5] = 1;", "xor", False),
        ("if (a[i] ^ n) p[i] = 1;", "xor", False),
        ("float s = f[i] * 3; s += __shfl_down_sync(~0u, s, 4); o[i] = s;", "fmul", True),
        ("int s = a[i] ^ 5; s = __shfl_down_sync(~0u, s, 4); p[s] = 1;", "xor", False),
        ("__shared__ float s[32]; s[i] = f[i] * 3; __syncthreads(); o[i] = s[31 - i];",
         "fmul", True),
        ("__shared__ int s[32]; s[i] = a[i] ^ 5; __syncthreads(); p[s[31 - i]] = 1;",
         "xor", False),
        ("int s[4]; for (int j = 0; j < 4; j++) s[j] = a[i + j] ^ 5; p[s[n & 3]] = 1;",
         "xor", False),
        ("atomicAdd(p + i, a[i] ^ 5);", "xor", False),
    ],
)  # fmt: skip
def test_what_is_not_followed(tmp_path: Path, body: str, operation: str, left: bool) -> None:
    assert (operation in unfollowed(function_of(tmp_path, body))) is left


def test_addresses_are_followed_wherever_they_go(tmp_path: Path) -> None:
    """By a number an array of the thread's own is let out: who reads the number may write it."""
    body = "int s[4] = {1, 2, 3, 4}; q[i] = ((long)s ^ 5) + i; __syncthreads(); p[s[n & 3]] = 1;"
    assert unfollowed(function_of(tmp_path, body)) == set()


@settings(
    max_examples=60, derandomize=True, database=None, deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(kernels(), st.sampled_from(SHAPES), st.sampled_from(list(View)))
def test_no_answer_depends_on_them(text: str, shape: Dim | None, view: View) -> None:
    note(text)
    module = read(text, view)
    function = module.functions["kernel"]
    structure, spaces = Structure(function), Spaces(module)
    launch = (shape_of(shape) if shape is not None else None) or Launch((32, 1, 1), assumed=True)

    def answers(unneeded: frozenset[int]) -> list[object]:
        state = WarpState(
            module, function, structure, layout_of(launch), AnalysisOptions(), (), unneeded
        )
        run = interpret(state)
        said = (judge(run, site, spaces) for site in memory_sites(function))
        return [each and replace(each, value="") for each in said]

    assert answers(unneeded_values(function, structure.operands)) == answers(frozenset())
