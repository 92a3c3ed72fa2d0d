"""What is assumed of a name decides the way in which a warp's lanes lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.judgement import Verdict
from drano.model.settings import AnalysisOptions, Config
from drano.run.driver import check

CASES = Path(__file__).parents[1] / "cases" / "warp" / "uniform_choices.cu"


@pytest.mark.parametrize(
    ("name", "value", "kernel", "verdict"),
    [
        ("n", 4, "strided", Verdict.COALESCED),
        ("n", 5, "strided", Verdict.UNCOALESCED),
        ("neox", 1, "rotate", Verdict.COALESCED),
        ("order", 2, "transpose", Verdict.UNCOALESCED),
        ("order", 1, "transpose", Verdict.COALESCED),
        ("wide", 0, "twice", Verdict.COALESCED),
    ],
)
def test_what_is_assumed_decides(name: str, value: int, kernel: str, verdict: Verdict) -> None:
    config = Config(analysis=AnalysisOptions(assume=((name, value),)))
    accesses = [a for a in check([str(CASES)], config).files[0].accesses if a.kernel == kernel]
    bounds = {"", "at least 25 lanes are active"}  # what is left is of lanes, not of choices
    assert {a.judgement.condition for a in accesses} <= bounds
    worst = max(a.judgement.weight for a in accesses)
    assert next(a.judgement.verdict for a in accesses if a.judgement.weight == worst) is verdict


def test_one_of_several_conditions_decides_nothing() -> None:
    config = Config(analysis=AnalysisOptions(assume=(("wide", 1),)))
    accesses = [a for a in check([str(CASES)], config).files[0].accesses if a.kernel == "joint"]
    assert {a.judgement.condition for a in accesses} == {"", "a condition holds"}


def test_what_has_no_name_is_told_by_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("""
__global__ void patch(const float* in, float* out, float width, int pitch) {
  unsigned columns = (unsigned)ceilf(width * 1.5f) - (unsigned)floorf(width);
  unsigned x = threadIdx.x % columns, y = threadIdx.x / columns;
  out[threadIdx.x] = in[x + y * pitch];
}
void run(const float* in, float* out, float w, int n) { patch<<<n, 128>>>(in, out, w, n); }
""")
    accesses = check([str(path)], Config()).files[0].accesses
    assert {a.judgement.condition for a in accesses} == {"", "rows have 32 elements or more"}
