"""Pointers whose addresses are kept in one function and written through in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.small_units import most_sectors

KERNEL = "__global__ void k(float *p) { p[threadIdx.x] = 1; }\nstruct M { float *a, *b; int n; };\n"
PLACE = "void place(S *s, float *base) { *(s->p) = base + 3; }\n"
MOVED = [
    "struct S { float **p; };\nvoid keep(M *m, S *s) { s->p = &m->b; }\n" + PLACE
    + "void go(float *a) { M m; S s; keep(&m, &s); place(&s, a); k<<<1, 32>>>(m.b); }",
    "struct S { void **p; };\nvoid keep(const M *m, S &s) { s = S{(void **)(&m->b)}; }\n"
    "void place(S &s, char *base) { *(s.p) = base; base += 12; *(s.p) = base; }\n"
    "void go(char *a) { M m; S s; keep(&m, s); place(s, a); k<<<1, 32>>>(m.b); }",
    "void place(float **ps[], float *base) {\n"
    "  for (int i = 0; i < 2; i++) { *(ps[i]) = base; base += 3; }\n}\n"
    "void set(M *m, float *a) { float **ps[] = {&m->a, &m->b}; place(ps, a); }\n"
    "void go(M m) { k<<<1, 32>>>(m.b); }",
    "float **table[2];\nvoid keep(M *m) { table[1] = &m->b; }\n"
    "void place(float *base) { *table[1] = base + 3; }\n"
    "void go(float *a) { M m; keep(&m); place(a); k<<<1, 32>>>(m.b); }",
    "float *kept;\nfloat **way = &kept;\nvoid place(float *base) { *way = base + 3; }\n"
    "void go(float *a) { place(a); k<<<1, 32>>>(kept); }",
    "float *kept;\nstruct S { float **p; };\nvoid keep(S &s) { s.p = &kept; }\n" + PLACE
    + "void go() { k<<<1, 32>>>(kept); }",
    "#include <vector>\nstd::vector<float **> ways;\nvoid keep(M &m) { ways.push_back(&m.b); }\n"
    "void place(float *base) { for (auto p : ways) *p = base + 3; }\n"
    "void go(float *a) { M m; keep(m); place(a); k<<<1, 32>>>(m.b); }",
    "struct R { float *&r; };\nvoid place(R r, float *base) { r.r = base + 3; }\n"
    "void set(M &m, float *a) { R r{m.b}; place(r, a); }\nvoid go(M m) { k<<<1, 32>>>(m.b); }",
    "void *slots[2];\nvoid keep(M *m) { slots[1] = &m->b; }\n"
    "void place(float *base) { *(float **)slots[1] = base + 3; }\n"
    "void go(float *a) { M m; keep(&m); place(a); k<<<1, 32>>>(m.b); }",
    "struct S { float **p; };\nvoid place(S s, float *base) { s.p[0] = base + 3; }\n"
    "void go(float *a) { float *b = a; S s{&b}; place(s, a); k<<<1, 32>>>(b); }",
    "struct S { float **p; };\nvoid keep(S *s, float **p) { s->p = p; }\n" + PLACE
    + "void go(float *a) { float *b; S s; keep(&s, &b); place(&s, a); k<<<1, 32>>>(b); }",
    "float **way;\nvoid keep(float **p) { way = p; }\n"
    "void place(float *base) { *way = base + 3; }\n"
    "void go(float *a) { float *b = a; keep(&b); place(a); k<<<1, 32>>>(b); }",
    "float **way;\nvoid place(float *base) { *way = base + 3; }\n"
    "void go(float *a) { float *b = a; way = &b; place(a); k<<<1, 32>>>(b); }",
    "float **way;\nvoid place(float *base) { *way = base + 3; }\n"
    "void go(float *a) { float *b = a; float **q = &b; way = q; place(a); k<<<1, 32>>>(b); }",
    "#include <vector>\nstruct S { float **p; };\nstd::vector<S> ways;\n"
    "void place(float *base) { *(ways[0].p) = base + 3; }\n"
    "void go(float *a) { float *b = a; S s{&b}; ways.push_back(s); place(a); k<<<1, 32>>>(b); }",
    "#include <vector>\nstd::vector<float **> ways;\n"
    "void place(float *base) { for (auto p : ways) *p = base + 3; }\n"
    "void go(float *a) { float *b = a; ways.push_back(&b); place(a); k<<<1, 32>>>(b); }",
    "struct L { float **p; void place(float *base) { *p = base + 3; }\n"
    "  void go(float *a) { float *b = a; p = &b; place(a); k<<<1, 32>>>(b); } };",
]  # fmt: skip
STILL = [
    "float *kept; void set(float **p, float *a) { *p = a + 1; }\n"
    "template <class T> void run() { k<<<1, 32>>>((T *)kept); }\n"
    "void go() { cudaMalloc((void **)&kept, 4); run<float>(); }",
    "void make(float **p, int n) { float *q; cudaMalloc(&q, n); *p = q; }\n"
    "void set(M *m, int n) { make(&m->b, n); cudaMalloc(&m->a, n); }\n"
    "void go(M m) { k<<<1, 32>>>(m.b); }",
    "struct S { float **p; };\nvoid keep(M *m, S *s) { s->p = &m->b; }\n"
    "void place(S *s, float *base) { *(s->p) = base + 64; }\n"
    "void go(float *a) { M m; S s; keep(&m, &s); place(&s, a); k<<<1, 32>>>(m.b); }",
]


@pytest.mark.parametrize("text", MOVED)
def test_written_by_way_of_a_kept_address(text: str, tmp_path: Path) -> None:
    assert most_sectors(tmp_path, KERNEL + text) == 5


@pytest.mark.parametrize("text", STILL)
def test_written_by_way_of_an_address_but_not_moved(text: str, tmp_path: Path) -> None:
    assert most_sectors(tmp_path, KERNEL + text) == 4


ON_DEVICE = (
    "struct S { float **p; };\nvoid keep(M *m, S *s) { s->p = &m->b; }\n"
    "__device__ void place(S *s, float *base) { *(s->p) = base + 3; }\n"
)
LAUNCH = "k<<<1, 32>>>(m->b);\n}"


def test_what_the_device_writes_the_host_does_not_read(tmp_path: Path) -> None:
    text = ON_DEVICE + "void go(M *m, S *s) {\n  keep(m, s);\n  cudaMalloc(&m->b, 4);\n  " + LAUNCH
    assert most_sectors(tmp_path, KERNEL + text) == 4


def test_what_the_device_writes_in_memory_of_both_the_host_reads(tmp_path: Path) -> None:
    text = ON_DEVICE + (
        "void go(M *m, S *s) {\n  cudaMallocManaged(&m, 64);\n  keep(m, s);\n"
        "  cudaMalloc(&m->b, 4);\n  " + LAUNCH
    )  # fmt: skip
    assert most_sectors(tmp_path, KERNEL + text) == 5
