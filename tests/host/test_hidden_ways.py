"""Launches in parts of a unit that no visible call leads to, and values with two names."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite

BEFORE = """#include <cstring>
#include <functional>
#include <vector>
__global__ void k(float *a, int s) { a[threadIdx.x * s] = 0; }
typedef void (*K)(float *, int);
int any();
"""
GO = "void go(float *a, int s) { k<<<2, 32>>>(a, s); } "
MAKER = "struct M { M(int s) { float *a; k<<<2, 32>>>(a, s); } }; "
GIVER = "int give(float *a, int s) { k<<<2, 32>>>(a, s); return 1; } "
SHOWN = " int main() { float *a; k<<<2, 32>>>(a, 1); }"

# Each launches k with a stride that is not 1, too.
ELSEWHERE = {
    "friend": "struct S { friend void f(S &, float *a) { k<<<2, 32>>>(a, 8); } };" + SHOWN,
    "union": "union U { int x; void f(float *a) { k<<<2, 32>>>(a, 8); } };" + SHOWN,
    "local class": "struct B { virtual void f(float *) = 0; }; void run(B &);"
    " int main() { float *a; k<<<2, 32>>>(a, 1);"
    " struct L : B { void f(float *a) override { k<<<2, 32>>>(a, 8); } }; L l; run(l); }",
    "lambda of a namespace": "auto f = [](float *a) { k<<<2, 32>>>(a, 8); };" + SHOWN,
    "lambdas in a table": "std::function<void(float *)> f[] ="
    " {[](float *a) { k<<<2, 32>>>(a, 8); }};" + SHOWN,
    "lambda of a namespace that calls": GO + "auto f = [](float *a) { go(a, 8); };"
    " int main() { float *a; go(a, 1); f(a); }",
    "initialiser": GIVER + "int z = give(nullptr, 8); int main() { float *a; give(a, 1); }",
    "member's lambda": "struct S { std::function<void(float *)> f ="
    " [](float *a) { k<<<2, 32>>>(a, 8); }; };" + SHOWN,
    "member's initialiser": GIVER + "struct S { int z = give(nullptr, 8); };"
    " int main() { float *a; give(a, 1); S s; }",
    "static member's lambda": "struct S { static inline auto f ="
    " [](float *a) { k<<<2, 32>>>(a, 8); }; };" + SHOWN,
    "template's lambda": "template <class T> struct S { static inline auto f ="
    " [](T *a) { k<<<2, 32>>>(a, 8); }; };" + SHOWN,
    "variable template": "template <int N> int z ="
    " [] { float *a; k<<<2, 32>>>(a, N); return 1; }();"
    " int main() { float *a; k<<<2, 32>>>(a, 1); return z<8>; }",
    "constructor's initialiser": GIVER + "struct S { int z; S(float *a) : z(give(a, 8)) {} };"
    " int main() { float *a; give(a, 1); S s(a); }",
    "base's initialiser": GIVER + "struct B { B(int) {} }; struct S : B {"
    " S(float *a) : B(give(a, 8)) {} }; int main() { float *a; give(a, 1); S s(a); }",
    "lambda in a constructor's initialiser": "struct S { std::function<void(float *)> f;"
    " S() : f([](float *a) { k<<<2, 32>>>(a, 8); }) {} };" + SHOWN,
    "inherited constructor": MAKER + "struct D : M { using M::M; }; int main() { M m(1); D d(8); }",
    "delegated constructor": "struct M { M(float *a, int s) { k<<<2, 32>>>(a, s); }"
    " M(float *a) : M(a, 8) {} }; int main() { float *a; M m(a, 1); M n(a); }",
    "base": MAKER + "struct D : M { D() : M(8) {} }; int main() { M m(1); D d; }",
    "member": MAKER + "struct D { M m; D() : m(8) {} }; int main() { M m(1); D d; }",
    "array of objects": MAKER + "int main() { M m(1); M d[2] = {{8}, {8}}; }",
    "emplaced": MAKER + "int main() { M m(1); std::vector<M> v; v.emplace_back(8); }",
    "device, by a template": "template <K F> __device__ void f(float *a) { F<<<2, 32>>>(a, 8); }"
    " __global__ void p(float *a) { f<k>(a); }" + SHOWN,
    "device, by an argument": "__device__ void f(K g, float *a) { g<<<2, 32>>>(a, 8); }"
    " __global__ void p(float *a) { f(k, a); }" + SHOWN,
    "device, by a variable": "__global__ void p(float *a) { K g = k; g<<<2, 32>>>(a, 8); }" + SHOWN,
    "device, by a lambda": "__global__ void p(float *a) { auto f = [=](int s) {"
    " k<<<2, 32>>>(a, s); }; f(8); }" + SHOWN,
    "host and device": "__host__ __device__ void f(float *a, int s) { k<<<2, 32>>>(a, s); }"
    " __global__ void p(float *a) { f(a, 8); } int main() { float *a; f(a, 1); }",
    "host and device, by a template": "__host__ __device__ void f(float *a, int s) {"
    " k<<<2, 32>>>(a, s); } template <class T> __global__ void p(T *a) { f(a, 8); }"
    " int main() { float *a; f(a, 1); p<float><<<1, 1>>>(a); }",
    "global by a pointer": "int s = 1; int *p = &s; void f(float *a) { s = 1; *p = 8;"
    " k<<<2, 32>>>(a, s); }",
    "global stepped": "int s; void f(float *a, int *p) { s = 1; ++*p; k<<<2, 32>>>(a, s); }",
    "global set by the library": "int s; void f(float *a, void *p) { s = 1; memset(p, 1, 4);"
    " k<<<2, 32>>>(a, s); }",
    "global by a constant reference": "int s; void set() { s = any(); }"
    " void f(float *a, const int &x) { set(); k<<<2, 32>>>(a, x); }"
    " int main() { float *a; s = 1; f(a, s); }",
    "two references": "void f(float *a, int &x, int &y) { x = 1; y = 8; k<<<2, 32>>>(a, x); }",
    "two references to one": "void f(float *a, const int &x, int &y) { y = 8; k<<<2, 32>>>(a, x); }"
    " int main() { float *a; int q = 1; f(a, q, q); }",
    "volatile": "int main() { float *a; volatile int s = 1; k<<<2, 32>>>(a, s); }",
}


def _sites(tmp_path: Path, text: str) -> list[LaunchSite]:
    path = tmp_path / "unit.cu"
    path.write_text(f"{BEFORE}{text}\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    return [site for site in found.sites if site.kernel_name == "k"]


@pytest.mark.parametrize("how", ELSEWHERE)
def test_a_stride_that_is_not_always_one(tmp_path: Path, how: str) -> None:
    strides = [
        site.arguments[1] if site.arguments else None for site in _sites(tmp_path, ELSEWHERE[how])
    ]
    assert None in strides or 8 in strides, strides


# None of these launches k otherwise.
KEPT = [
    "auto f = [](float *a) { k<<<2, 32>>>(a, 1); };" + SHOWN,
    "struct S { int z = any(); S() : z(2) {} };" + SHOWN,
    "void f(float *a, float *p, int n) { int s = 1; p[n] = 3; *p += 1; k<<<2, 32>>>(a, s); }",
    "int s; void f(float *a, float *p) { s = 1; p[2] = 3; int l[3]; l[1] = 2;"
    " k<<<2, 32>>>(a, s); }",
    "int s; void f(float *a) { s = 1; float *d; cudaMalloc(&d, 4);"
    " cudaMemcpy(d, a, 4, cudaMemcpyDefault); k<<<2, 32>>>(a, s); }",
    "void f(float *a, const int &s) { k<<<2, 32>>>(a, s); } int main() { float *a; int s = 1;"
    " f(a, s); f(a, 1); }",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_stride_that_is_always_one(tmp_path: Path, text: str) -> None:
    assert {site.arguments[1] for site in _sites(tmp_path, text)} == {1}
