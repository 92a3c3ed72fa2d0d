"""Silenced findings and comments that silence nothing, through the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from tests.conftest import Run, report_schema

SOURCE = """\
#include "shared.cuh"
__global__ void k(float* a, float* b, int* flag) {
  a[2 * threadIdx.x] = 0;  // drano: ignore[uncoalesced-access] on purpose
  // NOLINTNEXTLINE(drano-DRN001)
  b[3 * threadIdx.x] = 0;
  // drano: ignore-start[DRN001] generated
  b[4 * threadIdx.x] = 0;
  b[5 * threadIdx.x] = 0;
  // drano: ignore-end[DRN001]
  b[6 * threadIdx.x] = get(a);
}
"""
SHARED = """\
__device__ float get(const float* p) {
  return p[7 * threadIdx.x];  // drano: ignore
}
"""


def results(text: str) -> list[dict[str, object]]:
    (run,) = json.loads(text)["runs"]
    found: list[dict[str, object]] = run["results"]
    return found


def test_silenced_findings_stay_in_the_report_marked(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "shared.cuh").write_text(SHARED)
    outcome = drano(
        "check", "--output-format", "json", "--sarif-output", "a.sarif", "--isolated", "a.cu"
    )
    assert outcome.status == 1
    document = json.loads(outcome.stdout)
    jsonschema.validate(document, report_schema())
    said = {(f["path"], f["line"]): f["suppressed"] for f in document["findings"]}
    assert said == {
        ("a.cu", 3): "on purpose",
        ("a.cu", 5): "",
        ("a.cu", 7): "generated",
        ("a.cu", 8): "generated",
        ("a.cu", 10): None,
        ("shared.cuh", 2): "",
    }
    sarif = results((tmp_path / "a.sarif").read_text())
    assert sum(bool(result["suppressions"]) for result in sarif) == 5
    shown = drano("check", "-q", "--output-format", "concise", "a.cu").stdout
    assert [line.split(":")[1] for line in shown.splitlines()] == ["10"]


def test_silenced_findings_do_not_fail_the_run(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "// drano: ignore-file[DRN] an example\n"
        "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n"
    )
    outcome = drano("check", "a.cu")
    assert (outcome.status, outcome.stdout.startswith("No findings, 1 suppressed: 1 file")) == (
        0,
        True,
    )


UNUSED = """\
__global__ void k(float* a) {
  a[threadIdx.x] = 0;  // drano: ignore[DRN001,DRN004] fine
  a[2 * threadIdx.x] = 0;  // drano: ignore[DRN001, DRN004]
  // drano: ignore
  a[3 * threadIdx.x] = 0;
  // NOLINTNEXTLINE(drano-column-major-access)
  // drano: ignore-start[DRN777]
}
"""


def test_comments_that_silence_nothing_are_findings(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(UNUSED)
    outcome = drano("check", "-q", "--output-format", "concise", "a.cu")
    assert outcome.status == 1
    said = [line.split(":", 3) for line in outcome.stdout.splitlines()]
    found = {int(line): text.strip() for _, line, _, text in said}
    assert found == {
        2: "DRN901 unused suppression `ignore`: no finding of DRN001, DRN004 here",
        3: "DRN901 unused suppression `ignore`: no finding of DRN004 here",
        4: "DRN901 unused suppression `ignore`: no finding of any rule here; to cover the next "
        "line, use `ignore-next-line`",
        5: found[5],
        6: "DRN901 unused suppression `NOLINTNEXTLINE`: no finding of column-major-access here",
        7: "DRN901 unused suppression `ignore-start`: the range is never closed",
    }
    assert found[5].startswith("DRN001")
    every = ("--output-format", "concise", "-q", "a.cu")
    assert "DRN901" not in drano("check", "--ignore", "DRN9", *every).stdout
    # What was not asked cannot be unused.
    selected = drano("check", "--select", "DRN004,DRN901", *every).stdout
    assert "no finding of DRN004 here" in selected
    assert "DRN001" not in selected


def test_a_comment_for_a_rule_that_is_off_by_default_is_not_unused(
    drano: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float* a) {\n"
        "  a[threadIdx.x] = 0;  // drano: ignore[DRN401] for other runs\n"
        "}\n"
    )
    assert "DRN901" not in drano("check", "a.cu").stdout
    assert "no finding of DRN401" in drano("check", "--extend-select", "DRN401", "a.cu").stdout


def test_a_failed_unit_leaves_comments_in_headers_alone(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "h.cuh").write_text("// drano: ignore-file\n")
    (tmp_path / "a.cu").write_text('#include "h.cuh"\n__global__ void k() {}\n')
    (tmp_path / "b.cu").write_text("this is not CUDA\n")
    assert "h.cuh:1:4: DRN901" in drano("check", "--output-format", "concise", "a.cu").stdout
    assert "DRN901" not in drano("check", "--output-format", "concise", "a.cu", "b.cu").stdout
