"""Loops that nvcc splits at a number of each lane's: lanes are at different iterations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import drano
from drano.analysis.access_sites import memory_sites
from drano.analysis.points_to import Spaces
from drano.analysis.warp import also_by_nvcc, judge
from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.settings import Config
from tests.analysis.warp.fuzz.harness import analysed, read

WHOLE = "nvcc does not split the loop"


def accesses(directory: Path, body: str, more: str = "") -> list[Access]:
    """Of a kernel in blocks of 256 threads, those in its loop: of arrays ``a`` and ``shared``."""
    source = directory / "a.cu"
    source.write_text(
        f"""
__global__ void k(const float* __restrict__ a, const int* __restrict__ d,
                  float* __restrict__ o, int n, int m) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  {more}
  #pragma unroll 1
  for (int j = 0; j < n; j++) {{ {body} }}
  o[i] = s;
}}
void go(float* a, int* d, float* o, int n, int m) {{ k<<<n, 256>>>(a, d, o, n, m); }}
""",
        encoding="utf-8",
    )
    report = drano.check([str(source)], Config())
    found = report.files[0].accesses
    return [each for each in found if each.judgement.array in {"a", "shared"}]


@pytest.mark.parametrize(
    "body",
    [
        "if (j != i) s += a[j];",
        "if (j == i) continue; s += a[j];",
        "if (j > i) s += a[j];",
        "if (i <= j) s += a[j];",
        "if (j - i > 0) s += a[j];",
        "if (j != i && a[j] > 0) s += a[j];",
        "if (j != threadIdx.x % 32) s += a[j];",
        "if (j < i) s += d[j]; else s -= a[j];",
        "if (j == i) o[n + i] = s; s += a[j];",
        "if (j != i) s += a[j]; __syncwarp();",
    ],
)
def test_what_lanes_have_in_common_in_an_iteration_is_not_proved(tmp_path: Path, body: str) -> None:
    for access in accesses(tmp_path, body):
        found = access.judgement
        assert found.verdict is Verdict.COALESCED
        assert found.condition == WHOLE
        assert found.sectors is not None
        assert (found.sectors.minimum, found.sectors.maximum) == (1, 32)


@pytest.mark.parametrize(
    "body",
    [
        "if (j < i) s += a[j]; s += d[j];",  # before the split
        "if (i > j) s += a[j]; else s -= d[j];",
        "if (j >= i) s += d[j]; else s -= a[j];",
        "if (threadIdx.x * 64 + j < m) s += a[j];",
        "if (j != m) s += a[j];",  # the same number for all lanes
        "if (d[i] > 3) s += a[j];",  # nothing of the counter
        "if (d[j] > i) s += a[j];",
        "if (j != i) s += d[j]; __syncthreads(); s += a[j];",
    ],
)
def test_other_loops_stay_whole(tmp_path: Path, body: str) -> None:
    for access in accesses(tmp_path, body):
        assert access.judgement.verdict is Verdict.COALESCED
        assert access.judgement.condition == ""
        assert access.judgement.sectors is not None
        assert access.judgement.sectors.maximum == 1


def test_a_split_before_the_last_counts(tmp_path: Path) -> None:
    body = "if (j < i) if (j != t) s += a[j];"
    (access,) = accesses(tmp_path, body, "int t = d[i];")
    assert access.judgement.condition == WHOLE


def test_copies_of_an_unrolled_loop_are_one(tmp_path: Path) -> None:
    body = "} for (int j = 0; j < n; j++) { if (j < i) s += a[j];"
    for access in accesses(tmp_path, body):
        assert access.judgement.verdict is Verdict.COALESCED
        assert access.judgement.condition == ""


def test_what_is_the_same_in_all_iterations_stays_proved(tmp_path: Path) -> None:
    (access,) = accesses(tmp_path, "if (j != i) o[i * 9 + n] = s += ((volatile float*)a)[i * 9];")
    assert access.judgement.flagged
    assert access.judgement.condition == ""


def test_lanes_that_data_choose_may_be_few(tmp_path: Path) -> None:
    body = "if (j != i && d[j] > s) s += ((volatile float*)a)[i * 9];"
    (access,) = accesses(tmp_path, body, "s = d[i];")
    assert access.judgement.possible
    assert access.judgement.condition == f"several lanes are active and {WHOLE}"


def test_shared_memory(tmp_path: Path) -> None:
    more = "__shared__ float shared[999]; shared[threadIdx.x] = i; __syncthreads();"
    found = accesses(tmp_path, "if (j != i) s += shared[j];", more)
    judgement = next(each.judgement for each in found if each.kind == "load")
    assert judgement.wavefronts is not None
    assert judgement.wavefronts.maximum > 1
    assert judgement.condition == WHOLE


KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @kernel(ptr %p, i32 %n) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %go = icmp {relation} i32 %j, %tid
  br i1 %go, label %here, label %latch
here:
  %row = mul i32 %tid, {row}
  %column = mul i32 %j, {column}
  %index = add i32 %row, %column
  %place = getelementptr i32, ptr %p, i32 %index
  store i32 0, ptr %place, align 4
  br label %latch
latch:
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %done
done:
  ret void
}}
"""
RELATIONS = {
    "ne": np.not_equal, "eq": np.equal, "slt": np.less, "sge": np.greater_equal, "ugt": np.greater,
}  # fmt: skip


@given(
    relation=st.sampled_from(sorted(RELATIONS)),
    row=st.integers(0, 12),
    column=st.integers(0, 12),
    at=st.lists(st.integers(0, 40), min_size=32, max_size=32),
    on=st.lists(st.booleans(), min_size=32, max_size=32),
)
def test_bounds_hold_for_lanes_in_any_iterations(
    relation: str, row: int, column: int, at: list[int], on: list[bool]
) -> None:
    lanes, iterations = np.arange(32), np.array(at)
    if relation == "slt":
        iterations[:] = at[0]  # before the split
    mask = RELATIONS[relation](iterations, lanes) & np.array(on)
    assume(mask.any())
    text = KERNEL.format(relation=relation, row=row, column=column)
    case = analysed(read(text), (32, 1, 1))
    (site,) = memory_sites(case.function)
    said = judge(case.run, site, Spaces(case.run.module))
    assert said is not None
    found = also_by_nvcc(case.run, site, said)
    assert found.sectors is not None
    touched = len(set((lanes * row + iterations * column)[mask] * 4 // 32))
    assert found.sectors.minimum <= touched <= found.sectors.maximum
