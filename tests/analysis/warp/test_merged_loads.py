"""Loads of several branches of which nvcc makes one load: checked with the SASS of nvcc 13.0."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.analysis.warp.verdict.by_nvcc import joined_loads
from drano.model.access import Access
from drano.model.judgement import Verdict
from tests.analysis.warp.branching_kernels import accesses

SUMS = """
  const float* f = (const float*)a;
  float y, s = n, w = v;
  if (v > 3) y = w * f[i] + (s - f[n] * 0.13f) + w * b[i];
  else y = 0.19f * f[v] + (s - f[n] * 0.13f) + 2.6f;
  x = y;"""
NEIGHBOURS = "the active lanes are neighbours"
APART = "nvcc does not merge the loads of several branches"


def loads(directory: Path, body: str) -> list[Access]:
    """Those of other arrays than ``d``, in the order of the source."""
    parameters = "const int* a, const int* b, const int* d, int* o"
    found = accesses(directory, parameters, f"int v = d[i], x = 0; {body} o[i] = x;", "load")
    return [access for access in found if access.judgement.array != "d"]


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("if (v > 3) x = a[i] - 3; else x = a[v] - 5;", 32),
        ("if (v > 3) x = a[i] + b[i]; else x = a[v] + b[v];", 32),
        ("if (v > 3) { x = a[i]; o[i + n] = 3; } else { x = a[v]; o[v + n] = 5; }", 32),
        ("if (v > 3) { x = a[i]; x += x * n; x ^= i; } else { x = a[v]; x += x * v; x ^= n; }", 32),
        ("if (v > 3) { x = a[i]; o[v] = x; return; } x = a[v];", 32),
        ("if (v > 3) x = a[i] * 3; else x = a[2] * 5;", 5),
        ("if (v > 3) x = a[i] * n; else x = a[v] * 5;", 32),
        (SUMS, 32),
    ],
)
def test_bounds_are_of_all_branches(tmp_path: Path, body: str, most: int) -> None:
    judgement = loads(tmp_path, body)[0].judgement
    assert judgement.verdict is Verdict.COALESCED
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, most)
    if most > 5:
        assert judgement.condition == f"{NEIGHBOURS} and {APART}"


@pytest.mark.parametrize(
    "body",
    [
        "if (v > 3) x = a[i] + 1; else x = a[v] * 3;",
        "if (v > 3) x = a[i] - v; else x = v - a[v];",
        "if (v > 3) x = ((float*)a)[i]; else x = a[v];",
        "if (v > 3) { x = a[i] + 1; __threadfence(); } else { x = a[v] + 2; __threadfence(); }",
        "if (v > 3) { x = a[i]; o[v] = 3; } else { x = a[v]; }",
        "x = v; if (v > 3) x = a[i];",
    ],
)
def test_what_nvcc_keeps_apart(tmp_path: Path, body: str) -> None:
    judgement = loads(tmp_path, body)[0].judgement
    assert judgement.condition == NEIGHBOURS
    assert judgement.sectors is not None
    assert judgement.sectors.maximum == 4


def test_one_address_in_both_branches(tmp_path: Path) -> None:
    for load in loads(tmp_path, "if (v > 3) x = a[i] - v; else x = a[i] * n;"):
        assert load.judgement.condition == NEIGHBOURS
        assert load.judgement.sectors is not None
        assert load.judgement.sectors.maximum == 4


def test_a_proof_rests_on_it(tmp_path: Path) -> None:
    near, far = loads(tmp_path, "if (threadIdx.x & 8) x = a[i] - 3; else x = a[i * 33] - 5;")
    assert (near.judgement.verdict, near.judgement.condition) == (Verdict.COALESCED, APART)
    assert far.judgement.possible
    assert far.judgement.condition == APART


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("if (threadIdx.x % 32 < 8) x = a[i] - v; else x = a[i] * n;", 4),
        ("if (threadIdx.x % 32 < 8) x = b[n] * a[i] - v; else x = a[i] * n;", 4),
        ("if (threadIdx.x == n) x = a[i] - v; else x = a[i] * n;", 4),
        ("if (threadIdx.x % 32 < 8) { o[n + i] = 3; x = a[i] - v; } else x = a[i] * n;", 3),
    ],
)
def test_loads_of_one_address_before_the_branch(tmp_path: Path, body: str, most: int) -> None:
    first, last = (load.judgement for load in (loads(tmp_path, body)[i] for i in (0, -1)))
    assert last.verdict is Verdict.COALESCED
    assert last.sectors is not None
    assert last.sectors.maximum == most
    if most == 4 and "b[n]" not in body:  # else the first is another, or a request of its own
        assert first.sectors is not None
        assert first.sectors.maximum == most


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("if (v > 3) x = tile[t] - 3; else x = tile[v] - 5;", 32),
        ("if (v > 3) x = tile[t] - 3; else x = tile[t + 32] - 5;", 2),
        ("if (t & 1) x = tile[t] - v; else x = tile[t] * n;", 1),
        ("if (v > 3) x = tile[t] + 1; else x = tile[v] * 3;", 1),
        ("if (t % 32 < 16) x = tile[t * 2] - v; else x = tile[t * 2] * n;", 2),
    ],
)
def test_bank_conflicts(tmp_path: Path, body: str, most: int) -> None:
    shared = "__shared__ int tile[640]; int t = threadIdx.x; tile[t] = i; __syncthreads();"
    found = [a for a in loads(tmp_path, f"{shared} {body}") if a.judgement.wavefronts]
    counts = found[0].judgement.wavefronts
    assert counts is not None
    assert counts.maximum == most
    assert (APART in found[0].judgement.condition) == (most > 1)


def test_branches_with_too_many_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not compared may be one request."""
    monkeypatch.setattr(joined_loads, "_MOST_PAIRS", 2)
    body = "if (v > 3) x = (a[i] + n * 3) * v + 1; else x = (a[v] - n) * v - 2;"
    judgement = loads(tmp_path, body)[0].judgement
    assert judgement.sectors is not None
    assert judgement.sectors.maximum == 32
    assert APART in judgement.condition


@pytest.mark.parametrize("condition", ["n == 1", "v > 3"])
def test_the_ideal_is_that_of_the_fullest_warp(tmp_path: Path, condition: str) -> None:
    body = f"if (i < n) {{ if ({condition}) x = v + a[2 * i]; else x = v - a[2 * i]; }}"
    judgements = [each.judgement for each in loads(tmp_path, body)]
    assert judgements
    assert {each.sectors.ideal for each in judgements if each.sectors is not None} == {4}
