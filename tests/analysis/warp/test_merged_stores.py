"""Stores of several branches to different elements, of which nvcc makes one store."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.settings import Config
from tests.analysis.warp.branching_kernels import accesses

NEIGHBOURS = "the active lanes are neighbours"
APART = "nvcc does not merge the stores of several branches"


def stores(directory: Path, body: str) -> list[Access]:
    parameters = "const int* a, const int* b, int* o, int* p"
    return accesses(directory, parameters, f"int v = a[i]; {body}", "store")


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("if (v > 3) o[i] = 5; else o[v] = 5;", 32),
        ("if (v > 3) o[i] = v; else o[i + 32] = v;", 8),
        ("if (v > 3) o[i] = v * v; else o[v] = v * 3;", 32),
        ("if (v > 3) { o[i] = v; p[i] = 3; } else { o[v] = v; p[v] = 3; }", 32),
        ("if (v > 3) { o[i] = 5; v = b[v]; } else o[v] = 5; if (b[v]) p[v] = 2;", 32),
        ("switch (v) { case 0: o[i] = 5; break; case 1: o[n] = 5; break; }", 5),
    ],
)
def test_bounds_are_of_all_branches(tmp_path: Path, body: str, most: int) -> None:
    judgement = stores(tmp_path, body)[0].judgement
    assert judgement.verdict is Verdict.COALESCED
    assert judgement.condition.startswith(NEIGHBOURS)
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, most)


def test_pointers_that_each_branch_loads_may_be_one(tmp_path: Path) -> None:
    """As in Rodinia's heartwall, where an H200 made one store of these."""
    source = tmp_path / "a.cu"
    source.write_text(
        """
struct Unique { float* mask; };
__global__ void k(Unique* u, int n, int place) {
  for (int e = threadIdx.x; e < n; e += 256)
    if (e == place) u[blockIdx.x].mask[e] = 1; else u[blockIdx.x].mask[e] = 0;
}
void go(Unique* u, int n) { k<<<n, 256>>>(u, n, 3); }
""",
        encoding="utf-8",
    )
    report = drano.check([str(source)], Config())
    first = next(a for a in report.files[0].accesses if a.kind == "store")
    assert first.judgement.sectors is not None
    assert first.judgement.sectors.maximum >= 5
    assert APART in first.judgement.condition


@pytest.mark.parametrize(
    "body",
    [
        "if (v > 3) o[i] = 5; else p[v] = 5;",
        "if (v > 3) o[i] = 1; else o[v] = 2;",
        "if (v > 3) o[i] = v + n; else o[v] = i + 3;",
        "if (v > 3) o[i] = a[i + 64]; else o[v] = b[v];",
        "if (v > 3) o[i] = 5; if (v > 7) o[v] = 5;",
        "if (n > 3) o[i] = 5; else o[v] = 5;",
        "if (v > 3) { o[i] = 5; __threadfence(); } else { o[v] = 5; __threadfence(); }",
    ],
)
def test_what_nvcc_keeps_apart(tmp_path: Path, body: str) -> None:
    judgement = stores(tmp_path, body)[0].judgement
    assert judgement.condition in {"", NEIGHBOURS}
    assert judgement.sectors is not None
    assert judgement.sectors.maximum == 4


def test_a_proof_rests_on_it(tmp_path: Path) -> None:
    body = "if (threadIdx.x < 40) o[i] = v; else o[i * 33] = v;"
    near, far = (store.judgement for store in stores(tmp_path, body))
    assert (near.verdict, near.condition) == (Verdict.COALESCED, APART)
    assert far.possible
    assert far.condition == APART


def test_few_sectors_of_all_branches_are_proved(tmp_path: Path) -> None:
    body = "if (threadIdx.x < 40) ((char*)o)[i] = v; else ((char*)o)[i ^ 1] = v;"
    for store in stores(tmp_path, body):
        assert store.judgement.verdict is Verdict.COALESCED
