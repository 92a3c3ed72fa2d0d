"""Runs of lanes that start somewhere in a sector: decided by what is likely, and never proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.judgement import Judgement, Pattern, Verdict
from drano.model.settings import AnalysisOptions, Config

BLOCKS = """
struct q8 { unsigned short d; unsigned char qs[32]; };
__global__ void k(unsigned char* out, const q8* x, int n) {
  int b = blockIdx.x * n, i = threadIdx.x;
  out[blockIdx.x * 32 + i] = x[b].qs[i];
}
void go(unsigned char* out, const q8* x, int n) { k<<<1, 32>>>(out, x, n); }
"""
SHORT = """
struct q2 { unsigned char scales[16], qs[64]; unsigned d; };
__global__ void k(unsigned char* out, const q2* x) {
  int b = blockIdx.x, i = threadIdx.x;
  out[blockIdx.x * 32 + i] = x[b].scales[i / 4];
}
void go(unsigned char* out, const q2* x) { k<<<9, 32>>>(out, x); }
"""
BORDER = """
__global__ void k(float* out, const float* in, int w, int border) {
  int x = threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * 1024 + x] = in[y * w + x - border];
}
void go(float* out, const float* in, int w, int b) { k<<<1, dim3(16, 16)>>>(out, in, w, b); }
"""
MOVED = """
__global__ void k(short* out, const short* in) { out[threadIdx.x] = in[threadIdx.x]; }
void go(short* out, const short* in, int n) { k<<<1, 64>>>(out, in + 2 * n + 1); }
"""


def load_of(directory: Path, text: str, **assume: float) -> Judgement:
    source = directory / "a.cu"
    source.write_text(text, encoding="utf-8")
    options = AnalysisOptions(assume=tuple(assume.items()))
    report = drano.check([str(source)], Config(analysis=options))
    (load,) = [access for access in report.files[0].accesses if access.kind == "load"]
    return load.judgement


@pytest.mark.parametrize(
    "text, bounds, condition",
    [
        (BLOCKS, (1, 2, 1), "runs start inside a sector"),
        (MOVED, (2, 3, 2), "runs start inside a sector"),
        (BORDER, (2, 8, 4), "(w % 8 != 0 or border % 8 != 0)"),
    ],
)
def test_what_is_likely_decides(
    tmp_path: Path, text: str, bounds: tuple[int, int, int], condition: str
) -> None:
    found = load_of(tmp_path, text)
    assert (found.verdict, found.pattern) == (Verdict.UNCOALESCED, Pattern.UNKNOWN_START)
    assert found.possible
    assert found.condition == condition
    assert found.sectors is not None
    assert (found.sectors.minimum, found.sectors.maximum, found.sectors.ideal) == bounds


def test_short_runs_stay_within_a_sector_at_most_starts(tmp_path: Path) -> None:
    found = load_of(tmp_path, SHORT)
    assert (found.verdict, found.pattern) == (Verdict.COALESCED, Pattern.UNKNOWN_START)
    assert found.sectors is not None
    assert (found.sectors.minimum, found.sectors.maximum, found.sectors.expected) == (1, 2, 1)
    assert not drano.check([str(tmp_path / "a.cu")], Config()).findings


def test_sizes_that_are_assumed_decide(tmp_path: Path) -> None:
    fine = load_of(tmp_path, BORDER, w=64, border=8)
    assert (fine.verdict, fine.condition) == (Verdict.COALESCED, "")
    odd = load_of(tmp_path, BORDER, w=63)
    assert odd.possible
    assert "`w` is assumed to be 63, no multiple of 8" in odd.reason


def test_there_is_one_finding_of_it(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(MOVED, encoding="utf-8")
    (finding,) = drano.check([str(source)], Config()).findings
    assert finding.rule == "DRN002"
    assert finding.message.endswith("; if runs start inside a sector")
