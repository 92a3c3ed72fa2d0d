"""Programs whose kernels come from PTX: counted as those of the source, line by line."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import read_profile
from drano.support.errors import IRError
from tests.conftest import Run

MAIN = """#include <cstdio>

__global__ void scale(const float *in, float *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * by] = 2 * in[i];
}

int main() {
  float *in, *out, host[256], result[1024] = {};
  for (int k = 0; k < 256; k++) host[k] = k;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<2, 128>>>(in, out, 250, 4);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%g %g\\n", result[4], result[996]);
}
"""
# nvcc 13 -O3 -ptx -lineinfo of that source, shortened.
PTX = """
.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z5scalePKfPfii(
	.param .u64 _Z5scalePKfPfii_param_0,
	.param .u64 _Z5scalePKfPfii_param_1,
	.param .u32 _Z5scalePKfPfii_param_2,
	.param .u32 _Z5scalePKfPfii_param_3
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<3>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<9>;
	.loc	1 3 0
	ld.param.u64 	%rd1, [_Z5scalePKfPfii_param_0];
	ld.param.u64 	%rd2, [_Z5scalePKfPfii_param_1];
	ld.param.u32 	%r2, [_Z5scalePKfPfii_param_2];
	ld.param.u32 	%r3, [_Z5scalePKfPfii_param_3];
	.loc	1 4 3
	mov.u32 	%r4, %ctaid.x;
	mov.u32 	%r5, %ntid.x;
	mov.u32 	%r6, %tid.x;
	mad.lo.s32 	%r1, %r4, %r5, %r6;
	.loc	1 5 3
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;
	cvta.to.global.u64 	%rd3, %rd1;
	mul.wide.s32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f1, [%rd5];
	add.f32 	%f2, %f1, %f1;
	mul.lo.s32 	%r7, %r1, %r3;
	cvta.to.global.u64 	%rd6, %rd2;
	mul.wide.s32 	%rd7, %r7, 4;
	add.s64 	%rd8, %rd6, %rd7;
	st.global.f32 	[%rd8], %f2;
$L__BB0_2:
	.loc	1 6 1
	ret;
}
	.file	1 "main.cu"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.cu").write_text(MAIN)
    (tmp_path / "main.ptx").write_text(PTX)
    return tmp_path


def run(program: Path) -> tuple[str, Counter[tuple[object, ...]]]:
    """What it prints, and requests, lanes and sectors by kernel, line and kind."""
    profile = program.with_suffix(".json")
    ran = subprocess.run(
        [program], check=True, capture_output=True, text=True, timeout=60,
        env={**os.environ, "DRANO_PROFILE": str(profile)},
    )  # fmt: skip
    counts: Counter[tuple[object, ...]] = Counter()
    for site in read_profile(str(profile)).sites:
        place = (site.kernel, Path(site.path).name, site.line, site.kind, site.space)
        counts[(*place, "requests")] += site.executions
        counts[(*place, "lanes")] += site.active_lanes
        counts[(*place, "sectors")] += site.sectors
    return ran.stdout, counts


def test_counts_are_those_of_the_source(folder: Path) -> None:
    own, other = folder / "own", folder / "other"
    main, ptx = str(folder / "main.cu"), str(folder / "main.ptx")
    assert compile_main([main, "-o", str(own)]) == 0
    assert compile_main([main, ptx, "-o", str(other)]) == 0
    printed, counts = run(own)
    assert printed == "2 498\n"
    assert run(other) == (printed, counts)
    assert counts["_Z5scalePKfPfii", "main.cu", 5, "store", "global", "sectors"] == 125


def test_it_is_the_ptx_that_runs(folder: Path) -> None:
    text = PTX.replace("add.f32 	%f2, %f1, %f1;", "mul.f32 	%f2, %f1, 0f40400000;")
    (folder / "main.ptx").write_text(text)
    program = folder / "program"
    assert (
        compile_main([str(folder / "main.ptx"), str(folder / "main.cu"), "-o", str(program)]) == 0
    )
    assert run(program)[0] == "3 747\n"


MATRICES = """
	.reg .b32 %m<9>;
	.shared .align 16 .b8 tile[8192];
	mov.u32 %m1, tile;
	shl.b32 %m2, %r6, 4;
	add.u32 %m1, %m1, %m2;
	mov.b32 %m3, %f1;
	st.shared.v4.b32 [%m1], {%m3, %m3, %m3, %m3};
	bar.warp.sync -1;
	ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%m4}, [%m1];
	stmatrix.sync.aligned.m8n8.x1.shared.b16 [%m1+4096], {%m4};
	bar.warp.sync -1;
	and.b32 %m5, %r6, 31;
	mul.lo.u32 %m6, %m5, 12;
	sub.u32 %m6, %m1, %m6;
	ld.shared.f32 %f1, [%m6+4096];
	add.f32 	%f2, %f1, %f1;
"""


def test_matrices_move_as_the_isa_says(folder: Path) -> None:
    """Lane ``4 g + t`` gets word ``t`` of row ``g``, whose address is lane ``g``'s."""
    (folder / "main.cu").write_text(MAIN.replace("out, 250, 4", "out, 256, 4"))
    (folder / "main.ptx").write_text(PTX.replace("add.f32 	%f2, %f1, %f1;", MATRICES))
    command = [str(folder / "main.ptx"), str(folder / "main.cu"), "-o", str(folder / "program")]
    assert compile_main(command) == 0
    assert run(folder / "program")[0] == f"{2 * (1 // 4)} {2 * (224 + 25 // 4)}\n"


def test_units_without_kernels_in_it_are_their_own(folder: Path) -> None:
    other = folder / "other.cu"
    other.write_text("__global__ void unused(float *a) { a[threadIdx.x] = 0; }\n")
    command = [str(folder / name) for name in ("main.cu", "other.cu", "main.ptx")]
    assert compile_main([*command, "-o", str(folder / "program")]) == 0
    assert run(folder / "program")[0] == "2 498\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PTX.replace("_Z5scale", "_Z5other"), "main.ptx: has none of the kernels that .*main.cu"),
        (PTX.replace("%f2, %f1, %f1", "%f2, %f1, %f9"), "main.ptx: line 33: no PTX: %f9"),
        (PTX.replace("add.f32", "mma.f32"), "not supported on the CPU: inline PTX `mma"),
    ],
)
def test_what_cannot_be_run(folder: Path, text: str, reason: str) -> None:
    (folder / "main.ptx").write_text(text)
    command = [str(folder / "main.cu"), str(folder / "main.ptx")]
    with pytest.raises(IRError, match=reason):
        compile_main([*command, "-o", str(folder / "program")])


def test_a_kernel_that_the_ptx_lacks(folder: Path) -> None:
    main = folder / "main.cu"
    main.write_text(MAIN + "__global__ void more(float *a) { a[threadIdx.x] = 0; }\n")
    with pytest.raises(IRError, match=r"main.ptx: has no kernel more, which .*main.cu"):
        compile_main([str(main), str(folder / "main.ptx"), "-o", str(folder / "program")])


def test_commands(folder: Path, drano: Run) -> None:
    ran = drano("run", folder / "main.cu", folder / "main.ptx")
    assert ran.status == 0, ran.stderr
    assert "PTX needs host code" in drano("run", folder / "main.ptx").stderr
    assert "for the CPU only" in drano(
        "cc", "--device", "gpu", folder / "main.cu", folder / "main.ptx"
    ).stderr  # fmt: skip
