"""The tree of a profile: kernel, calls, loops, lines; the same ways as the analysis names."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import Profile, read_profile
from drano.dynamic.profiles.profile_tree import Node, bottom_up, top_down
from drano.dynamic.reports.report import Setting
from drano.dynamic.reports.report_formats import REPORTS
from drano.dynamic.reports.tree_report import render_tree, render_tree_json
from drano.model.settings import AnalysisOptions, Config, View
from drano.output.access_context import kernels_of, scopes
from drano.output.source_lines import Sources
from drano.run.driver import check
from tests.dynamic.profiles.test_profile import profile, site
from tests.output.test_access_context import CODE

CALL = {"path": "/src/a.cu", "line": 9, "column": 3}
LOOP = {"path": "/src/a.cu", "line": 7, "column": 3, "counter": "k", "depth": 0}
INNER = {"path": "/src/a.cu", "line": 1, "column": 3, "counter": "", "depth": 1}
MAIN = """
int main() {
  float *a;
  int *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 10);
  cudaMemset(a, 0, 1 << 20);
  run(a, b, 3);
  return cudaDeviceSynchronize();
}
"""


def loaded(place: Path, sites: list[dict[str, Any]]) -> Profile:
    (place / "p.json").write_text(json.dumps(profile(sites=sites)))
    return read_profile(str(place / "p.json"))


def test_the_tree_adds_up(tmp_path: Path) -> None:
    inner = site(line=2, function="get", inlined_at=[CALL], sectors=100, sectors_ideal=40)
    deeper = site(line=2, function="get", inlined_at=[CALL, CALL], ordinal=3)
    data = loaded(tmp_path, [site(active_lanes=160), inner, deeper, site(executions=0, line=8)])
    root = top_down(data)
    (kernel,) = root.ranked
    assert kernel.label == "kernel add"
    assert kernel.inclusive.excess_bytes == (40 + 60 + 40) * 32
    assert kernel.exclusive.excess_bytes == 40 * 32
    assert kernel.importance == 1.0
    call = kernel.ranked[0]
    assert (call.label, call.inclusive.sectors) == ("call at /src/a.cu:9", 180)
    assert {node.text for node in call.ranked} == {
        "call at /src/a.cu:9", "/src/a.cu:2 in get: load",
    }  # fmt: skip
    own = next(node for node in kernel.ranked if node.text == "/src/a.cu:3: load")
    assert (own.exclusive.efficiency, own.exclusive.active) == (0.5, 0.5)
    assert [node.label for node in bottom_up(data)] == ["get", "add"]
    shown = render_tree(data, 0.0)
    assert shown.index("kernel add") < shown.index("call at") < shown.index("in get")
    assert "instr." not in shown
    assert "note: 3 nodes" in render_tree(data, 1.1)


def test_exclusive_counts_are_of_own_lines(tmp_path: Path) -> None:
    """A function's with its loops, without its calls; a loop's without inner loops and calls."""
    call = {**CALL, "function": "add"}
    sites = [
        site(line=3),
        site(line=4, ordinal=1, loops=[LOOP]),
        site(line=2, ordinal=2, function="get", inlined_at=[call], loops=[LOOP, INNER]),
    ]
    (kernel,) = top_down(loaded(tmp_path, sites)).ranked
    each = 40 * 32
    assert (kernel.inclusive.excess_bytes, kernel.exclusive.excess_bytes) == (3 * each, 2 * each)
    loop = next(node for node in kernel.ranked if node.kind == "loop")
    assert loop.label == "loop over `k` at /src/a.cu:7"
    assert (loop.inclusive.excess_bytes, loop.exclusive.excess_bytes) == (2 * each, each)
    get = next(node for node in loop.ranked if node.kind == "call")
    assert get.label == "get, called at /src/a.cu:9"
    assert get.exclusive.excess_bytes == each
    (inside,) = get.ranked
    assert (inside.label, inside.exclusive.excess_bytes) == ("loop at /src/a.cu:1", each)
    assert [node.label for node in inside.ranked] == ["/src/a.cu:2"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Profile]:
    place = tmp_path_factory.mktemp("tree")
    source = place / "a.cu"
    source.write_text(CODE + MAIN)
    assert compile_main(["--as-written", str(source), "-o", str(place / "program")]) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(place / "p.json")}
    subprocess.run([place / "program"], timeout=60, check=True, env=environment)
    return source, read_profile(str(place / "p.json"))


def ways(node: Node, above: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """The way to each line, as the labels of what is around it without its place."""
    here = (*above, node.label.partition(" at ")[0])
    if node.kind == "line":
        return {node.label.rpartition(":")[2]: above}
    return {line: way for below in node.ranked for line, way in ways(below, here).items()}


@pytest.mark.parametrize("text", ["p[i * 8]", "a[i * 16]", "EACH(m, n) AT"])
def test_ways_are_those_that_the_analysis_names(measured: tuple[Path, Profile], text: str) -> None:
    """Four levels of inlined calls, templates, lambdas, macros, and the loops between them."""
    source, data = measured
    line = next(n for n, row in enumerate(CODE.split("\n"), 1) if text in row)
    report = check([str(source)], Config(analysis=AnalysisOptions(view=View.WRITTEN)))
    finding = next(f for f in report.findings if f.location.span.line == line)
    wanted = tuple(
        scope.text.partition(", ")[0] if scope.kind == "loop" else scope.text
        for scope in scopes(finding, kernels_of(report))
        if scope.kind not in {"launch", "line"}
    )
    found = [ways(kernel).get(str(line)) for kernel in top_down(data).ranked]
    assert wanted in found


def test_a_function_that_recurses_stands_for_itself(measured: tuple[Path, Profile]) -> None:
    root = top_down(measured[1])
    walk = next(node for node in root.ranked if node.label == "function walk")
    assert walk.inclusive.requests == 41
    assert {node.label for node in root.ranked} >= {"kernel deep<4>", "kernel around"}


def test_every_format_has_the_tree(measured: tuple[Path, Profile]) -> None:
    data = measured[1]
    text = render_tree(data, 0.0)
    order = [text.index(word) for word in ("loop over `r`", "four, called", "loop over `j`")]
    assert order == sorted(order)
    tree = json.loads(render_tree_json(data, 0.0))
    shares = [node["importance"] for node in tree["top_down"]]
    assert 0.99 < sum(shares) < 1.01
    page = REPORTS["html"](data, Setting(Sources(), "1"))
    assert page.count("<details") == page.count("</details>") > 8
    assert "two, called at" in page
