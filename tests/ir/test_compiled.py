"""Code as the compiler leaves it: requests of the widths that nvcc 13 gives the same sources."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.ir.optimised_ptx import ptx_of
from drano.ir.prepare.compiled import optimise
from drano.ir.prepare.widths.type_alignment import MOST_BYTES, with_member_copies
from drano.model.report import FileReport
from drano.model.settings import AnalysisOptions, Config, Domain, View
from drano.run.driver import check_unit

# What `nvcc -O3 -ptx` makes of each body, in bytes a lane.
WIDTHS = {
    "v[t].x += 1; v[t].y += 1; v[t].z += 1;": {"load 16": 1, "store 8": 1, "store 4": 1},
    "m[t] = m[t + 1];": {"load 4": 12, "store 4": 12},
    "f[t] = f[t + 32] + f[t + 32];": {"load 4": 1, "store 4": 1},
    "volatile float4 *q = v; f[t] = q[t].x + q[t].y;": {"load 4": 2, "store 4": 1},
    "f[t] = c[t].x + c[t].y;": {"load 2": 1, "store 4": 1},
    "for (int k = 0; k < 4; ++k) f[t + 32 * k] = 0;": {"store 4": 4},
    "for (int k = 0; k < n; ++k) f[t] += v[k].x;": {"load 4": 6, "store 4": 5},
    # Nothing is merged across an asm, whatever it does; what is only one value is loaded once.
    "v[t].x = EX2(n); v[t].y = EX2(n + t);": {"store 4": 2},
    "v[t].x = 1; f[t] = EX2(t); v[t].y = 2;": {"store 4": 3},
    "float x = EX2(v[t].x); f[t] = x + EX2(v[t].y);": {"load 4": 2, "store 4": 1},
    "float x = v[t].x, y = v[t].y; f[t] = EX2(x) + EX2(y);": {"load 8": 1, "store 4": 1},
    "float x = EX2(n), y = EX2(t); v[t].x = x; v[t].y = y;": {"store 8": 1},
    "float x = EX2(f[t]); v[t].x = x + f[t];": {"load 4": 1, "store 4": 1},
    "float x = VOLATILE(f[t]); v[t].x = x + f[t];": {"load 4": 2, "store 4": 1},
    "v[t].x = EX2(n); v[t].y = EX2(n);": {"store 4": 2},
}  # fmt: skip
EX2 = """#define EX2(x) ex2(x)
#define VOLATILE(x) ex2_volatile(x)
__device__ float ex2(float x) {
  float r; asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ float ex2_volatile(float x) {
  float r; asm volatile("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
"""
COPY = "  call void @llvm.memcpy.p0.p0.i64(ptr align {} %to, ptr align {} %from, i64 {}, i1 false)"
PIECE = re.compile(r"load (i\d+), ptr %drano\.copy\.\d+\.\d+\.s, align (\d+)")
OFFSET = re.compile(r"\.s = getelementptr inbounds i8, ptr %from, i64 (\d+)")


def _report(tmp_path: Path, body: str, options: AnalysisOptions) -> FileReport:
    path = tmp_path / "k.cu"
    path.write_text(
        f"{EX2}struct M {{ float m[12]; }};\n"
        "__global__ void k(float4 *v, M *m, float *f, uchar4 *c, int n) {\n"
        f"  int t = threadIdx.x; {body}\n}}\n"
    )
    return check_unit(str(path), Config(analysis=options), None)


@pytest.mark.parametrize("body", WIDTHS)
def test_requests_are_as_wide_as_those_of_nvcc(tmp_path: Path, body: str) -> None:
    report = _report(tmp_path, body, AnalysisOptions(view=View.COMPILED))
    assert Counter(f"{a.kind} {a.bytes}" for a in report.accesses) == WIDTHS[body]


def test_the_papers_domain_reads_what_is_written(tmp_path: Path) -> None:
    body = next(iter(WIDTHS))
    reports = [
        _report(tmp_path, body, AnalysisOptions(domain=Domain.GPUDRANO, view=view)) for view in View
    ]
    assert reports[0].accesses == reports[1].accesses
    assert len(reports[0].accesses) == 6


def test_the_back_end_is_whole_again_afterwards(tmp_path: Path) -> None:
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
    )
    optimise(llvm.parse_assembly(text, llvm.create_context()), "sm_90")
    assert "st.global" in ptx_of(text, "k.ll", "sm_90", 60.0, 4 << 30)


@given(
    length=st.integers(1, 2 * MOST_BYTES),
    aligns=st.tuples(*2 * [st.sampled_from([1, 2, 4, 8, 16])]),
)
def test_pieces_of_a_copy_are_all_of_it_once(length: int, aligns: tuple[int, int]) -> None:
    text = COPY.format(*aligns, length)
    copied = with_member_copies(text)
    if length > MOST_BYTES:
        assert copied == text
        return
    pieces = [(int(type_[1:]) // 8, int(align)) for type_, align in PIECE.findall(copied)]
    offsets = list(map(int, OFFSET.findall(copied)))
    covered = [offset + k for offset, (size, _) in zip(offsets, pieces, strict=True)
               for k in range(size)]  # fmt: skip
    assert covered == list(range(length))
    assert all(o % align == 0 for o, (_, align) in zip(offsets, pieces, strict=True))
    assert all(align <= max(aligns) for _, align in pieces)


@pytest.mark.parametrize(
    ("head", "body", "widths"),
    [
        # Packed: wherever it lies, byte by byte.
        ("struct __attribute__((packed)) S { float a, b, c, d; };", "((S *)o)[t] = ((S *)i)[t];",
         {1}),
        # nvcc 13 makes one request of 16 bytes of it.
        ("typedef float4 S __attribute__((aligned(4)));", "((S *)o)[t] = ((S *)i)[t];", {16}),
        ("", "__shared__ float s[256]; *(float4 *)&s[4 * t] = ((float4 *)i)[t]; o[t] = s[t];",
         {4, 16}),
    ],
)  # fmt: skip
def test_a_copy_is_aligned_as_its_type_and_no_more(
    tmp_path: Path, head: str, body: str, widths: set[int]
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"{head}\n__global__ void k(float *o, const float *i) {{ int t = threadIdx.x; {body} }}\n"
    )
    report = check_unit(str(path), Config(analysis=AnalysisOptions(view=View.COMPILED)), None)
    assert {access.bytes for access in report.accesses} == widths
