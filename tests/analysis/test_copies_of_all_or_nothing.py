"""``cp.async`` with an operand that says how much of it is read, as tiles with edges are copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Access, AccessKind
from drano.model.judgement import Space, Verdict
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check_unit

PREDICATED = r"""
__device__ void copy_if(void* to, const void* from, bool on) {
  unsigned place = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n"
               " @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n}\n" ::"r"((int)on),
               "r"(place), "l"(from), "n"(16));
}
__device__ uint4 load_unless(const uint4* from, bool off) {
  uint4 v = make_uint4(1, 2, 3, 4);
  asm volatile("{ .reg .pred %%q; setp.eq.s32 %%q, %5, 0; mov.b32 %0, %6; mov.b32 %1, %7;"
               " mov.b32 %2, %8; mov.b32 %3, %9; @%%q ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from), "r"((int)off), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
  return v;
}
__global__ void pieces(const uint4* in, uint4* out, int n) {
  __shared__ uint4 s[256];
  int t = threadIdx.x;
  copy_if(s + t, in + t, t < n);
  copy_if(s + t, in + 2 * t, t >= 16);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  uint4 v = load_unless(in + 4 * t, t % 32 >= 8);
  out[t] = make_uint4(v.x + s[t].x, v.y, v.z, v.w);
}
void run(const uint4* in, uint4* out, int n) { pieces<<<n, 256>>>(in, out, n); }
"""
SOURCE = """
__device__ void copy(void* to, const void* from, bool on) {
  unsigned place = (unsigned)__cvta_generic_to_shared(to);
  int bytes = on ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(place), "l"(from), "n"(16),
               "r"(bytes));
}
__device__ void part(void* to, const void* from, int bytes) {
  unsigned place = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from),
               "r"(bytes));
}
__global__ void tile(const float4* in, float4* out, int rows) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  copy(s + t, in + t, t < rows);         // 16: consecutive
  copy(s + t, in + 4 * t, t < rows);     // 17: 64 bytes apart
  copy(s + t, in + 4 * t, t % 32 == 3);  // 18: one lane
  part(s + t, in + t, rows);             // 19: any part of it
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[t] = s[t];
}
void run(const float4* in, float4* out, int n) { tile<<<n, 256>>>(in, out, n); }
"""


def line(access: Access) -> int:
    """Of the kernel."""
    path = access.location.inlined_at
    return (path[-1] if path else access.location).span.line


@pytest.mark.parametrize("view", View)
def test_a_condition_says_which_lanes_read(tmp_path: Path, view: View) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    config = Config(CompileOptions(arch="sm_90"), AnalysisOptions(view=view))
    report = check_unit(str(path), config)
    loads = {
        line(access): access.judgement
        for access in report.accesses
        if access.kind is AccessKind.LOAD and access.judgement.space is Space.GLOBAL
    }
    assert {number: str(said.verdict) for number, said in loads.items()} == {
        16: "coalesced", 17: "uncoalesced", 18: "coalesced", 19: "unknown"
    }  # fmt: skip
    sectors = {n: s.sectors and (s.sectors.minimum, s.sectors.maximum) for n, s in loads.items()}
    assert sectors == {16: (1, 16), 17: (1, 32), 18: (1, 1), 19: None}
    assert "one lane of the warp" in loads[18].reason
    assert loads[19].verdict is Verdict.UNKNOWN
    assert {f.location.inlined_at[-1].span.line for f in report.findings} == {17}


@pytest.mark.parametrize("view", View)
def test_a_predicate_that_inline_ptx_sets_parts_lanes(tmp_path: Path, view: View) -> None:
    """As CUTLASS writes its copies, loads and stores."""
    path = tmp_path / "a.cu"
    path.write_text(PREDICATED)
    config = Config(CompileOptions(arch="sm_90"), AnalysisOptions(view=view))
    report = check_unit(str(path), config)
    assert not [a for a in report.accesses if a.judgement.space is Space.GENERIC]
    found = {
        (line(a), a.kind): (str(a.judgement.verdict), a.judgement.sectors)
        for a in report.accesses
        if a.judgement.space is Space.GLOBAL
    }
    said = {
        place: (verdict, sectors and (sectors.minimum, sectors.maximum))
        for place, (verdict, sectors) in found.items()
    }
    assert said == {
        (19, AccessKind.LOAD): ("coalesced", (1, 16)),
        (20, AccessKind.LOAD): ("uncoalesced", (16, 32)),
        (23, AccessKind.LOAD): ("uncoalesced", (8, 8)),
        (24, AccessKind.STORE): ("coalesced", (16, 16)),
    }
    copied = [a.origin.copies for a in report.accesses if a.origin and line(a) == 19]
    assert set(copied) <= {1}
