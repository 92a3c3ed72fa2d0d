"""Loops that end at an array's borders, or go on at its other side: judged by the warps that meet
none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Pattern, Verdict
from drano.model.settings import Config

KERNEL = """
__global__ void k(const float* in, const float* w, float* out, int n, int m, int half, int* ends) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= n) return;
  float sum = 0;
  %s
  out[x] = sum;
}
void go(float* a, int* e, int n) { k<<<n, 128>>>(a, a, a, n, n, n, e); }
"""
ROWS = "for (int i = max(x - 3, 0); i < min(x + 4, n); ++i) sum += in[y * m + i];"
ANY_WIDTH = "for (int i = max(x - half, 0); i <= min(x + half, n - 1); ++i) sum += in[i];"
BRANCHES = """int from = x - 2, to = x + 3;
  if (from < 0) from = 0;
  if (to > n) to = n;
  for (int i = from; i < to; ++i) sum += in[i];"""
COLUMNS = "for (int i = max(x - 3, 0); i < min(x + 4, n); ++i) sum += in[i * m + y];"
CHUNKS = """int from = min(x * half, n), to = min(from + half, n);
  for (int i = from; i < to; ++i) sum += in[i];"""
OF_DATA = "for (int i = min(ends[x], n); i < min(ends[x] + 9, n); ++i) sum += in[i];"
KNOWN = "for (int i = max((x & 31) - 16, 0); i < min((x & 31) + 7, 24); ++i) sum += in[i * 32];"


TAPS = """for (int i = max(0, half - x); i < min(m, n + half - x); ++i)
    sum += in[x + i - half] * w[i];"""
SPREAD_TAPS = """int from = max(0, (half - x + m - 1) / m), to = min(9, (n + half - x + m - 1) / m);
  for (int i = from; i < to; ++i) sum += in[x + i * m - half] * w[i];"""


def loads(directory: Path, body: str, array: str = "in") -> list[Access]:
    source = directory / "a.cu"
    source.write_text(KERNEL % body, encoding="utf-8")
    report = drano.check([str(source)], Config())
    return [a for a in report.files[0].accesses if a.kind == "load" and a.judgement.array == array]


@pytest.mark.parametrize("body", [ROWS, ANY_WIDTH, BRANCHES, TAPS, SPREAD_TAPS])
def test_rows_are_coalesced_away_from_the_borders(tmp_path: Path, body: str) -> None:
    copies = loads(tmp_path, body)
    assert len(copies) > 1
    for access in copies:
        judgement = access.judgement
        assert judgement.verdict is Verdict.COALESCED, judgement
        assert judgement.sectors is not None and judgement.sectors.maximum > 4
    assert any("away from the borders" in access.judgement.condition for access in copies)


@pytest.mark.parametrize("body", [TAPS, SPREAD_TAPS])
def test_taps_of_a_window_are_the_same_for_all_lanes(tmp_path: Path, body: str) -> None:
    patterns = [access.judgement.pattern for access in loads(tmp_path, body, "w")]
    assert patterns.count(Pattern.UNIFORM) >= len(patterns) - 1 > 0


@pytest.mark.parametrize("body", [COLUMNS, CHUNKS])
def test_columns_are_not_but_that_is_not_proved(tmp_path: Path, body: str) -> None:
    copies = loads(tmp_path, body)
    assert sum(access.judgement.possible for access in copies) > len(copies) // 2
    for access in copies:
        judgement = access.judgement
        assert judgement.verdict is Verdict.UNCOALESCED, judgement
        assert judgement.sectors is not None and judgement.sectors.minimum == 1
        assert "away from the borders" in judgement.condition


def test_what_data_choose_stays_unknown(tmp_path: Path) -> None:
    assert {a.judgement.verdict for a in loads(tmp_path, OF_DATA)} == {Verdict.UNKNOWN}


def test_a_small_number_is_no_border(tmp_path: Path) -> None:
    body = "for (int i = 0; i < m; ++i) sum += in[i * 99 + min(x, 3) * m * i];"
    assert all(a.judgement.verdict is not Verdict.UNCOALESCED for a in loads(tmp_path, body))


def test_bounds_that_lanes_are_known_to_meet_hold_them(tmp_path: Path) -> None:
    copies = loads(tmp_path, KNOWN)
    assert copies
    assert not any("borders" in access.judgement.condition for access in copies)


AROUND = [
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s]; s = (s + 4096) % half; }",
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s & half - 1]; s = s + 64 & half - 1; }",
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s]; s += 64; if (s >= half) s -= half; }",
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s]; if (++s == half) s = 0; }",
]
SCATTERED = [
    "unsigned s = x * 2654435761u; for (int j = 0; j < m; ++j) sum += in[s++ & (half - 1)];",
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s]; s = (s * ends[s]) % half; }",
    "int s = x; for (int j = 0; j < m; ++j) { sum += in[s]; if (ends[s]) s = 0; else s += 64; }",
]


@pytest.mark.parametrize("body", AROUND)
def test_lanes_go_around_a_ring_together(tmp_path: Path, body: str) -> None:
    for access in loads(tmp_path, body):
        judgement = access.judgement
        assert judgement.verdict is Verdict.COALESCED, judgement
        assert judgement.sectors is not None and judgement.sectors.maximum > 4
        assert "away from the borders" in judgement.condition or not access.loops


@pytest.mark.parametrize(
    "body",
    [
        "int s = 512 * x; for (int j = 0; j < m; ++j) { sum += in[s]; s = (s + 8) % half; }",
        "int s = 64 * x + n; for (int j = 0; j < m; ++j) { sum += in[s]; s = (s + 16) & 4095; }",
    ],
)
def test_strides_stay_as_they_are_around_a_ring(tmp_path: Path, body: str) -> None:
    for access in loads(tmp_path, body):
        assert access.judgement.verdict is Verdict.UNCOALESCED
        assert access.judgement.possible


@pytest.mark.parametrize("body", SCATTERED)
def test_what_goes_around_by_lanes_of_their_own_is_unknown(tmp_path: Path, body: str) -> None:
    copies = loads(tmp_path, body)
    assert Verdict.UNKNOWN in {access.judgement.verdict for access in copies}
    assert not any("borders" in access.judgement.condition for access in copies)


def test_a_border_is_no_excuse(tmp_path: Path) -> None:
    body = "int s = 512 * x; for (int j = 0; j < m; ++j) { sum += in[s]; s = (s + 8) % half; }"
    source = tmp_path / "a.cu"
    source.write_text(KERNEL % body, encoding="utf-8")
    (finding,) = drano.check([str(source)], Config()).files[0].findings
    assert finding.severity is Severity.NOTE
    assert "possibly uncoalesced" in finding.message
    assert finding.help.startswith("have consecutive threads")


IN_TWO = """
__global__ void k(const float* in, float* out, int w, int h, int r, const int* stop) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int b = max(y - r, 0); b < min(y + r + 1, h); ++b)
    for (int a = max(x - r, 0); a < min(x + r + 1, w); ++a) {
      sum += in[b * w + a];
      %s
    }
  out[y * w + x] = sum;
}
void go(float* a, int* s, int n) { k<<<n, dim3(16, 16)>>>(a, a, n, n, n, s); }
"""


@pytest.mark.parametrize("more", ["", "if (stop[a]) break;", "if (a > x) break;"])
def test_bounds_hold_for_all_warps_of_blocks_with_rows_and_loops_left_apart(
    tmp_path: Path, more: str
) -> None:
    """Lanes of two rows, some beyond the border, at other iterations, or out of the loop."""
    source = tmp_path / "a.cu"
    source.write_text(IN_TWO % more, encoding="utf-8")
    report = drano.check([str(source)], Config())
    accesses = [a for a in report.files[0].accesses if a.judgement.array == "in"]
    assert accesses
    for access in accesses:
        judgement = access.judgement
        assert judgement.sectors is not None
        assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, 32)
        assert judgement.condition or judgement.verdict is Verdict.UNKNOWN
        assert not judgement.flagged
