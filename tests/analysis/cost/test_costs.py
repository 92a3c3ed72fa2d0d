"""Formulas, values and factors of costs, from source to report."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.analysis.cost import amounts, defaults
from drano.model.access import Basis, Cost
from drano.model.report import Report
from drano.model.settings import AnalysisOptions, Config, Domain, View
from drano.output import cost_text
from drano.output.cost_text import costliest, formula, taken
from drano.output.entries import cost_class, entries_of
from drano.run.driver import check
from tests.views import AS_WRITTEN

CODE = """\
__global__ void symbolic(float *a, const float *b, int n, int rows) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (int r = 0; r < rows; r++) a[t * rows + r] = b[t];
}
__global__ void exact(float *a) {
  for (int i = 3; i <= 21; i += 2) a[threadIdx.x * 64 + i] = 1;
  for (int s = 128; s > 0; s >>= 1) a[threadIdx.x * 32 + s] = 2;
  for (int k = 63; k >= 0; --k) if (threadIdx.x == 0) a[blockIdx.x * 999 + k] = 3;
  if (threadIdx.x < 32) a[threadIdx.x * 8] = 4;
}
__global__ void open(float *a, const int *end, int n, int *flag) {
  for (int i = 0; i < end[threadIdx.x]; i++) a[threadIdx.x * 9 + i] = 1;
  while (*(volatile int *)flag) a[threadIdx.x * 8] = 2;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) a[threadIdx.x * n + j] = 3;
  if (n == 7) a[threadIdx.x * 8 + 1] = 4;
}
__global__ void strided(float *a, int n, int stride) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i * stride] = 1;
}
__global__ void twice(float *a) { a[threadIdx.x * 8 + blockIdx.x] = 1; }
struct Wide { double x, y, z, v; };
__global__ void copied(Wide *a, const Wide *b, int n) {
  for (int i = 0; i < n; i++) a[threadIdx.x] = b[threadIdx.x + i];
}
__global__ void kept(float *a, const float *b, int n) {
  for (int i = 0; i < n; i++) a[threadIdx.x * 8] += b[i];
  for (int i = 0; i < n; i++) { a[threadIdx.x * 16] += 1; a[threadIdx.x * 16 + 8] *= 2; }
}
__global__ void once(float *a, const int *b, int rows, int last) {
  int t = threadIdx.x * 8;
  for (int r = 0; r < rows; r++) {
    if (r == 0) a[threadIdx.x * 8] = b[r];
    for (int j = 0; j < last; j++) if (rows == j) a[threadIdx.x * 8 + rows] = b[j];
    if (t == r) a[threadIdx.x * 8 + last] = b[r + 1];
  }
}
__global__ void halved(float *a, int n) {
  for (int s = n; s > 0; s >>= 1) a[threadIdx.x * 32 + s] = 2;
  for (int i = 0; i < 0x7fffffff; i++) { a[threadIdx.x * 32 + i] = 2; if (a[i] > n) break; }
}
void launch(float *a, int *e, int n, int blocks) {
  halved<<<10, 32>>>(a, n);
  symbolic<<<blocks, 128>>>(a, a, n, n);
  exact<<<10, 256>>>(a);
  open<<<10, 32>>>(a, e, n, e);
  strided<<<64, 128>>>(a, n, n);
  kept<<<1, 32>>>(a, a, n);
  once<<<1, 32>>>(a, e, n, blocks);
  twice<<<12, 64>>>(a);
  twice<<<dim3(3, 4), 64>>>(a);
}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cost") / "a.cu"
    path.write_text(CODE)
    return path


@pytest.fixture(scope="module")
def report(place: Path) -> Report:
    return check([str(place)], AS_WRITTEN)


def cost_of(report: Report, text: str) -> Cost:
    """Of the store, load and store by ``+=`` alike, that stands in the line with ``text``."""
    line = next(n for n, row in enumerate(CODE.split("\n"), 1) if text in row)
    found = [a.cost for a in report.files[0].accesses if a.location.span.line == line and a.cost]
    return found[-1]


def test_the_formula_is_in_the_names_of_the_source(report: Report) -> None:
    cost = cost_of(report, "a[t * rows + r]")
    assert formula(cost) == "(n/32)·rows·28 sectors"
    assert taken(cost) == "n = 1024, rows = 1024"
    assert {factor.basis for factor in cost.factors} == {Basis.SYMBOLIC}
    assert cost.executions == 32 * 1024


def test_sums_are_in_brackets_where_they_are_multiplied(report: Report) -> None:
    cost = next(
        a.cost
        for a in report.files[0].accesses
        if a.kernel == "halved" and a.cost and "log2" in formula(a.cost)
    )
    assert formula(cost) == "10·(log2(n) + 1)·28 sectors"


def test_a_limit_that_no_loop_comes_to_is_no_count(report: Report) -> None:
    assert "32 for the loop" in taken(cost_of(report, "i < 0x7fffffff"))


def test_assumptions_are_used_and_no_more_said(place: Path) -> None:
    options = AnalysisOptions(assume=(("n", 4096.0), ("rows", 10.0)), view=View.WRITTEN)
    cost = cost_of(check([str(place)], Config(analysis=options)), "a[t * rows + r]")
    assert taken(cost) == ""
    assert cost.excess_bytes == 28 * 32 * (4096 / 32) * 10


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("a[threadIdx.x * 64 + i]", [10, 8, 10]),
        ("a[threadIdx.x * 32 + s]", [10, 8, 8]),
        ("if (threadIdx.x < 32)", [10]),
    ],
)
def test_known_loops_and_launches_are_exact(report: Report, text: str, factors: list[int]) -> None:
    cost = cost_of(report, text)
    assert [factor.value for factor in cost.factors] == factors
    assert {factor.basis for factor in cost.factors} == {Basis.EXACT}


def test_one_lane_has_no_excess(report: Report) -> None:
    with pytest.raises(IndexError):
        cost_of(report, "a[blockIdx.x * 999 + k]")


def test_what_is_not_known_is_said(report: Report) -> None:
    data = cost_of(report, "a[threadIdx.x * 9 + i]")
    assert data.factors[-1].basis is Basis.ASSUMED
    assert data.factors[-1].value == defaults.trips(1)
    waiting = cost_of(report, "(volatile int *)flag")
    assert "32 for the loop" in taken(waiting)
    rare = cost_of(report, "if (n == 7)")
    assert (rare.factors[-1].value, rare.factors[-1].basis) == (defaults.EQUAL, Basis.ASSUMED)
    assert rare.factors[-1].named == "branch in line 17"


def test_a_counter_of_a_loop_around_counts_as_its_mean(report: Report) -> None:
    cost = cost_of(report, "a[threadIdx.x * n + j]")
    assert formula(cost) == "10·n·(n - i - 1)·28 sectors"
    assert [factor.value for factor in cost.factors] == [10, 1024, 511]


def test_a_grid_stride_loop_is_shared_by_all_blocks(report: Report) -> None:
    cost = cost_of(report, "a[i * stride]")
    assert formula(cost) == "64·4·(n/8192)·14 sectors"


def test_what_stays_in_a_register_is_executed_once(report: Report) -> None:
    assert formula(cost_of(report, "+= b[i]")) == "n·28 sectors"  # b may overlap a
    assert formula(cost_of(report, "a[threadIdx.x * 16 + 8]")) == "28 sectors"


def test_a_copy_of_a_structure_is_several_requests(report: Report) -> None:
    """A copy of 32 bytes by 8: each of its four requests touches all of the lanes' sectors."""
    costs_ = [a.cost for a in report.files[0].accesses if a.kernel == "copied"]
    parts = [[f.value for f in c.factors if f.what == "requests of a copy"] for c in costs_ if c]
    assert parts == [[4.0]] * len(parts)
    assert parts


def test_blocks_of_launches_with_known_grids_add_up(report: Report) -> None:
    (found,) = [a.cost for a in report.files[0].accesses if a.kernel == "twice"]
    assert found is not None
    assert [(f.what, f.value) for f in found.factors] == [
        ("blocks of all launches", 24.0), ("warps of a block", 2.0),
    ]  # fmt: skip


def test_the_order_follows_the_cost(report: Report) -> None:
    entries = entries_of(report.findings)
    classes = [cost_class(entry.excess_bytes) for entry in entries]
    warnings = [str(entry.severity) for entry in entries].count("warning")
    assert classes[:warnings] == sorted(classes[:warnings], reverse=True)
    first = {id(finding) for entry in entries[:2] for finding in entry.findings}
    assert {id(finding) for finding in costliest(report, 2).findings} == first


def test_what_is_entered_once_is_not_multiplied_by_its_loop(report: Report) -> None:
    assert formula(cost_of(report, "if (r == 0)")) == "28 sectors"
    assert formula(cost_of(report, "if (rows == j)")) == "rows·28 sectors"
    each = cost_of(report, "if (t == r)")  # one lane each time, the warp comes by for each
    assert [factor.text for factor in each.factors] == ["rows"]


def test_the_papers_domain_has_costs_by_structure(place: Path) -> None:
    options = AnalysisOptions(domain=Domain.GPUDRANO)
    cost = cost_of(check([str(place)], Config(analysis=options)), "a[t * rows + r]")
    assert formula(cost) == "gridDim.x·(blockDim.x/32)·rows·28 sectors"


def test_doctests() -> None:
    for module in (amounts, defaults, cost_text):
        assert doctest.testmod(module).failed == 0


def test_what_is_only_subtracted_is_a_border_and_moves_rows_off_their_sectors(
    tmp_path: Path,
) -> None:
    source = tmp_path / "b.cu"
    source.write_text(
        "__global__ void k(float *a, const float *b, int border, int n, int offset) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  a[i] = b[i - border];\n"
        "  a[i + offset] = 1;\n"
        "  for (int row = 1; row < 9; row++) a[row * n + i] = b[row * n - n + i];\n"
        "}\n"
        "void l(float *a, int n) { k<<<10, 256>>>(a, a, n, n, n); }\n"
    )
    accesses = check([str(source)], AS_WRITTEN).files[0].accesses
    expected = {
        (a.location.span.line, a.kind.value): a.judgement.sectors.expected
        for a in accesses
        if a.judgement.sectors
    }
    assert expected == {
        (3, "load"): 5.0, (3, "store"): 4.0, (4, "store"): 4.0, (5, "load"): 4.0, (5, "store"): 4.0,
    }  # fmt: skip


def test_a_stride_that_may_be_one_costs_half_of_the_worst_case(tmp_path: Path) -> None:
    source = tmp_path / "s.cu"
    source.write_text(
        "__global__ void k(float *x, float *a, int incx, int n) {\n"
        "  int i = blockIdx.x * 32 + threadIdx.x;\n"
        "  x[i * incx] = 1;\n"
        "  for (int j = 0; j < n; j++) a[i * n + j] = 1;\n"
        "}\n"
        "void l(float *a, int n) { k<<<10, 32>>>(a, a, n, n); }\n"
    )
    accesses = check([str(source)], AS_WRITTEN).files[0].accesses
    costs_by_line = {a.location.span.line: a.cost for a in accesses}
    stride, length = costs_by_line[3], costs_by_line[4]
    assert stride is not None
    assert length is not None
    assert (stride.sectors, length.sectors) == (14.0, 28.0)
    assert "half of the worst case" in taken(stride)


def test_counts_that_hang_on_each_other_through_many_loops_are_given_up(tmp_path: Path) -> None:
    depth = 36
    heads = "\n".join(
        f"for (int i{k} = x; i{k} < n; i{k} += y) {{ x += a[i{k} * y + x]; y ^= x + i{k};"
        for k in range(depth)
    )
    source = tmp_path / "deep.cu"
    source.write_text(
        "__global__ void k(int *a, int n) {\n  int x = threadIdx.x, y = 1;\n"
        f"{heads}\n{'}' * depth}\n  a[x] = y;\n}}\n"
    )
    file = check([str(source)], AS_WRITTEN).files[0]
    assert file.diagnostics == ()
    assert len(file.accesses) == depth + 1
    assert all(access.cost is not None for access in file.accesses)
