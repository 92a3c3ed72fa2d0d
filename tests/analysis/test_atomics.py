"""Atomics that clang has no instruction for are accesses like others."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import AccessKind
from drano.model.judgement import Verdict
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.driver import check_unit

SOURCE = """#include <cuda_fp16.h>
__global__ void k(int *a, float *f, unsigned *u, __half *h, __half2 *h2, double *d) {
  int t = threadIdx.x;
  atomicCAS_block(a + t, 1, 2);
  atomicExch_system(a + t, 1);
  atomicAdd_system(f + t, 1.f);
  atomicMax_block(u + t * 8, 5u);
  atomicAdd(h + t * 16, __float2half(1.f));
  atomicAdd(h2 + t, __floats2half2_rn(1.f, 1.f));
  atomicAdd_block(d + t, 1.0);
}
void go(int *a, float *f, unsigned *u, __half *h, __half2 *h2, double *d) {
  k<<<2, 64>>>(a, f, u, h, h2, d);
}
"""
SECTORS = {4: 4, 5: 4, 6: 4, 7: 32, 8: 32, 9: 4, 10: 8}


@pytest.mark.parametrize("view", View)
def test_scoped_and_half_atomics(tmp_path: Path, view: View) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    report = check_unit(str(path), Config(analysis=AnalysisOptions(view=view)))
    found = {}
    for access in report.accesses:
        answer = access.judgement
        assert access.kind is AccessKind.ATOMIC
        assert answer.sectors is not None
        assert answer.sectors.minimum == answer.sectors.maximum
        assert answer.verdict is not Verdict.UNKNOWN
        found[access.location.span.line] = answer.sectors.maximum
    assert found == SECTORS
