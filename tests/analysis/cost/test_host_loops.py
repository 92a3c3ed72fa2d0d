"""Loops of the host around launches, from source to cost and path."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Basis, Cost
from drano.model.report import Report
from drano.model.settings import AnalysisOptions, Config
from drano.output.access_context import kernels_of, scopes
from drano.output.cost_text import formula, taken
from drano.output.formats.text import TextOptions, render_text
from drano.output.source_lines import Sources
from drano.run.driver import check

CODE = """\
template <int N> __global__ void k(float *a) { a[threadIdx.x * N] = 1; }
__global__ void red(float *a, int n) { a[threadIdx.x * 8 + n] = 1; }
__global__ void many(float *a) { a[threadIdx.x * 8] = 1; }
static void step(float *a) { k<8><<<10, 64>>>(a); }
void host(float *a, int iterations, int rows, bool go) {
  for (int i = 0; i < iterations; i++) step(a);
  for (int t = 0; t < 6; t += 2) for (int u = 1; u <= rows; u++) k<16><<<10, 64>>>(a);
  while (go) k<32><<<10, 64>>>(a);
  for (unsigned turn = 0; turn < 0xFFFFFFFF; ++turn) { k<64><<<10, 64>>>(a); if (go) break; }
  k<4><<<10, 64>>>(a);
  for (int i = 0; i < 5; i++) k<4><<<10, 64>>>(a);
  while (rows > 1) { int b = (rows + 255) / 256; red<<<b, 64>>>(a, rows); rows = b; }
  for (int i = 0; i < iterations; i++) { many<<<3, 64>>>(a); many<<<dim3(4, 5), 64>>>(a); }
}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("host") / "a.cu"
    path.write_text(CODE)
    return path


@pytest.fixture(scope="module")
def report(place: Path) -> Report:
    return check([str(place)], Config())


def cost_of(report: Report, kernel: str) -> Cost:
    (access,) = (a for a in report.files[0].accesses if a.kernel == kernel)
    assert access.cost is not None
    return access.cost


@pytest.mark.parametrize(
    ("kernel", "expected", "said"),
    [
        ("k<8>", "iterations·10·2·28 sectors", "iterations = 100"),
        ("k<16>", "3·rows·10·2·28 sectors", "rows = 100"),
        ("k<32>", "32·10·2·28 sectors", "32 for the host loop"),
        ("k<64>", "32·10·2·28 sectors", "32 for the host loop over `turn`"),
        ("k<4>", "6·10·2·12 sectors", ""),
        ("red", "gridDim.x·2·28 sectors", "gridDim.x = 16"),
        ("many", "iterations·23·2·28 sectors", "iterations = 100"),
    ],
)
def test_launches_count_as_often_as_their_loops(
    report: Report, kernel: str, expected: str, said: str
) -> None:
    cost = cost_of(report, kernel)
    assert (formula(cost), taken(cost)) == (expected, said)


def test_assumptions_hold_for_the_hosts_names(place: Path) -> None:
    options = AnalysisOptions(assume=(("iterations", 7.0),))
    cost = cost_of(check([str(place)], Config(analysis=options)), "k<8>")
    assert (cost.executions, taken(cost)) == (7 * 10 * 2, "")
    assert cost.factors[0].what == "host loop over `i`"
    assert cost.factors[0].basis is Basis.SYMBOLIC


def test_the_path_begins_with_the_hosts_loops(report: Report) -> None:
    kernels = kernels_of(report)
    found = next(f for f in report.findings if f.access and f.access.kernel == "k<16>")
    said = [
        (scope.kind, scope.text, scope.span and scope.span.line) for scope in scopes(found, kernels)
    ]
    assert said[:3] == [
        ("repeat", "host loop over `t`, 3 times", 7),
        ("repeat", "host loop over `u`, rows times", 7),
        ("launch", "launched", 7),
    ]
    shown = render_text(report, Sources(), TextOptions(verbose=True))
    assert "host loop over `i`, iterations times" in shown
