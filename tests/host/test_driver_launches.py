"""Launches through the driver's interface, and the names that it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.launches import Launches
from drano.host.launching.unit_launches import unit_launches
from drano.model.access import Launch
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit

KERNELS = """#include <cuda.h>
extern "C" __global__ void a(float *p) { p[threadIdx.x] = 1; }
extern "C" __global__ void b(float *p) { p[threadIdx.x] = 2; }
__global__ void m(float *p) { p[threadIdx.x] = 3; }
"""
HEAD = "void host(CUmodule module, CUlibrary library, int n, const char *any, CUfunction other)"
ASK = 'CUfunction f; cuModuleGetFunction(&f, module, "a"); '
N = None


def launched(f: str, block: str, grid: str = "4, 1, 1", name: str = "cuLaunchKernel") -> str:
    rest = "0, 0, 0" if "Cooperative" in name else "0, 0, 0, 0"
    return f"{name}({f}, {grid}, {block}, {rest});"


def read(tmp_path: Path, text: str) -> Launches:
    path = tmp_path / "unit.cu"
    path.write_text(text)
    result = unit_launches(str(path), CompileOptions())
    assert result.reason == ""
    return result


def found(tmp_path: Path, body: str, before: str = "") -> set[object]:
    """(kernel, grid, block) of launches, and the kernels that are only named."""
    sites = read(tmp_path, f"{KERNELS}{before}\n{HEAD} {{\n{body}\n}}\n").sites
    assert all(site.external for site in sites)
    return {s.kernel if s.named else (s.kernel, s.grid, s.block) for s in sites}


KNOWN = [
    (ASK + launched("f", "64, 2, 1"), {("a", (4, 1, 1), (64, 2, 1))}),
    (
        ASK + "unsigned w = 32; " + launched("f", "w, w / 8, n", "n, 2, 1"),
        {("a", (N, 2, 1), (32, 4, N))},
    ),
    (
        ASK + launched("f", "64, 1, 1", name="cuLaunchCooperativeKernel"),
        {("a", (4, 1, 1), (64, 1, 1))},
    ),
    (
        'CUfunction f; if (cuModuleGetFunction(&f, module, "_Z1mPf") != CUDA_SUCCESS) return; '
        + launched("f", "64, 1, 1"),
        {("_Z1mPf", (4, 1, 1), (64, 1, 1))},
    ),
    (
        'CUkernel f; cuLibraryGetKernel(&f, library, "a"); '
        + launched("(CUfunction)f", "64, 1, 1"),
        {("a", (4, 1, 1), (64, 1, 1))},
    ),
    (
        ASK
        + launched("f", "64, 1, 1")
        + 'cuModuleGetFunction(&f, module, "b"); '
        + launched("f", "8, 8, 1"),
        {("a", (4, 1, 1), (64, 1, 1)), ("b", (4, 1, 1), (8, 8, 1))},
    ),
    (
        ASK + "CUlaunchConfig c = {}; c.gridDimX = 3; c.gridDimY = c.gridDimZ = 1; c.blockDimX = n;"
        " c.blockDimY = 8; c.blockDimZ = 1; cuLaunchKernelEx(&c, f, 0, 0);",
        {("a", (3, 1, 1), (N, 8, 1))},
    ),
    (
        ASK + "cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024); "
        "for (int i = 0; i < n; i++) " + launched("f", "64, 1, 1"),
        {("a", (4, 1, 1), (64, 1, 1))},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), KNOWN)
def test_handles_of_known_names(tmp_path: Path, body: str, expected: set[object]) -> None:
    assert found(tmp_path, body) == expected


LOOSE = [
    ("CUfunction f; cuModuleGetFunction(&f, module, any); " + launched("f", "64, 1, 1"), "", set()),
    (launched("other", "64, 1, 1") + ' puts("b");', "", {"b"}),
    (
        'const char *names[] = {"a", "b"}; CUfunction f;'
        " cuModuleGetFunction(&f, module, names[n]); " + launched("f", "64, 1, 1"),
        "",
        {"a", "b"},
    ),
    (ASK + "keep(f);", "void keep(CUfunction);", {"a"}),
    ('cuModuleGetFunction(&kept, module, "a");', "CUfunction kept;", {"a"}),
    ('cuModuleGetFunction(into, module, "a");', "extern CUfunction *into;", {"a"}),
    (ASK + "CUfunction *q = &f; change(q);", "void change(CUfunction *);", {"a"}),
    (ASK + "f = other; " + launched("f", "64, 1, 1"), "", {"a"}),
    (
        ASK + launched("f", "64, 1, 1"),
        '#define NAME "b"',
        {("a", (4, 1, 1), (64, 1, 1)), "b"},
    ),
    (
        ASK + 'if (n) cuModuleGetFunction(&f, module, "b"); else f = other; '
        + launched("f", "8, 1, 1"),
        "",
        {"a", "b", ("b", (4, 1, 1), (8, 1, 1))},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("body", "before", "expected"), LOOSE)
def test_names_of_which_it_is_not_known_what_becomes(
    tmp_path: Path, body: str, before: str, expected: set[object]
) -> None:
    assert found(tmp_path, body, f"#include <cstdio>\n{before}") == expected


def test_a_loop_over_names_launches_any_of_them(tmp_path: Path) -> None:
    body = (
        ASK
        + "for (int i = 0; i < n; i++) { "
        + launched("f", "64, 1, 1")
        + ' if (i) cuModuleGetFunction(&f, module, "b"); }'
    )
    assert found(tmp_path, body) == {"a", "b"}


def test_the_analysis_takes_the_shape_of_its_kernel(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(f"{KERNELS}{HEAD} {{ {ASK}{launched('f', '64, 2, 1')} m<<<1, 32>>>(0);"
                    ' puts("_Z1mPf"); }\n')  # fmt: skip
    kernels = {k.name: k for k in check_unit(str(path), Config()).kernels}
    assert kernels["a"].launches == (Launch((64, 2, 1), assumed=False),)
    assert kernels["a"].launches_known
    assert kernels["b"].launches == (Launch((32, 1, 1), assumed=True),)
    assert not kernels["m"].launches_known
