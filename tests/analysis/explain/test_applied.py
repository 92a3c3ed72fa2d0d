"""Advice that is followed: the finding goes. And advice that does not fit is not given."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.finding import Finding
from drano.model.settings import Config
from drano.run.driver import check_unit

ONE_OF_TWO = (
    """\
__global__ void k(const float* x, float* out) {
  int i = 2 * threadIdx.x;
  out[threadIdx.x] = x[i + 0];
}
void f(const float* x, float* out) { k<<<1, 256>>>(x, out); }
""",
    ("take neighbours that are needed, too, in one wider access",),
    """\
__global__ void k(const float* x, float* out) {
  float2 both = reinterpret_cast<const float2*>(x)[threadIdx.x];
  out[threadIdx.x] = both.x * both.y;
}
void f(const float* x, float* out) { k<<<1, 256>>>(x, out); }
""",
)
THREAD_NUMBER = (
    """\
__global__ void k(const float* x, float* out, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  out[row * pitch + threadIdx.y] = x[0];
}
void f(float* x, int n) { k<<<1, dim3(32, 8)>>>(x, x, n); }
""",
    ("use threadIdx.x for `threadIdx.y`", "compute `row`", "from threadIdx.y"),
    """\
__global__ void k(const float* x, float* out, int pitch) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  out[row * pitch + threadIdx.x] = x[0];
}
void f(float* x, int n) { k<<<1, dim3(32, 8)>>>(x, x, n); }
""",
)
ONE_COLUMN = (
    """\
__global__ void k(const float* x, float* out) {
  int i = 2 * (blockDim.y * blockIdx.y + threadIdx.y);
  out[i / 2] = x[i];
}
void f(const float* x, float* out) { k<<<1, dim3(1, 256)>>>(x, out); }
""",
    ("in one wider access",),
    """\
__global__ void k(const float* x, float* out) {
  int i = blockDim.y * blockIdx.y + threadIdx.y;
  float2 both = reinterpret_cast<const float2*>(x)[i];
  out[i] = both.x + both.y;
}
void f(const float* x, float* out) { k<<<1, dim3(1, 256)>>>(x, out); }
""",
)


def findings(place: Path, source: str) -> list[Finding]:
    place.write_text(source)
    report = check_unit(str(place), Config(), None)
    assert not report.diagnostics
    return [finding for finding in report.findings if finding.rule in {"DRN001", "DRN004"}]


@pytest.mark.parametrize(
    ("bad", "said", "good"),
    [ONE_OF_TWO, THREAD_NUMBER, ONE_COLUMN],
    ids=["one of two", "a thread's number", "blocks of one column"],
)
def test_applied_the_finding_goes(
    tmp_path: Path, bad: str, said: tuple[str, ...], good: str
) -> None:
    (finding,) = findings(tmp_path / "bad.cu", bad)
    assert all(words in finding.help for words in said), finding.help
    assert "threads wide" not in finding.help
    assert findings(tmp_path / "good.cu", good) == []
