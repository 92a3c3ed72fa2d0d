"""Pointers that are moved on their way to a kernel, and what their places are a multiple of."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.config import CompileOptions
from drano.ir.unit import Argument, Shifted
from drano.ir.unit_launches import unit_launches

BEFORE = """#include <cstdlib>
__global__ void k(float *p) { p[threadIdx.x] = 0; }
__device__ float array[64];
struct S { float *data; int n; };
void host(float *p, char *c, int n, int i, S s, size_t address) {
"""

STARTS = [
    "k<<<1, 32>>>(p);",
    "k<<<1, 32>>>(&p[0]);",
    "k<<<1, 32>>>(p + 64);",
    "k<<<1, 32>>>(p + 64 * n);",
    "k<<<1, 32>>>(p - (n << 6));",
    "k<<<1, 32>>>((float *)malloc(4));",
    "k<<<1, 32>>>(array);",
    "k<<<1, 32>>>(s.data);",
    "k<<<1, 32>>>((float *)address);",
    "float *q; q = p; k<<<1, 32>>>(q);",
    "float *q = p, *r = q; q = r; k<<<1, 32>>>(q);",
    "k<<<1, 32>>>(n ? p : s.data);",
    "n = p - s.data; k<<<1, 32>>>(p);",
    "S t; t.data = p; t.n = n + 1; k<<<1, 32>>>(t.data);",
    "S *t = new S[n]; t[i].data = p + 64 * i; k<<<1, 32>>>(t[1].data);",
]
MOVED = [
    ("k<<<1, 32>>>(p + 1);", 4),
    ("k<<<1, 32>>>(1 + p);", 4),
    ("k<<<1, 32>>>(p - n);", 4),
    ("k<<<1, 32>>>(&p[n]);", 4),
    ("k<<<1, 32>>>(&p[8]);", 32),
    ("k<<<1, 32>>>(&(*(p + 8)) + 64);", 32),
    ("k<<<1, 32>>>(p + 8 * n * i + 16);", 32),
    ("k<<<1, 32>>>(p + (n << 3));", 32),
    ("k<<<1, 32>>>(p + sizeof(float) * 12);", 64),
    ("k<<<1, 32>>>((float *)(c + 8));", 8),
    ("k<<<1, 32>>>(reinterpret_cast<float *>(c + n));", 1),
    ("k<<<1, 32>>>(array + 4);", 16),
    ("k<<<1, 32>>>(s.data + n);", 4),
    ("k<<<1, 32>>>(n ? p : p + 2);", 8),
    ("float *q = p + n; k<<<1, 32>>>(q);", 4),
    ("float *q = p, *r; r = q; q += 16; k<<<1, 32>>>(r);", 64),
    ("for (; i < n; i++) { k<<<1, 32>>>(p); p += 32; }", 128),
    ("float *q = p; q++; k<<<1, 32>>>(q);", 4),
    ("k<<<1, 32>>>(p++);", 4),
    ("s.data = p + 32; k<<<1, 32>>>(s.data);", 128),
    ("S *t = &s; t->data = p; t->data += n; k<<<1, 32>>>(t->data);", 4),
    ("float *q; k<<<1, 32>>>(q = p + 1);", 4),
    ("auto g = [=] { k<<<1, 32>>>(p + 1); }; g();", 4),
]


def _arguments(tmp_path: Path, body: str) -> tuple[Argument, ...]:
    path = tmp_path / "unit.cu"
    path.write_text(f"{BEFORE}{body}\n}}\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    (site,) = found.sites
    return site.arguments


@pytest.mark.parametrize("body", STARTS)
def test_starts_of_allocations(tmp_path: Path, body: str) -> None:
    assert _arguments(tmp_path, body) == (None,)


@pytest.mark.parametrize(("body", "unit"), MOVED)
def test_moved_pointers(tmp_path: Path, body: str, unit: int) -> None:
    assert _arguments(tmp_path, body) == (Shifted(unit),)


CALLERS = """
__global__ void k(float *p) { p[threadIdx.x] = 0; }
void run(float *q, int n) { k<<<1, 32>>>(q); }
template <class T> void outer(T *r, int n) { r += 16; run(r, n); }
struct Runner {
  float *data;
  void go(float *q) { k<<<1, 32>>>(q + 8); }
};
"""


@pytest.mark.parametrize(
    ("calls", "arguments"),
    [
        ("run(p, 1); run(p, 2);", {None}),
        ("run(p + 1, 1);", {Shifted(4)}),
        ("run(p, 1); run(&p[2 * i], 1);", {None, Shifted(8)}),
        ("outer(p, 1);", {Shifted(64)}),
        ("outer(p + 2, 1);", {Shifted(8)}),
        ("Runner r; r.go(p);", {Shifted(32)}),
        ("Runner r; r.go(p + 4);", {Shifted(16)}),
        ("auto f = [](float *q) { run(q + 64, 1); }; f(p);", {None}),
    ],
)
def test_pointers_that_callers_move(tmp_path: Path, calls: str, arguments: set[Argument]) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(f"{CALLERS}void host(float *p, int i) {{ {calls} }}\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    ours = [site for site in found.sites if "q + 8" not in CALLERS.splitlines()[site.span.line - 1]]
    if "Runner r" in calls:
        ours = [site for site in found.sites if site not in ours]
    assert {site.arguments[0] for site in ours} == arguments


@pytest.mark.parametrize("terms", [5, 20, 90, 200])
def test_an_expression_that_is_nested_deeply(tmp_path: Path, terms: int) -> None:
    arguments = _arguments(tmp_path, f"k<<<1, 32>>>(p{' + 16' * terms});")
    assert arguments in {(Shifted(64),), (Shifted(1),)} if terms < 100 else arguments == ()
