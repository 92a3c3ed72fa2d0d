"""What others rely on: the header's layout, the join with the static side, errors of one line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from drano.analysis import analyse_module
from drano.analysis.instruction_classes import CLASSES
from drano.dynamic.cpu import abi, lower
from drano.frontend.clang import compile_unit
from drano.frontend.toolchain import find_clang
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.judgement import Space
from drano.model.settings import AnalysisOptions, CompileOptions, View
from drano.support.errors import IRError
from tests.dynamic.cpu.harness import ABI, program

OFFSETS = {
    "drano_warp": {
        "params": abi.WARP_PARAMS, "frame": abi.WARP_FRAME, "local": abi.WARP_LOCAL,
        "block": abi.WARP_BLOCK, "warp_id": abi.WARP_ID, "live": abi.WARP_LIVE,
        "barrier_id": abi.BARRIER_ID, "barrier_lanes": abi.BARRIER_LANES, "tid_x": abi.TID_X,
        "tid_y": abi.TID_X + 128, "tid_z": abi.TID_X + 256,
        "barrier_threads": abi.BARRIER_THREADS, "barrier_true": abi.BARRIER_TRUE,
        "barrier_arrive": abi.BARRIER_ARRIVE, "barrier_count": abi.BARRIER_COUNT,
        "barrier_total": abi.BARRIER_TOTAL, "barrier_place": abi.BARRIER_PLACE,
    },
    "drano_block": {
        "block_idx": abi.BLOCK_IDX, "block_dim": abi.BLOCK_DIM, "grid_dim": abi.GRID_DIM,
        "shared": abi.BLOCK_SHARED, "shared_bytes": abi.BLOCK_SHARED_BYTES,
        "dynamic_shared_offset": abi.BLOCK_DYNAMIC_OFFSET, "work": abi.BLOCK_WORK,
        "tallies": abi.BLOCK_TALLIES, "stop": abi.BLOCK_STOP,
    },
    "drano_unit": {"work_base": abi.UNIT_WORK_BASE},
}  # fmt: skip


def test_offsets_are_those_of_the_header(tmp_path: Path) -> None:
    lines = ['#include "drano_abi.h"', "#include <stddef.h>"]
    for struct, members in OFFSETS.items():
        for member, offset in members.items():
            lines.append(f'_Static_assert(offsetof({struct}, {member}) == {offset}, "{member}");')
    lines += [
        f'_Static_assert(DRANO_{name} == {getattr(abi, name)}, "{name}");'
        for name in ("EXITED", "AT_BARRIER", "AT_GRID_BARRIER", "FAULT")
    ]
    lines.append(f'_Static_assert(DRANO_CLASSES == {len(CLASSES)}, "classes");')
    source = tmp_path / "offsets.c"
    source.write_text("\n".join(lines) + "\n")
    command = [find_clang().path, "-std=c11", "-fsyntax-only", f"-I{ABI}", str(source)]
    subprocess.run(command, check=True)


SHAPES = """
struct Cell { float value; int flags; float4 more; };
__device__ float helper(const float *p, int i) { return p[i] + p[i + 1]; }
__global__ void mixed(Cell *cells, const float *x, float *y, int *hits, int n) {
  __shared__ float tile[64];
  float own[4] = {1, 2, 3, 4};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell c = cells[i];
  tile[threadIdx.x] = helper(x, i) + helper(x + n, 2 * i);
  __syncthreads();
  c.value += tile[63 - threadIdx.x] + own[i % 4];
  cells[i] = c;
  atomicAdd(hits + (i & 7), 1);
  y[i] = __ldg(x + i);
}
"""


@pytest.mark.parametrize("view", View)
def test_sites_are_the_accesses_that_check_reports(tmp_path: Path, view: View) -> None:
    file = tmp_path / "mixed.cu"
    file.write_text(SHAPES)
    unit = compile_unit(str(file), CompileOptions())
    assert unit.ir is not None
    module = read_module(prepare(unit.ir, str(file), trusted=True, view=view))
    accesses = analyse_module(module, (), AnalysisOptions()).accesses
    lowered = lower(unit.ir, "id", path=str(file), opt_level=0, view=view)
    sites = {s.ordinal: s for s in lowered.sites}
    wanted = {Space.GLOBAL, Space.SHARED, Space.GENERIC}
    reported = [a for a in accesses if a.judgement.space in wanted]
    assert len(reported) >= 10
    for access in reported:
        site = sites[access.ordinal]
        assert (site.kernel, site.location) == (access.kernel_symbol, access.location)
        assert (site.kind, site.bytes) == (access.kind, access.bytes)


@pytest.mark.parametrize(
    ("source", "construct"),
    [
        ("__global__ void k(cudaTextureObject_t t, float4 *o) {*o = tex2Dgather<float4>(t, 1, 2);}",
         "tld4"),
        ('__global__ void k(int *o) {\n  asm("vadd4.u32.u32.u32 %0, %0, %0, %0;" : "+r"(o[0])); }',
         "vadd4"),
        ("__device__ int f(int n) { __syncthreads(); return n ? f(n - 1) * f(n / 2) + 1 : 0; }\n"
         "__global__ void k(int *o) { o[0] = f(o[1]); }", "barrier in a function"),
        ("__global__ void k(int *o, int n) { int *p = (int *)alloca(n * 4); p[n - 1] = 3;\n"
         "  o[0] = p[o[1]]; }", "variable length"),
    ],
)  # fmt: skip
def test_what_is_not_supported_is_one_line_with_its_place(source: str, construct: str) -> None:
    with pytest.raises(IRError) as error:
        program(source)
    text = str(error.value)
    assert "not supported on the CPU" in text
    assert construct in text
    assert "\n" not in text
    assert "unit.cu:" in text


@pytest.mark.parametrize("text", ["", "no IR at all", "define void @f() {", "\0"])
def test_what_is_no_ir_is_one_line(text: str) -> None:
    with pytest.raises(IRError) as error:
        lower(text, "id", path="x.ll", trusted=False)
    assert str(error.value).startswith("x.ll: ")
    assert "\n" not in str(error.value)
