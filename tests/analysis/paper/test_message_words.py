"""Spaces, patterns and reasons: what a message is made from."""

from __future__ import annotations

import pytest

from drano.analysis.paper import explain_function
from drano.frontend.clang import compile_unit
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import AnalysisOptions, CompileOptions, Domain

PRELUDE = """
__constant__ int table[64];
__device__ float everywhere[64];
struct Node { int next; double weight; };
struct Params { float *data; int n; };
"""


def judged(tmp_path, body: str, args: str = "float *a, const int *cols, int pitch"):
    path = tmp_path / "k.cu"
    path.write_text(f"{PRELUDE}__global__ void k({args}) {{ {body} }}\n")
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    module = read_module(prepare(unit.ir, str(path)))
    (kernel,) = module.kernels
    options = AnalysisOptions(domain=Domain.GPUDRANO)
    return [j for _, _, j in explain_function(module, kernel, options)]


@pytest.mark.parametrize(
    ("body", "pattern", "reason"),
    [
        ("a[pitch] = 0;", "uniform", "the index is the same in all threads"),
        ("a[threadIdx.x] = 0;", "contiguous", "consecutive threads access consecutive elements"),
        ("a[threadIdx.x * pitch] = 0;", "strided",
         "the index depends on threadIdx.x with the stride pitch"),
        ("a[threadIdx.x * 7] = 0;", "strided", "the index depends on threadIdx.x with stride 7"),
        ("a[threadIdx.x << 3] = 0;", "strided", "the index depends on threadIdx.x with stride 8"),
        ("a[threadIdx.x / 7] = 0;", "irregular", "threadIdx.x is divided to make the index"),
        ("a[cols[threadIdx.x]] = 0;", "data-dependent", "the index is loaded from cols[…]"),
        ("int row = 0; if (threadIdx.x < pitch) row = 5; a[row] = 0;", "irregular",
         "row is assigned on different sides of a thread-dependent branch"),
        ("int m = 0; while (m < threadIdx.x) m += pitch; a[m] = 0;", "irregular",
         "m comes from a loop that threads leave at different iterations"),
        ("if (threadIdx.x == 0) a[threadIdx.x * 7] = 0;", "single-thread",
         "at most one thread of a warp makes this access"),
        ("((double *)a)[threadIdx.x] = 0;", "wide",
         "consecutive threads access elements of 8 bytes"),
        ("((Node *)a)[threadIdx.x].next = 0;", "strided",
         "consecutive threads access places 16 bytes apart"),
    ],
)  # fmt: skip
def test_reason(tmp_path, body: str, pattern: str, reason: str) -> None:
    found = judged(tmp_path, body)[-1]
    assert (found.pattern, found.reason) == (pattern, reason)
    assert found.array == "a"


@pytest.mark.parametrize(
    ("body", "spaces"),
    [
        ("a[0] = cols[0];", ["global", "global"]),
        ("__shared__ float s[9]; s[pitch] = 0; a[0] = s[0];", ["shared", "shared", "global"]),
        ("__shared__ float s[9]; float *p = s; if (pitch) p = s + 2; *p = 1;", ["shared"]),
        ("a[0] = table[pitch];", ["constant", "global"]),
        ("everywhere[0] = 1;", ["global"]),
        ("int mine[9]; for (int k = 0; k < 9; ++k) mine[k] = k; a[0] = mine[pitch];",
         ["local", "local", "global"]),
        ("__shared__ float s[9]; float *p = pitch ? s : a; *p = 1;", ["generic"]),
        ("((float **)a)[0][0] = 1;", ["global", "generic"]),
    ],
)  # fmt: skip
def test_space(tmp_path, body: str, spaces: list[str]) -> None:
    assert [str(j.space) for j in judged(tmp_path, body)] == spaces


def test_pointers_in_structs_passed_by_value_are_global(tmp_path) -> None:
    found = judged(tmp_path, "p.data[threadIdx.x] = p.n;", "Params p")
    assert [str(j.space) for j in found][-1] == "global"
    assert found[-1].array == "data"
