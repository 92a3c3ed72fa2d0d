"""``cp.async`` with an operand that says how much of it is read, as tiles with edges are copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Access, AccessKind
from drano.model.judgement import Space, Verdict
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check_unit

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
