"""Headers that are precompiled with the prelude: which, when, and that it changes no result."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drano.frontend import clang
from drano.frontend.headers import prelude_pch
from drano.frontend.headers.common_headers import common_headers
from drano.frontend.text.text_scan import scan_text
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
    """The names of our headers for what a unit includes."""
    source = tmp_path / "unit.cu"
    source.write_text(text)
    choices = common_headers(scan_text(str(source), user), user)
    return tuple(Path(header).name for header in choices[0]) if choices else ()


def test_one_set_for_most_and_one_with_cub_and_thrust(tmp_path: Path) -> None:
    assert named(tmp_path, "int i;\n") == ()
    assert named(tmp_path, "#include <stdint.h>\n") == ()
    for header in ("<vector>", "<cuda_bf16.h>", '"cuda_fp16.h"', "<cooperative_groups.h>"):
        assert named(tmp_path, f"#include {header}\n") == ("common.h",)
    for header in ("thrust/sort.h", "cub/block/block_reduce.cuh", "cuda/std/span"):
        assert named(tmp_path, f"#include <{header}>\n") == ("common.h", "cccl.h")


def test_through_headers_of_the_project_and_stand_ins(tmp_path: Path) -> None:
    (tmp_path / "common.cuh").write_text("#include <cuda_fp16.h>\n")
    assert named(tmp_path, '#include "common.cuh"\n') == ("common.h",)
    assert named(tmp_path, "#include <cublas_v2.h>\n") == ("common.h",)
    found = tmp_path / "found"
    found.mkdir()
    (found / "own.cuh").write_text("#include <cub/cub.cuh>\n")
    assert named(tmp_path, '#include "own.cuh"\n') == ()
    own = named(tmp_path, '#include "own.cuh"\n', "-idirafter", str(found))
    assert own == ("common.h", "cccl.h")


def precompiled(tmp_path: Path, text: str) -> str:
    """Which of our headers the prelude of a unit was precompiled with."""
    source = tmp_path / "unit.cu"
    source.write_text(text)
    tried: list[tuple[str, ...]] = []
    with pytest.MonkeyPatch.context() as patch:
        used = prelude_pch._used
        patch.setattr(prelude_pch, "_used", lambda c, k, h: (tried.append(h), used(c, k, h))[1])
        unit = clang.compile_unit(str(source), CompileOptions())
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]
    return " ".join(Path(header).stem for header in tried[-1])


KERNEL_ONLY = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"


@pytest.mark.parametrize(
    "line",
    [
        "#define __CUDA_NO_HALF_OPERATORS__",
        "# define NDEBUG 1",
        "#ifndef __CUDA_NO_HALF_OPERATORS__\n#define __CUDA_NO_HALF_OPERATORS__\n#endif",
        "#ifdef __RESERVED__\n#define __CUDA_NO_BFLOAT16_OPERATORS__\n#endif",
        "#if defined(OWN) || 1\n#define CUDA_NO_HALF\n#endif",
        "#define AlignHint 1",
        "#define __CUDA_NO_HALF_OPERATORS__(a) a",
    ],
)
def test_not_where_macros_before_them_decide(tmp_path: Path, line: str) -> None:
    text = f"{line}\n#include <cuda_fp16.h>\n{KERNEL_ONLY}"
    assert precompiled(tmp_path, text) != "common"


@pytest.mark.parametrize(
    "line",
    [
        "#define TILE 16",
        "#define _CUDA_UTILS_H",
        "#define AlignHint(x) x",
        "#ifdef USE_HIP\n#define NDEBUG\n#endif",
        "#if defined(_WIN32) || defined(USE_HIP)\n#define NDEBUG\n#else\n#define TILE 1\n#endif",
        "#ifndef __cplusplus\n#define static_assert\n#endif",
        "#ifndef __host__\n#define __host__\n#define __device__\n#endif",
    ],
)
def test_where_macros_decide_nothing(tmp_path: Path, line: str) -> None:
    assert precompiled(tmp_path, f"{line}\n#include <cuda_fp16.h>\n{KERNEL_ONLY}") == "common"
    later = f"#include <cuda_fp16.h>\n#define NDEBUG\n{KERNEL_ONLY}"
    assert precompiled(tmp_path, later) == "common"


def test_what_is_half_deleted_is_made_again(tmp_path: Path) -> None:
    text = f"#define TILE 16\n#include <cuda_fp16.h>\n{KERNEL_ONLY}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRANO_CACHE_DIR", str(tmp_path / "cache"))
        assert precompiled(tmp_path, text) == "common"
        for names in (tmp_path / "cache" / "pch").glob("*.words"):
            names.unlink()
        assert precompiled(tmp_path, text) == "common"
        assert list((tmp_path / "cache" / "pch").glob("*.words"))


def test_less_where_a_macro_is_in_cub_alone(tmp_path: Path) -> None:
    text = f"#define OWN_BLOCK_THREADS 1\n#include <cub/cub.cuh>\n{KERNEL_ONLY}"
    assert precompiled(tmp_path, text) == "common cccl"
    text = f"#define CUB_IGNORE_DEPRECATED_API\n#include <cub/cub.cuh>\n{KERNEL_ONLY}"
    assert precompiled(tmp_path, text) in {"common", "standard_library", ""}


def test_not_where_flags_decide(tmp_path: Path) -> None:
    text = "#include <cuda_fp16.h>\n"
    own = tmp_path / "own"
    own.mkdir()
    assert named(tmp_path, text, "-isystem", str(own))
    (own / "memory").mkdir()  # a directory is no header
    assert named(tmp_path, text, "-I", str(own))
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
