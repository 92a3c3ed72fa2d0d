"""Where pointers point, over a whole module; the rule itself is in ``tests/cases``."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.analysis import points_to
from drano.model.access import Access
from drano.model.judgement import Space
from drano.run.driver import check_unit
from tests.views import AS_WRITTEN

CASE = Path(__file__).parents[1] / "cases/warp/generic.cu"
LINES = CASE.read_text(encoding="utf-8").splitlines()

ESCAPES = """
__device__ float* mailbox;
__shared__ float tile[64];
extern __device__ float* fetch(float* p);

__global__ void through_memory(float* out, float** slots, int n) {
  %s
  float* p = *slots;
  for (int k = 0; k < n; k++) p[k] = 1;
}
"""


@pytest.fixture(scope="module")
def accesses() -> tuple[Access, ...]:
    return check_unit(str(CASE), AS_WRITTEN).accesses


def spaces_of(accesses: tuple[Access, ...], text: str) -> set[Space]:
    lines = {n for n, line in enumerate(LINES, start=1) if text in line}
    assert lines
    return {a.judgement.space for a in accesses if a.location.span.line in lines}


@pytest.mark.parametrize(
    ("text", "kernel", "expected"),
    [
        ("total += from[k & 255]", "both_shared", "shared"),
        ("table[which][k] + mine", "stored", "constant global local shared"),
        ("total += from[k];", "promised", "shared"),
        ("total += p[k];", "down", "shared"),
        ("total += p[k];", "deep", "generic"),
    ],
)
def test_spaces(accesses: tuple[Access, ...], text: str, kernel: str, expected: str) -> None:
    own = tuple(a for a in accesses if a.kernel == kernel)
    assert spaces_of(own, text) == {Space(word) for word in expected.split()}


def test_a_generic_access_says_where_it_may_go(accesses: tuple[Access, ...]) -> None:
    found = {
        a.judgement.origins
        for a in accesses
        if a.kernel == "mixed" and a.judgement.space is Space.GENERIC
    }
    assert found == {("global `in`", "shared `tile`")}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("", {"global"}),
        ("mailbox = out;", {"global"}),
        ("mailbox = tile;", {"global memory", "shared `tile`"}),  # slots may be the mailbox
        (
            "*(unsigned long long*)out = (unsigned long long)tile;",
            {"global memory", "shared `tile`"},
        ),
        ("*slots = fetch(out);", {"memory that is not known", "global memory", "global `out`"}),
        ("fetch(tile);", {"memory that is not known", "global memory", "shared `tile`"}),
    ],
)
def test_what_is_stored_may_be_loaded(tmp_path: Path, statement: str, expected: set[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(ESCAPES % statement)
    report = check_unit(str(path), AS_WRITTEN)
    (last,) = (a for a in report.accesses if a.index_text == "p[k]")
    assert set(last.judgement.origins or (last.judgement.space,)) == expected


def test_doctests() -> None:
    assert doctest.testmod(points_to).failed == 0


def test_more_objects_than_are_told_apart(tmp_path: Path) -> None:
    """Sets of objects that are any of too many, and then get more, still come to an end."""
    shared = "\n".join(
        f"  __shared__ float s{k}[32]; s{k}[threadIdx.x] = in[{k}];" for k in range(40)
    )
    chosen = "\n".join(
        f"  slots[{part}] = "
        + " : ".join(f"n == {k} ? s{8 * part + k}" for k in range(7))
        + f" : s{8 * part + 7};"
        for part in range(5)
    )
    file = tmp_path / "many.cu"
    file.write_text(
        f"""__device__ float* slots[8];
__global__ void many(const float* in, float* out, int n, int m) {{
{shared}
{chosen}
  __syncthreads();
  for (int k = 0; k < m; k++) out[threadIdx.x] += slots[k & 7][threadIdx.x];
}}
"""
    )
    line = 1 + next(n for n, text in enumerate(file.read_text().splitlines()) if "slots[k" in text)
    loads = [a for a in check_unit(str(file), AS_WRITTEN).accesses if a.location.span.line == line]
    assert {a.judgement.space for a in loads} == {Space.GENERIC, Space.GLOBAL}
