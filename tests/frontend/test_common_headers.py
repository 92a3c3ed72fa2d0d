"""Headers that are precompiled with the prelude: which, when, and that it changes no result."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drano.frontend import clang
from drano.frontend.common_headers import common_headers
from drano.frontend.text_scan import scan_text
from drano.model.settings import CompileOptions

KERNEL = """
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__global__ void k(__half *a, float *b, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = __float2half(b[2 * i] + warp.thread_rank());
}
"""


def named(tmp_path: Path, text: str, *user: str) -> tuple[str, ...]:
    source = tmp_path / "unit.cu"
    source.write_text(text)
    return common_headers(scan_text(str(source), user), user)


def test_what_the_unit_includes_and_its_family(tmp_path: Path) -> None:
    assert named(tmp_path, "int i;\n") == ()
    assert named(tmp_path, "#include <stdint.h>\n") == ()
    halves = named(tmp_path, "#include <cuda_bf16.h>\n")
    assert halves[-2:] == ("cuda_bf16.h", "cuda_fp16.h")
    assert named(tmp_path, '#include "cuda_fp16.h"\n') == halves
    library = named(tmp_path, "#include <vector>\n")
    assert "random" in library and "cooperative_groups.h" in library
    assert halves[:-2] == library
    single = named(tmp_path, "#include <thrust/sort.h>\n#include <cub/cub.cuh>\n")
    assert single == ("cub/cub.cuh", "thrust/sort.h")
    # Through a header of the project.
    (tmp_path / "common.cuh").write_text("#include <cuda_fp16.h>\n")
    assert named(tmp_path, '#include "common.cuh"\n') == halves


@pytest.mark.parametrize(
    "line",
    [
        "#define __CUDA_NO_HALF_OPERATORS__",
        "# define NDEBUG 1",
        "#define CUB_IGNORE_DEPRECATED_API",
        "#define private public",
        "#define _GNU_SOURCE",
    ],
)
def test_not_where_macros_decide(tmp_path: Path, line: str) -> None:
    assert named(tmp_path, f"{line}\n#include <cuda_fp16.h>\n") == ()


def test_include_guards_decide_nothing(tmp_path: Path) -> None:
    for guard in ("_CUDA_UTILS_H", "__CUDA_UTILS_H__", "_CUDA_TILE_CUH_", "UTILS_H"):
        assert named(tmp_path, f"#define {guard}\n#include <cuda_fp16.h>\n")


def test_not_where_flags_decide(tmp_path: Path) -> None:
    text = "#include <cuda_fp16.h>\n"
    own = tmp_path / "own"
    own.mkdir()
    assert named(tmp_path, text, "-isystem", str(own))
    (own / "cuda_fp16.h").write_text("struct __half { short bits; };\n")
    assert named(tmp_path, text, "-isystem", str(own)) == ()
    assert named(tmp_path, text, f"-I{own}") == ()
    assert named(tmp_path, text, "-include", "x.h") == ()


def compiled(tmp_path: Path, text: str, **options: object) -> clang.CompiledUnit:
    source = tmp_path / "unit.cu"
    source.write_text(text)
    return clang.compile_unit(str(source), CompileOptions(), **options)  # type: ignore[arg-type]


def test_the_device_code_is_the_same(tmp_path: Path) -> None:
    fast = compiled(tmp_path, KERNEL)
    plain = compiled(tmp_path, KERNEL, precompiled=False)
    assert fast.ir is not None and plain.ir is not None
    begin = "define dso_local ptx_kernel"

    def kernel(ir: str) -> list[str]:
        body = ir[ir.index(begin) :].partition("\n}\n")[0]
        return [line.partition(", !")[0].partition(" #")[0] for line in body.splitlines()]

    assert kernel(fast.ir) == kernel(plain.ir)
    assert len(kernel(fast.ir)) > 20


def test_a_second_unit_takes_a_fraction(tmp_path: Path) -> None:
    compiled(tmp_path, KERNEL)

    def seconds(precompiled: bool) -> float:
        begin = time.perf_counter()
        assert compiled(tmp_path, KERNEL, precompiled=precompiled).ir
        return time.perf_counter() - begin

    fast = min(seconds(True) for _ in range(3))
    assert fast < 0.5 * seconds(False)


def test_names_of_its_own_in_the_place_of_a_headers(tmp_path: Path) -> None:
    text = """
    #if 0
    #include <cuda_fp16.h>
    #endif
    struct __half { float x, y; };
    __global__ void k(__half *a) { a[threadIdx.x].x = 1; }
    """
    unit = compiled(tmp_path, text)
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]
    assert not unit.not_analysed
