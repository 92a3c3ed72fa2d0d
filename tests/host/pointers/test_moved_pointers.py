"""Pointers that are moved on their way to a kernel, and what their places are a multiple of."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import Argument, Shifted
from tests.host.small_units import first_arguments, most_sectors

BEFORE = """#include <cstdlib>
__global__ void k(float *p) { p[threadIdx.x] = 0; }
__device__ float array[64];
struct S { float *data; int n; };
void host(float *p, char *c, int n, int i, S s, size_t address, size_t *sizes) {
"""

STARTS = [
    "k<<<1, 32>>>(p);",
    "k<<<1, 32>>>(&p[0]);",
    "k<<<1, 32>>>(p + 64);",
    "k<<<1, 32>>>(p + 64 * n);",
    "k<<<1, 32>>>(p - (n << 6));",
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
    ("k<<<1, 32>>>(array);", 4),
    ("k<<<1, 32>>>(array + 4);", 4),
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
    (argument,) = _arguments(tmp_path, body)
    assert isinstance(argument, Shifted)
    assert argument.unit == unit


@pytest.mark.parametrize(
    ("body", "likely"),
    [
        ("k<<<1, 32>>>(p + n);", True),
        ("k<<<1, 32>>>(p + 3 * n);", True),
        ("k<<<1, 32>>>(&p[n * s.n]);", True),
        ("float *q = p + n; q += n * i; k<<<1, 32>>>(q);", True),
        ("k<<<1, 32>>>(p + n + 1);", False),
        ("k<<<1, 32>>>(p + n * i + 1);", False),
        ("k<<<1, 32>>>(p + 1);", False),
        ("for (int j = 0; j < n; j++) k<<<1, 32>>>(p + j);", False),
        ("for (int j = 0; j < n; j++) k<<<1, 32>>>(p + j * n);", True),
        ("float *q = p + n; q++; k<<<1, 32>>>(q);", False),
        ("const int m = n / 2; k<<<1, 32>>>(p + (i ? m : 0));", True),
        ("const int m = n / 2; k<<<1, 32>>>(p + (i ? m : 1));", False),
        ("k<<<1, 32>>>(p + sizes[i]);", True),
    ],
)
def test_what_sizes_move_is_likely_at_a_start(tmp_path: Path, body: str, likely: bool) -> None:
    (argument,) = _arguments(tmp_path, body)
    assert isinstance(argument, Shifted)
    assert argument.likely_start == likely


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
        ("run(p, 1); run(&p[2 * i], 1);", {None, Shifted(8, likely_start=True)}),
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


HELPERS = """#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 0; }
__device__ float device[9];
__managed__ float managed[9][8];
void take(float *&p) { float e; memcpy(&e, p++, 4); }
struct H { float *d; H *next; float *at(int i) { return d + i; } void adv() { d += 1; } };
void move(float **p) { *p += 1; }
void mover(float *&p) { p += 1; }
float *ahead(float *p, int n) { return p + n; }
void checked(cudaError_t error, int line, bool end = true) { if (error != cudaSuccess) throw line; }
void f(float *a, int n, H *h) {
"""
# Each moves what it gives away, where the reader has to look for it.
HIDDEN = [
    "float* q; cudaGetSymbolAddress((void **)&q, device); k<<<1,32>>>(q);",
    "float* q; cudaHostGetDevicePointer((void **)&q, a + 1, 0); k<<<1,32>>>(q);",
    "float* q; float* b = a + 1; cudaHostGetDevicePointer(&q, b, 0); k<<<1,32>>>(q);",
    "k<<<1,32>>>(managed[0]);",
    "k<<<1,32>>>(&managed[1][0]);",
    "float* q=a; *(uintptr_t *)&q += 4; k<<<1,32>>>(q);",
    "float* q=a; reinterpret_cast<uintptr_t &>(q) += 4; k<<<1,32>>>(q);",
    "struct S { float* d; void go() { *(size_t *)&d += 4; } }; S s{a}; s.go(); k<<<1,32>>>(s.d);",
    "float* q[2]; std::iota(q, q + 2, a); k<<<1,32>>>(q[1]);",
    "int o[]={1, 2}; k<<<1,32>>>(std::accumulate(o, o + 2, a));",
    "struct S { float *d, *e; }; S s{a, a+1}; float* S::*m = &S::e; k<<<1,32>>>(s.*m);",
    "float* q=a; move(&q); k<<<1,32>>>(q);",
    "float* q=a; mover(q); k<<<1,32>>>(q);",
    "k<<<1,32>>>(ahead(a,n));",
    "float* q = ahead(a,n); k<<<1,32>>>(q);",
    "auto f=[](float* p){ return p+1; }; k<<<1,32>>>(f(a));",
    "float* q=a; auto f=[&]{ q++; }; f(); k<<<1,32>>>(q);",
    "float* q=a; auto f=[&r=q]{ r++; }; f(); k<<<1,32>>>(q);",
    "float* q[2]={a,a+1}; k<<<1,32>>>(q[1]);",
    "float* q[2]; q[0]=a; q[1]=a+1; k<<<1,32>>>(q[1]);",
    "std::vector<float*> v; v.push_back(a+1); k<<<1,32>>>(v[0]);",
    "std::vector<float*> v{a, a+1}; for (auto p : v) k<<<1,32>>>(p);",
    "std::array<float*,2> v{a, a+1}; k<<<1,32>>>(v[1]);",
    "auto v = std::make_pair(a, a+1); k<<<1,32>>>(v.second);",
    "k<<<1,32>>>((float*)((uintptr_t)a + 4));",
    "uintptr_t x = (uintptr_t)a; x += 4; k<<<1,32>>>((float*)x);",
    "k<<<1,32>>>(reinterpret_cast<float*>(reinterpret_cast<size_t>(a) + 4));",
    "h->d = a + 1; k<<<1,32>>>(h->d);",
    "h->d += 1; k<<<1,32>>>(h->d);",
    "h->adv(); k<<<1,32>>>(h->d);",
    "k<<<1,32>>>(h->at(1));",
    "H x; x.d = a + 1; H* y = &x; k<<<1,32>>>(y->d);",
    "H x{a + 1, nullptr}; k<<<1,32>>>(x.d);",
    "H x{.d = a + 1}; k<<<1,32>>>(x.d);",
    "float* q=a; float*& r=q; r++; k<<<1,32>>>(q);",
    "float* q=a; float** r=&q; (*r)++; k<<<1,32>>>(q);",
    "float* q=a; float** r=&q; *r = a + 1; k<<<1,32>>>(*r);",
    "k<<<1,32>>>(n ? a : a + 1);",
    "k<<<1,32>>>((n++, a + 1));",
    "float* q=a+1; float* r=a; std::swap(q,r); k<<<1,32>>>(r);",
    "float* q=a; auto r = std::exchange(q, a+1); k<<<1,32>>>(q);",
    "k<<<1,32>>>(std::next(a));",
    "k<<<1,32>>>(std::addressof(a[1]));",
    "k<<<1,32>>>(&a[0] + 1);",
    "k<<<1,32>>>((float*)((char*)a + 4));",
    "void* q = (char*)a + 4; k<<<1,32>>>((float*)q);",
    "void* q = (void*)(a + 1); k<<<1,32>>>(static_cast<float*>(q));",
    "float* q; memcpy(&q, h, 8); k<<<1,32>>>(q);",
    "float* r=a+1; char b[8]; float* q; memcpy(b, &r, 8); memcpy(&q, b, 8); k<<<1,32>>>(q);",
    "float* r=a+1; char b[8]; memcpy(b, &r, 8); k<<<1,32>>>(*(float**)b);",
    "float* r=a+1; char* b=(char*)malloc(8); memcpy(b, &r, 8); k<<<1,32>>>(*(float**)b);",
    "float* r=a+1; void* b=malloc(8); memcpy(b, &r, 8); k<<<1,32>>>(*(float**)b);",
    "float* r=a+1; size_t b[2]; memcpy(b, &r, 8); k<<<1,32>>>((float*)b[0]);",
    "float* r=a+1; size_t b; memcpy(&b, &r, 8); k<<<1,32>>>((float*)b);",
    "struct B { char c[8]; } b; float* r=a+1; memcpy(&b, &r, 8); k<<<1,32>>>(*(float**)&b);",
    "auto f=[](float*& p) { float e; memcpy(&e, p++, 4); }; f(a); k<<<1,32>>>(a);",
    "take(a); k<<<1,32>>>(a);",
    "float* r=a+1; memcpy((char*)h + sizeof(H) - sizeof(H), &r, 8); k<<<1,32>>>(h->d);",
    "static float* q = a; k<<<1,32>>>(q); q += 1;",
    "for (float* q = a; n--; q += 1) k<<<1,32>>>(q);",
    "float* qs[] = {a, a + 1}; for (float* q : qs) k<<<1,32>>>(q);",
    "k<<<1,32>>>(&a[n] - 3);",
    "H hs[2]; hs[1].d = a + 1; k<<<1,32>>>(hs[1].d);",
    "float* q[2][2]; q[1][1] = a + 1; k<<<1,32>>>(q[1][1]);",
    "auto at=[&](int i){ return a + i; }; float* q = at(1); k<<<1,32>>>(q);",
    "std::unique_ptr<float> u(a + 1); k<<<1,32>>>(u.get());",
    "auto f=[](H& x){ x.d += 1; }; H x{a}; f(x); k<<<1,32>>>(x.d);",
    "k<<<1,32>>>((float*)(double*)(a + 1));",
    "struct S { int x; float y[9]; }; S* s = (S*)a; k<<<1,32>>>(s->y);",
    "struct S { int x; float y; }; S* s = (S*)a; k<<<1,32>>>(&s->y);",
    "float (*m)[3] = (float(*)[3])a; k<<<1,32>>>(m[1]);",
    "float (*m)[3] = (float(*)[3])a; k<<<1,32>>>(*(m+1));",
    "auto [p, q] = std::make_pair(a, a+1); k<<<1,32>>>(q);",
    "struct It{ float* p; float* operator+(int i){ return p+i; } }; It it{a}; k<<<1,32>>>(it + 1);",
    "struct P{ float* p; operator float*(){ return p+1; } }; P it{a}; k<<<1,32>>>(it);",
    "struct P{ H* p; H* operator->(){ return p; } }; P it{h}; it->d += 1; k<<<1,32>>>(it->d);",
]
HIDDEN += [
    "float *q = a + 1; void *args[] = {&q}; cudaLaunchKernel((void *)k, 1, 32, args, 0, 0);",
    "float *q = a + 1; void *args[] = {(void *)&q};"
    " cudaLaunchCooperativeKernel((void *)k, 1, 32, args, 0, 0);",
]
HIDDEN += [
    "struct V{float*p; V(float*x):p(x+1){}}; V v(a); k<<<1,32>>>(v.p);",
    "union U{float*p; size_t u;}; U u; u.p=a; u.u+=4; k<<<1,32>>>(u.p);",
    "std::vector<float*> v(3,a); for(auto&p:v) p+=1; k<<<1,32>>>(v[1]);",
    "auto f=[q=a+1]{return q;}; k<<<1,32>>>(f());",
    "auto f=[q=a+1](){ k<<<1,32>>>(q);}; f();",
    'float* q=a; asm("add $4,%0":"+r"(q)); k<<<1,32>>>(q);',
    "float* q=a; __sync_fetch_and_add((long*)&q,4); k<<<1,32>>>(q);",
    "for(auto q: {a,a+1}) k<<<1,32>>>(q);",
    "k<<<1,32>>>((float*)std::align(4,4,*(void**)h,*(size_t*)h));",
    "struct A{float x[3];}; A*s=(A*)a; k<<<1,32>>>(s[1].x);",
]
HIDDEN += [
    "float* q=a+2; float** r=&q; k<<<1,32>>>(*r);",
    "float* q=a; q+=2; float* const* r=&q; k<<<1,32>>>(r[0]);",
    "float* q=a; float*& s=q; s=a+2; float** r=&q; k<<<1,32>>>(*r);",
    "float* o=a; o+=2; float* q=o; float** r=&q; k<<<1,32>>>(*r);",
    "float* o=a; float** r=&o; float** s=r; o=a+2; k<<<1,32>>>(*s);",
    "float* o=a; float** r=&o; float*** s=&r; o=a+2; k<<<1,32>>>(**s);",
    "float* o=a+2; float** r; r=&o; k<<<1,32>>>(*r);",
    "float* q=a; float** r=n?&q:nullptr; q+=2; float*& s=*r; k<<<1,32>>>(s);",
    "float* q[2]={a+2,a}; float** r=q; k<<<1,32>>>(*r);",
    "float* q[2]={a,a}; q[1]=a+1; float** r=q+1; k<<<1,32>>>(*r);",
    "float* q[2][2]; q[1][0]=a+1; float* (*r)[2]=q; k<<<1,32>>>(r[1][0]);",
    "float* q=a; q+=2; void* r=&q; k<<<1,32>>>(*(float**)r);",
    "struct R { float*& x; }; float* q=a; R r{q}; q+=2; k<<<1,32>>>(r.x);",
    "struct R { float** x; }; float* q=a+2; R r{&q}; k<<<1,32>>>(*r.x);",
    "struct R { float** x; }; float* q=a+2; R r; r.x=&q; k<<<1,32>>>(*r.x);",
    "float* q=a+2; std::vector<float**> r{&q}; k<<<1,32>>>(*r[0]);",
    "float* q=a+2; float** r[2]={&q}; k<<<1,32>>>(**r);",
    "float* q=a; auto f=[&]{ return q; }; q+=2; k<<<1,32>>>(f());",
    "float* q=a; auto f=[&]() -> float*& { return q; }; q+=2; k<<<1,32>>>(f());",
    "float* q=a; std::reference_wrapper<float*> r=q; q+=2; k<<<1,32>>>(r.get());",
    "static float* q=a; float** r=&q; k<<<1,32>>>(*r); q+=2;",
    "H x{a}; H* y=&x; x.d+=2; H** z=&y; k<<<1,32>>>((*z)->d);",
    "H x{a}; float** z=&x.d; x.d+=2; k<<<1,32>>>(*z);",
    "H x{a+2}; float** z=&x.d; k<<<1,32>>>(*z);",
]
HIDDEN += [
    "struct V { float* p; float& operator[](int i) { return p[i]; } }; V v{a}; k<<<1,32>>>(&v[3]);",
    "struct V { float* p; float& at(int i) { return *(p + i); } }; V v{a}; k<<<1,32>>>(&v.at(n));",
    "struct V { float* p; float& last() { return p[9]; } }; V v{a}; k<<<1,32>>>(&v.last());",
    "struct V { float* p; float& at(int i) { return p[i + 1]; } }; V v{a}; k<<<1,32>>>(&v.at(0));",
    "struct V { float* p; int i; float& now() { return p[i]; } }; V v{a}; k<<<1,32>>>(&v.now());",
    "auto f=[](float* p, int i) -> float& { return p[i]; }; k<<<1,32>>>(&f(a, 3));",
    "auto f=[](float* p) -> float& { return *p; }; k<<<1,32>>>(&f(a + 1));",
    "auto f=[&](int i) -> float& { return a[i]; }; k<<<1,32>>>(&f(3));",
    "float& r=a[3]; k<<<1,32>>>(&r);",
    "float& r=a[3]; float* q=&r; k<<<1,32>>>(q);",
    "float& r=a[3]; float& s=r; k<<<1,32>>>(&s);",
    "auto f=[](float& r) { k<<<1,32>>>(&r); }; f(a[1]);",
    "k<<<1,32>>>(&(n++, a[3]));",
    "k<<<1,32>>>(&(n ? a[1] : a[2]));",
    "k<<<1,32>>>(&(a[3] = 2));",
    "k<<<1,32>>>(&++a[3]);",
]
# None of these moves anything.
PLAIN = [
    "k<<<1,32>>>(a);",
    "float* q; cudaMalloc(&q, 4); k<<<1,32>>>(q);",
    "float* q; cudaMalloc((void**)&q, 4); k<<<1,32>>>(q);",
    "k<<<1,32>>>(h->d);",
    "H x; cudaMalloc(&x.d, 4); k<<<1,32>>>(x.d);",
    "float* q[2]; cudaMalloc(&q[0], 4); cudaMalloc((void**)&q[1], 4); k<<<1,32>>>(q[1]);",
    "std::vector<float*> v(2); for (int i=0;i<2;i++) cudaMalloc(&v[i], 4); k<<<1,32>>>(v[0]);",
    "float* q=a; float* r=a; std::swap(q,r); k<<<1,32>>>(r);",
    "float* q; cudaHostGetDevicePointer(&q, a, 0); k<<<1,32>>>(q);",
    "float* q=a; for (int i = 0; i < n; i++) { k<<<1,32>>>(q); std::swap(q, a); }",
    "h->d = a; cudaMemcpy(h->d + n, a, 4, cudaMemcpyDefault); k<<<1,32>>>(h->d);",
    "checked(cudaMemcpy(a, h->d + n, 4, cudaMemcpyDefault), __LINE__); k<<<1,32>>>(a);",
    "void *args[] = {&a}; cudaLaunchKernel((void *)k, 1, 32, args, 0, 0);",
    "auto f = [q = a] { k<<<1,32>>>(q); }; f();",
    "struct V { float *p; V(float *x) : p(x) {} }; V v(a); k<<<1,32>>>(v.p);",
    "float* q=a; float** r=&q; k<<<1,32>>>(*r);",
    "float* q; float** r=&q; cudaMalloc(r,4); k<<<1,32>>>(*r);",
    "float* q[2]={a,h->d}; float** r=q; float* o=a; o+=2; k<<<1,32>>>(r[n]);",
    "H x{a,h}; float** z=&x.d; k<<<1,32>>>(*z);",
    "struct P { float *x, *y; } s; float** f[]={&s.x,&s.y}; for (float** g : f) cudaMalloc(g,4);"
    " k<<<1,32>>>(*f[1]);",
    "struct P { float *x, *y; } s{a,a}; float** z=&s.y; k<<<1,32>>>(*z);",
    "struct V { float* p; float& operator[](int i) { return p[i]; } }; V v{a}; k<<<1,32>>>(&v[0]);",
    "struct V { float* p; float& front() { return *p; } }; V v{a}; k<<<1,32>>>(&v.front());",
    "float& r=*a; k<<<1,32>>>(&r);",
    "std::vector<float> v(n); k<<<1,32>>>(&v[0]);",
    "float* qs[] = {a, h->d}; for (float* q : qs) k<<<1,32>>>(q);",
    "float e; memcpy(&e, (float*)h + 1, 4); k<<<1,32>>>(h->d);",
    "struct N { int n[4]; } s; memcpy(&s, (char*)h + 3, 16); k<<<1,32>>>(h->d);",
    "std::vector<float> v(n); for (int i = 0; i < n; i++) v[i + 1] = v[i]; k<<<1,32>>>(a);",
]


@pytest.mark.parametrize("body", HIDDEN)
def test_moved_out_of_sight(tmp_path: Path, body: str) -> None:
    (argument,) = first_arguments(tmp_path, f"{HELPERS}{body}\n}}")
    assert isinstance(argument, Shifted)


@pytest.mark.parametrize("body", PLAIN)
def test_not_moved(tmp_path: Path, body: str) -> None:
    assert first_arguments(tmp_path, f"{HELPERS}{body}\n}}") == {None}


# Members that other functions make of moved pointers, and calls that nobody sees.
ELSEWHERE = [
    "struct L { float *q; void go() { k<<<1, 32>>>(q); } };"
    " void f(float *p) { L l{p + 1}; l.go(); }",
    "struct L { float *q; L(float *x) : q(x) {} void go() { k<<<1, 32>>>(q); } };"
    " void f(float *p) { L l(p + 1); l.go(); }",
    "struct L { float *q; void go() { k<<<1, 32>>>(q); } };"
    " void f(float *p) { L l; l.q = p + 1; l.go(); }",
    "void go(float *p) { k<<<1, 32>>>(p); } void (*g)(float *);"
    " void f(float *p) { g = go; g(p + 1); }",
    "extern float *base, *start; float *start = base + 1; void f() { k<<<1, 32>>>(start); }",
]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_moved_in_another_function(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.cu"
    path.write_text(BEFORE.partition("void host")[0] + text)
    sites = unit_launches(str(path), CompileOptions()).sites
    assert any(isinstance(site.arguments[0], Shifted) for site in sites)


def test_virtual_functions_have_no_known_result(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "__global__ void k(int *a, int n) { a[n] = 0; }\n"
        "struct B { virtual int get() { return 8; } };\n"
        "struct D : B { int get() override { return 2; } };\n"
        "int main() { int *a; D d; B &b = d; k<<<1, b.get()>>>(a, b.get()); }\n"
    )
    (site,) = unit_launches(str(path), CompileOptions()).sites
    assert (site.block[0], site.arguments[1]) == (None, None)


OBJECTS = "struct V { float *p; int n; V next() const { V v = *this; v.p += 1; return v; } };\n"


@pytest.mark.parametrize(
    "body",
    [
        "V v{a}; v.p += 1; k<<<1, 32>>>(v);",
        "V v{a + 1}; k<<<1, 32>>>(v);",
        "V v{a}; k<<<1, 32>>>(v.next());",
        "V v{move(a)}; k<<<1, 32>>>(v);",
        "V v{g}; k<<<1, 32>>>(v);",
        "V v; set(v, a); k<<<1, 32>>>(v);",
        "V v{a}; v.p++; give(v);",
        "W w; w.v.p = &a[1]; k<<<1, 32>>>(w.v);",
        "D d; d.p = a + 3; k<<<1, 32>>>(d);",
    ],
)
def test_pointers_in_objects_given_by_value(body: str, tmp_path: Path) -> None:
    text = (
        f"{OBJECTS}struct W {{ V v; }}; struct D : V {{}};\n"
        "__global__ void k(V v) { v.p[threadIdx.x] = 1; }\n"
        "float *g; void other(float *a) { g = a + 1; }\n"
        "float *move(float *p) { return p + 1; }\nvoid set(V &v, float *a) { v.p = a + 1; }\n"
        "void give(V v) { k<<<1, 32>>>(v); }\n"
        f"void go(float *a) {{ {body} }}\n"
    )
    assert most_sectors(tmp_path, text) == 5


VIEW = (
    "template <class T> struct View {\n"
    "  T *p; int n;\n"
    "  View(T *p, int n) : p(p), n(n) {}\n"
    "  View from(int i) { T *q = p; if (i > 0) q += i; return View<T>(q, n); }\n"
    "  View copied(int i) { View v = *this; v.p = p + i; return v; }\n"
    "  void step() { ++p; }\n"
    "  View &operator+=(int i) { p += i; return *this; }\n"
    "  View same() { return View<T>(p, n); }\n"
    "  static View behind(T *p) { return View(p + 1, 1); }\n"
    "  friend View operator+(View v, int i) { return View(v.p + i, v.n); }\n"
    "};\n"
    "template <class T> View<T> tail(View<T> v) { return View<T>(v.p + 1, v.n - 1); }\n"
    "template <class T> void stepped(View<T> &v) { v.p += 1; }\n"
    "template <class T> struct Source { T *p; operator View<T>() { return View<T>(p + 1, 1); } };\n"
    "template <class V> struct Over : V { using V::V; };\n"
    "__global__ void k(View<float> v) { v.p[threadIdx.x] = 1; }\n"
    "void go(View<float> v) { k<<<1, 32>>>(v); }\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, 32>>>(v.from(8));",
        "View<float> w = v.copied(3); k<<<1, 32>>>(w);",
        "v.step(); go(v);",
        "v += 2; go(v);",
        "go(tail(v));",
        "stepped(v); go(v);",
        "auto f = stepped<float>; f(v); go(v);",
        "Over<View<float>> w(v.p + 1, 1); go(w);",
        "go({v.p + 1, 3});",
        "go(View<float>::behind(v.p));",
        "go(v + 1);",
        "Source<float> s{v.p}; go(s);",
        "auto f = [](auto w) { w.p += 1; return w; }; go(f(v));",
        "auto up = &View<float>::step; (v.*up)(); go(v);",
    ],
)
def test_pointers_in_objects_of_templates(body: str, tmp_path: Path) -> None:
    text = f"{VIEW}void f(View<float> v) {{ {body} }}\n"
    assert most_sectors(tmp_path, text) == 5


@pytest.mark.parametrize("template", ["", "template <class T> "])
@pytest.mark.parametrize(("step", "most"), [("", 4), (" + 1", 5)])
def test_pointers_that_members_start_as(
    template: str, step: str, most: int, tmp_path: Path
) -> None:
    kind = "V<float>" if template else "V"
    text = (
        f"{template}struct V {{ float *p; float *q = p{step}; V(float *a) : p(a) {{}} }};\n"
        f"__global__ void k({kind} v) {{ v.q[threadIdx.x] = 1; }}\n"
        f"void go(float *a) {{ {kind} v(a); k<<<1, 32>>>(v); }}\n"
    )
    assert most_sectors(tmp_path, text) == most


@pytest.mark.parametrize("body", ["go(v);", "k<<<1, 32>>>(v.same());"])
def test_pointers_in_objects_of_templates_that_nothing_moves(body: str, tmp_path: Path) -> None:
    text = f"{VIEW}void f(View<float> v) {{ {body} }}\n"
    assert most_sectors(tmp_path, text) == 4


def test_pointers_in_objects_that_nothing_moves(tmp_path: Path) -> None:
    text = (
        "struct V { float *p; int n; };\n__global__ void k(V v) { v.p[threadIdx.x] = 1; }\n"
        "void go(float *a, V w) { V v{a}; k<<<1, 32>>>(v); k<<<1, 32>>>(w); }\n"
    )
    assert most_sectors(tmp_path, text) == 4


@pytest.mark.parametrize(
    ("value", "most"),
    [
        ("(float *)((size_t)p + 4 * 3)", 5),
        ("(float *)(12 + reinterpret_cast<size_t>(p))", 5),
        ("(float *)((size_t)p & ~3)", 5),
        ("(float *)((size_t)p + 64)", 4),
        ("(float *)(void *)p", 4),
    ],
)
def test_numbers_that_become_pointers_where_a_lambda_launches(
    value: str, most: int, tmp_path: Path
) -> None:
    text = (
        "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"
        f"void go(float *p) {{ p = {value}; [](float *q) {{ k<<<1, 32>>>(q); }}(p); }}\n"
    )
    assert most_sectors(tmp_path, text) == most


OF_A_BASE = """
__global__ void k(float *a) { a[threadIdx.x] = 1; }
template <typename T> struct Base { int info; int get() { return info; } };
template <typename T> struct Derived : Base<T> {
  typedef Base<T> Above;
  void compute(T *p, int n);
  using Above::info;
};
template <typename T> void Derived<T>::compute(T *p, int n) {
  Derived<T> other; info = other.get(); T *q = p + %s; k<<<1, 32>>>(q);
}
void go(Derived<float> &d) { float *b; cudaMalloc(&b, 400); d.compute(b, 64); }
"""


@pytest.mark.parametrize(("moved", "most"), [("0", 4), ("1", 5)])
def test_members_that_a_template_takes_from_a_base(moved: str, most: int, tmp_path: Path) -> None:
    assert most_sectors(tmp_path, OF_A_BASE % moved) == most
