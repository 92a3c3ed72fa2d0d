"""The way to an access: launch, kernel, calls, loops; in every output."""

from __future__ import annotations

import json

import pytest

from drano.analysis.callers import ways
from drano.ir import model as m
from drano.lsp.answers.diagnostics import related_steps
from drano.model.finding import Finding
from drano.model.report import Report
from drano.model.source_files import sources_of
from drano.output.access_context import kernels_of, scopes
from drano.output.checkout import source_root
from drano.output.formats.html import render_html
from drano.output.formats.json import to_json
from drano.output.formats.sarif import render_sarif
from drano.output.formats.text import TextOptions, render_text
from drano.output.source_lines import Sources
from drano.run.driver import check
from tests.views import AS_WRITTEN

CODE = """\
#define AT(p, i) p[(i) * 32]
#define EACH(i, n) for (int i = 0; i < n; i++)
template <typename T> __device__ T one(const T* p, int i) {
  return p[i * 8];
}
template <typename T> __device__ T two(const T* p, int i, int n) {
  T s = 0;
  for (int j = 0; j < n; j++)
    s += one<T>(p, i + j);
  return s;
}
__device__ float three(const float* p, int i, int n) {
  return two<float>(p, i, n) + 1;
}
__device__ float four(const float* p, int i, int n) {
  return three(p, i, n) * 2;
}
template <int W> __global__ void deep(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < W; r++)
    out[t] += four(in, t * W, n);
}
__device__ int table[9999];
__device__ int walk(int d) {
  table[threadIdx.x * 9] = d;
  return d == 0 ? 0 : walk(d - 1) + 1;
}
__global__ void around(int* out) {
  out[threadIdx.x] = walk(40);
}
__global__ void local(float* a, int n) {
  auto get = [=] __device__ (int i) {
    return a[i * 16];
  };
  for (int k = 0; k < 7; k++)
    a[threadIdx.x] = get(threadIdx.x + k);
  EACH(m, n) AT(a, threadIdx.x + m) = 1;
}
void run(float* a, int* b, int n) {
  deep<4><<<12, 128>>>(a, a, n);
  deep<4><<<13, 128>>>(a, a, n);
  around<<<1, 32>>>(b);
  local<<<1, 64>>>(a, n);
}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    path = tmp_path_factory.mktemp("context") / "a.cu"
    path.write_text(CODE)
    return check([str(path)], AS_WRITTEN)


def found(report: Report, text: str) -> Finding:
    line = next(n for n, row in enumerate(CODE.split("\n"), 1) if text in row)
    return next(f for f in report.findings if f.location.span.line == line)


def levels(report: Report, text: str) -> list[tuple[str, str, int]]:
    path = scopes(found(report, text), kernels_of(report))
    return [(scope.kind, scope.text, scope.span.line if scope.span else 0) for scope in path]


def test_four_levels_of_inlined_templates_and_the_loops_between_them(report: Report) -> None:
    assert levels(report, "p[i * 8]") == [
        ("launch", "launched, and 1 more", 40),
        ("kernel", "kernel deep<4>", 18),
        ("loop", "loop over `r`, 4 times", 20),
        ("call", "four, called", 21),
        ("call", "three, called", 16),
        ("call", "two, called", 13),
        ("loop", "loop over `j`, n times", 8),
        ("call", "one, called", 9),
        ("line", "p[i * 8]", 4),
    ]


def test_recursion_has_the_way_from_its_kernel(report: Report) -> None:
    assert levels(report, "table[threadIdx.x * 9]") == [
        ("launch", "launched", 42),
        ("kernel", "kernel around", 28),
        ("call", "walk (recursive), called", 29),
        ("line", "table[threadIdx.x * 9]", 25),
    ]


def test_lambdas_and_macros(report: Report) -> None:
    assert levels(report, "a[i * 16]")[2:] == [
        ("loop", "loop over `k`, 7 times", 35),
        ("call", "lambda, called", 36),
        ("line", "a[i * 16]", 33),
    ]
    assert levels(report, "EACH(m, n) AT")[2:-1] == [("loop", "loop over `m`, n times", 37)]


def test_every_output_shows_it(report: Report) -> None:
    sources, root = Sources(among=sources_of(report.files)), source_root([report.files[0].path])
    text = render_text(report, sources, TextOptions(verbose=True))
    assert "= path: launched, and 1 more at " in text
    order = [text.index(word) for word in ("four, called", "loop over `j`", "one, called")]
    assert order == sorted(order)
    (finding,) = [f for f in to_json(report)["findings"] if f["line"] == 4]
    assert [level["kind"] for level in finding["context"]].count("call") == 4
    log = json.loads(render_sarif(report, sources, root))
    results = log["runs"][0]["results"]
    (result,) = [
        r for r in results if r["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    ]
    flows = result["codeFlows"][-1]["threadFlows"][0]["locations"]
    assert [flow.get("nestingLevel", 0) for flow in flows] == list(range(9))
    names = [place["fullyQualifiedName"] for place in result["locations"][0]["logicalLocations"]]
    assert names[-1].endswith("two/loop over `j`, n times/one")
    page = render_html(report, sources, root)
    assert page.count("<li>loop over") >= 3
    steps = [step.text for step in related_steps(found(report, "p[i * 8]"))]
    assert "in a loop over `j`, n times" in steps


@pytest.mark.parametrize(
    ("text", "calls", "loops", "name"),
    [
        ("p[i * 8]", ["four", "three", "two", "one"], ["r", "j"], "two/loop over `j`, n times/one"),
        ("table[threadIdx.x * 9]", ["walk (recursive)"], [], "around/walk (recursive)"),
        ("a[i * 16]", ["lambda"], ["k"], "local/loop over `k`, 7 times/lambda"),
        ("EACH(m, n) AT", [], ["m"], "local/loop over `m`, n times"),
    ],
    ids=["four inlined templates", "recursion", "lambda", "macro"],
)
def test_each_kind_of_path_in_each_output(
    report: Report, text: str, calls: list[str], loops: list[str], name: str
) -> None:
    sources, root = Sources(among=sources_of(report.files)), source_root([report.files[0].path])
    finding = found(report, text)
    path = levels(report, text)
    said = [level for _, level, _ in path]
    assert [level.removesuffix(", called") for kind, level, _ in path if kind == "call"] == calls
    assert [level.split("`")[1] for kind, level, _ in path if kind == "loop"] == loops
    # Text: one line below the other, each further in.
    page = render_text(report, sources, TextOptions(verbose=True))
    place = page[page.index(f"a.cu:{finding.location.span.line}:") :]
    lines = place[place.index("= path: ") + len("= path: ") :].split("\n")[: len(path)]
    assert [line.strip().split(" at ")[0] for line in lines] == said
    # SARIF: the flow's levels, functions' names as they are, and the innermost scope's name.
    log = json.loads(render_sarif(report, sources, root))
    (result,) = [
        result
        for result in log["runs"][0]["results"]
        if result["locations"][0]["physicalLocation"]["region"]["startLine"]
        == finding.location.span.line
    ]
    flow = result["codeFlows"][-1]["threadFlows"][0]["locations"]
    messages = [step["location"]["message"]["text"].removesuffix(".") for step in flow]
    assert [message.lower() for message in messages] == [level.lower() for level in said]
    assert [m.removesuffix(", called") for m in messages if m.endswith(", called")] == calls
    names = result["locations"][0]["logicalLocations"]
    assert names[-1]["fullyQualifiedName"].endswith(name)
    # HTML: a list in a list for each level.
    html = render_html(report, sources, root)
    tree = html[html.index(f'<a href="#f1L{finding.location.span.line}">') :]
    tree = tree[tree.index('<div class="tree">') : tree.index("</div>", tree.index("tree"))]
    assert tree.count("<ul><li>") == len(path)
    assert all(f"<li>{call}, called" in tree for call in calls)
    assert all(f"loop over <code>{loop}</code>" in tree for loop in loops)
    # Editors: innermost first, the calls by who makes them.
    steps = [step.text for step in related_steps(finding)]
    assert sum(step.startswith("called by ") for step in steps) == len(calls)
    own = [step for step in steps if step.startswith("in a loop over ")]
    assert [step.split("`")[1] for step in own] == loops[::-1]


def test_a_module_without_calls_has_no_ways() -> None:
    assert ways(m.Module("a.cu", {}, {}, {})) == {}
