"""Kernels that tell the shape of their blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Launch
from drano.model.settings import AnalysisOptions, Config
from drano.run.driver import check_unit

BEFORE = "#include <cassert>\n#include <cstdio>\n__device__ int flag;\n"
ACCESS = "a[threadIdx.y] = 1;"
N = None

TOLD = [
    (f"assert(blockDim.x == 32); {ACCESS}", (32, N, N)),
    (f"assert(32 == blockDim.x && blockDim.y == 8); {ACCESS}", (32, 8, N)),
    (f"assert(blockDim.x == 8 && blockDim.y == 4 && blockDim.z == 2); {ACCESS}", (8, 4, 2)),
    (f"if (blockDim.x != 64) return; {ACCESS}", (64, N, N)),
    (f"if (blockDim.x != 64 || blockDim.y != 2) {{ return; }} {ACCESS}", (64, 2, N)),
    (f"if (!(blockDim.x == 64 && blockDim.y == 2)) __trap(); {ACCESS}", (64, 2, N)),
    (
        'if (blockDim.z != 4) { if (!threadIdx.x) printf("%d\\n", blockDim.z); return; } ' + ACCESS,
        (N, N, 4),
    ),
    (
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
        f" if (blockDim.x != 128) return; {ACCESS}",
        (128, N, N),
    ),
    (f"if (blockDim.x == 16) {{ if (n) {ACCESS} else a[n] = 2; }}", (16, N, N)),
    (f"for (int i = 0; i < n; i++) {{ if (blockDim.y != 4) break; {ACCESS} }}", (N, 4, N)),
    (f"unsigned w = blockDim.x; __builtin_assume(w == 128); {ACCESS}", (128, N, N)),
    (
        f"unsigned w = blockDim.x, h = blockDim.y; __builtin_assume(w == 128 && h == 2); {ACCESS}",
        (128, 2, N),
    ),
    (f"int w = blockDim.x; [[assume(w == 128)]]; {ACCESS}", (128, N, N)),
    (f"int w = blockDim.y; __attribute__((assume(w == 4))); {ACCESS}", (N, 4, N)),
    (f"size_t w = blockDim.x; if (w != 128) __builtin_unreachable(); {ACCESS}", (128, N, N)),
    (f"check<32>(); {ACCESS}", (32, N, N)),
]
UNTOLD = [
    f"if (blockDim.x <= 32) {ACCESS}",
    f"if (blockDim.x == 32) {ACCESS} else a[n] = 2;",
    f"assert(blockDim.x == 32 || blockDim.x == 64); {ACCESS}",
    f"if (blockDim.x != 64) a[0] = 1; {ACCESS}",
    f"a[threadIdx.x] = 1; if (blockDim.x != 64) return; {ACCESS}",
    f"__syncthreads(); if (blockDim.x != 64) return; {ACCESS}",
    f"if (n == 3 || blockDim.x == 64) {ACCESS}",
    f"if (flag) return; if (blockDim.x != 64) return; {ACCESS}",
    f"if (blockDim.x != 64) {{ if (n) return; }} {ACCESS}",
    f"if (blockDim.x != n) return; {ACCESS}",
    f"if (blockDim.x != 6400) return; {ACCESS}",
    f'if (blockDim.x != 64) printf("oh"); {ACCESS}',
    f"bool good = blockDim.x == 32; if (n) good = true; if (good) {ACCESS}",
    f"if (gridDim.x != 64 || threadIdx.x == 3) return; {ACCESS}",
    f"outside(); if (blockDim.x != 64) return; {ACCESS}",
    f"if ((char)blockDim.x != 64) return; {ACCESS}",
    f"if (blockDim.x * blockDim.y != 64) return; {ACCESS}",
    f"int w = blockDim.x; __builtin_assume(w <= 64); {ACCESS}",
    f"int w = blockDim.x; __builtin_assume(w == 64 || n); {ACCESS}",
    f"int w = blockDim.x; if (n) __builtin_assume(w == 64); {ACCESS}",
    f"int w = blockDim.x; {ACCESS} __builtin_assume(w == 64);",
    f"int w = blockDim.x; [[assume(w % 32 == 0)]]; {ACCESS}",
    f"__builtin_assume(blockDim.x == 64); {ACCESS}",  # clang drops it
]


def _launches(
    tmp_path: Path, body: str, after: str = "", block: tuple[int, int, int] | None = None
) -> tuple[Launch, ...]:
    path = tmp_path / "unit.cu"
    path.write_text(
        f"{BEFORE}__device__ __noinline__ void outside() {{ flag = 1; }}\n"
        "template <int N> __device__ void check() { assert(blockDim.x == N); }\n"
        f"__global__ void k(float* a, int n) {{ {body} }}\n{after}"
    )
    report = check_unit(str(path), Config(analysis=AnalysisOptions(block=block)))
    (kernel,) = report.kernels
    return kernel.launches


@pytest.mark.parametrize(("body", "sizes"), TOLD)
def test_told(tmp_path: Path, body: str, sizes: tuple[int | None, ...]) -> None:
    (launch,) = _launches(tmp_path, body)
    known = launch.partly if launch.partly is not None else launch.block
    assert known == sizes


@pytest.mark.parametrize("body", UNTOLD)
def test_not_told(tmp_path: Path, body: str) -> None:
    assert _launches(tmp_path, body) == (Launch((32, 1, 1), assumed=True),)


GUARDED = f"assert(blockDim.x == 32 && blockDim.y == 4); {ACCESS}"


def test_launches_stay_what_they_are(tmp_path: Path) -> None:
    known = "void f(float* a) { k<<<1, 64>>>(a, 1); }\n"
    assert _launches(tmp_path, GUARDED, known) == (Launch((64, 1, 1), assumed=False),)
    unknown = "void f(float* a, int b) { k<<<1, b>>>(a, 1); k<<<1, dim3(b, b, 1)>>>(a, 1); }\n"
    assert set(_launches(tmp_path, GUARDED, unknown)) == {
        Launch((32, 4, 1), assumed=False),
        *_launches(tmp_path, GUARDED, "void f(float* a, int b) { k<<<1, b>>>(a, 1); }\n"),
    }


def test_the_source_wins_over_the_users_word(tmp_path: Path) -> None:
    assert _launches(tmp_path, GUARDED, block=(32, 4, 2)) == (Launch((32, 4, 2), assumed=False),)
    (launch,) = _launches(tmp_path, GUARDED, block=(64, 4, 1))
    assert launch.partly == (32, 4, None)
