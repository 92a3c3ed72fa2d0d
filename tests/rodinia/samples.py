"""A small suite of our own: two programs, their truth tables, and hand-made accesses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from drano.model.access import Access, AccessKind, Launch
from drano.model.judgement import Active, CountRange, Judgement, Pattern, Space, Verdict
from drano.model.span import Frame, Location, Span
from rodinia.measured.lines import Place
from rodinia.measured.truth import HardwareRow

COMMIT = "0123456789abcdef0123456789abcdef01234567"

MANIFEST = f"""
[suite]
name = "Small"
url = "https://example.org/small"
commit = "{COMMIT}"
cuda_dir = "cuda"
licence = "ours"

[paper]
real = 3

[[programs]]
name = "one"
directory = "one"
include_dirs = ["include"]
units = [{{ path = "main.cu" }}, {{ path = "more.cu", makefile = false, defines = ["WIDE=1"] }}]
data_dependent = {{ "main.cu" = ["3-4", "9"] }}

[[programs]]
name = "two"
directory = "deep/two"
paper = "left out (textures)"
units = [{{ path = "two.cu" }}]
original_misses = {{ unset = {{ "two.cu" = ["1"] }} }}
"""

# Line numbers matter: the truth tables below speak of them.
MAIN = """\
#include "scale.h"
#include <GL/none_such.h>
__global__ void rows(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void columns(float *out, const float *in, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = scale(in, i * pitch + blockIdx.y);
  out[i * 2] = 0;
}
void run(float *out, const float *in, int pitch) {
  rows<<<8, 64>>>(out, in);
  columns<<<8, 64>>>(out, in, pitch);
}
"""
HEADER = """\
__device__ inline float scale(const float *in, int i) {
  return 2 * in[i];
}
"""
MORE = """\
#ifndef WIDE
#error WIDE is wanted
#endif
__global__ void more(double *out) { out[2 * threadIdx.x] = 1; }
"""
TWO = "__global__ void two(int *out, int n) { out[threadIdx.x] = n; }\n"

HARDWARE_COLUMNS = (
    "program,file,line,kernel,kind,space,via,size_bytes,sass_ops,launches,grid,block,warp_insts,"
    "thread_insts,l1_tag_requests,sectors,sectors_ideal,wavefronts,wavefronts_ideal"
)
ORIGINAL_COLUMNS = (
    "program,file,line,column,kernel,kind,base_size,abstract_index,in_authors_makefile,mode"
)
AUTHORS_COLUMNS = (
    "program,file,line,column,function,kind,arrays_aligned,input,avg_lines,executions,"
    "min_lines,max_lines"
)


def write_checkout(home: Path) -> Path:
    """The small suite below ``home``; returns the manifest's path."""
    one, two = home / "cuda/one", home / "cuda/deep/two"
    (one / "include").mkdir(parents=True)
    two.mkdir(parents=True)
    (one / "main.cu").write_text(MAIN)
    (one / "more.cu").write_text(MORE)
    (one / "include/scale.h").write_text(HEADER)
    (two / "two.cu").write_text(TWO)
    path = home / "manifest.toml"
    path.write_text(MANIFEST)
    return path


def hardware_text(*rows: tuple[str, int, str, str, int, str, int, int, int, int]) -> str:
    """A hardware table; rows are (file, line, kernel, kind, bytes, block, warps, threads,
    sectors, ideal)."""
    lines = [HARDWARE_COLUMNS]
    for file, line, kernel, kind, size, block, warps, threads, sectors, ideal in rows:
        lines.append(
            f"p,{file},{line},{kernel},{kind},global,direct,{size},LDG*1,1,8x1x1,{block},{warps},"
            f"{threads},{warps},{sectors},{ideal},0,0"
        )
    return "\n".join(lines) + "\n"


def hardware_row(
    line: int,
    sectors: int,
    ideal: int,
    *,
    file: str = "one/main.cu",
    kernel: str = "k",
    kind: str = "load",
    space: str = "global",
    size: int = 4,
    block: tuple[int, int, int] = (64, 1, 1),
    warps: int = 100,
    threads: int = 3200,
) -> HardwareRow:
    return HardwareRow(
        file, line, kernel, kind, space, "direct", size, "8x1x1", block, warps, threads, warps,
        sectors, ideal,
    )  # fmt: skip


def access(
    path: str,
    line: int,
    verdict: Verdict = Verdict.COALESCED,
    *,
    kernel: str = "k",
    kind: AccessKind = AccessKind.LOAD,
    space: Space = Space.GLOBAL,
    size: int = 4,
    sectors: tuple[int, int, int] | None = None,
    lines: tuple[int, int, int] | None = None,
    block: tuple[int, int, int] = (64, 1, 1),
    assumed: bool = False,
    lanes: Sequence[int | None] = (),
    via: tuple[str, int] | None = None,
    pattern: Pattern = Pattern.UNKNOWN,
) -> Access:
    frames = (Frame(kernel, Span(via[0], via[1], 3)),) if via else ()
    return Access(
        location=Location(Span(path, line, 5), kernel, frames),
        end_column=9,
        kernel=kernel,
        kernel_symbol=kernel,
        ordinal=line,
        kind=kind,
        bytes=size,
        judgement=Judgement(
            space=space,
            verdict=verdict,
            pattern=pattern,
            reason="because",
            value="v",
            active=Active.UNKNOWN,
            sectors=CountRange(*sectors) if sectors else None,
            lines=CountRange(*lines) if lines else None,
            lanes=tuple(lanes),
        ),
        launch=Launch(block, assumed),
    )


def at(line: int, file: str = "one/main.cu") -> Place:
    return Place(file, line)
