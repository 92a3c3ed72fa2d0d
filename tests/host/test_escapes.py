"""Host variables that change behind the reader's back, and callers that it does not follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.analysis.blocks.block_shapes import common_arguments
from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite, Shifted

BEFORE = """#include <algorithm>
#include <functional>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>
__global__ void k(float *a, int s) { a[threadIdx.x * s] = 0; }
std::tuple<int, int> config();
int any();
"""

# Each launches k with a block that is not 64 threads, or not always.
CHANGED = {
    "tie": ("int main(){float*a; int x=64,y=2; std::tie(x,y)=config(); k<<<2,dim3(x,y)>>>(a,1);}"),
    "min": (
        "int main(){float*a; int x=64,y=128; const_cast<int&>(std::min(x,y)) = any(); "
        "k<<<2,x>>>(a,1);}"
    ),
    "min2": (
        "int main(){float*a; int x=64,y=128; auto& r = std::min<int>(x,y); (int&)r = any(); "
        "k<<<2,x>>>(a,1);}"
    ),
    "swap": ("int main(){float*a; int x=64,y=128; std::swap(x,y); k<<<2,x>>>(a,1);}"),
    "refwrap": (
        "int main(){float*a; int x=64; std::vector<std::reference_wrapper<int>> v{x}; "
        "v[0].get() = any(); k<<<2,x>>>(a,1);}"
    ),
    "vecref": (
        "int main(){float*a; int x=64; std::vector<int*> v; v.push_back(&x); *v[0] = any(); "
        "k<<<2,x>>>(a,1);}"
    ),
    "lambda": ("int main(){float*a; int x=64; auto f=[&]{ x = any(); }; f(); k<<<2,x>>>(a,1);}"),
    "lambda2": (
        "int main(){float*a; int x=64; auto f=[&r = x]{ r = any(); }; f(); k<<<2,x>>>(a,1);}"
    ),
    "lambda3": (
        "int main(){float*a; int x=64; auto f=[x,a]() mutable { k<<<2,x>>>(a,1); x = 128; }; "
        "f(); f(); }"
    ),
    "lambda4": (
        "int main(){float*a; auto f=[y=64,a]() mutable { k<<<2,y>>>(a,1); y = 128; }; f(); f(); }"
    ),
    "lambda5": (
        "int main(){float*a; int x=64; auto f=[p=&x]{ *p = any(); }; f(); k<<<2,x>>>(a,1);}"
    ),
    "lambda6": (
        "int main(){float*a; int x=64; auto f=[&](int& z){ z = any(); }; f(x); k<<<2,x>>>(a,1);}"
    ),
    "lambda7": ("int main(){float*a; auto f=[=](int z){ k<<<2,z>>>(a,1); }; f(64); f(any());}"),
    "lambda8": (
        "int main(){float*a; int x=64; std::function<void()> f=[&]{ k<<<2,x>>>(a,1); }; f(); "
        "x = any(); f();}"
    ),
    "bind": (
        "int main(){float*a; int x=64; struct R{int& r;}; R h{x}; h.r = any(); k<<<2,x>>>(a,1);}"
    ),
    "sbind": (
        "int main(){float*a; std::pair<int,int> q(64,2); auto& [x,y]=q; x = any(); "
        "k<<<2,x>>>(a,1);}"
    ),
    "sbind2": ("int main(){float*a; dim3 d(64,2,1); auto& [x,y,z]=d; x = any(); k<<<2,d>>>(a,1);}"),
    "sbind3": (
        "int main(){float*a; struct S{int x,y;}; S s{64,2}; auto& [x,y]=s; x = any(); "
        "k<<<2,s.x>>>(a,1);}"
    ),
    "structptr": (
        "struct S{int x;}; void ch(S* s){ s->x = any(); } int main(){float*a; S s{64}; "
        "ch(&s); k<<<2,s.x>>>(a,1);}"
    ),
    "method": (
        "struct S{int x; void set(){ x = any(); }}; int main(){float*a; S s{64}; s.set(); "
        "k<<<2,s.x>>>(a,1);}"
    ),
    "union": (
        "int main(){float*a; union {int x; unsigned y;} u; u.x=64; u.y=any(); k<<<2,u.x>>>(a,1);}"
    ),
    "union ref": (
        "int main(){float*a; union {int x; unsigned y;} u; int& x=u.x; x=64; u.y=any(); "
        "k<<<2,x>>>(a,1);}"
    ),
    "union ref parameter": (
        "union U {int x; unsigned y;}; void f(float*a, U& u, int& x){ x=64; u.y=any(); "
        "k<<<2,x>>>(a,1); } int main(){float*a; U u; f(a,u,u.x);}"
    ),
    "union pointer": (
        "union U {int x; unsigned y;}; int main(){float*a; U u; U* p=&u; int& x=u.x; x=64; "
        "p->y=any(); k<<<2,x>>>(a,1);}"
    ),
    "union of object": (
        "struct S {union {int x; unsigned y;}; void f(float*a, int& x){ x=64; y=any(); "
        "k<<<2,x>>>(a,1); }}; int main(){float*a; S s; s.f(a,s.x);}"
    ),
    "arr": ("int main(){float*a; int x[2]={64,64}; x[0]=any(); k<<<2,x[0]>>>(a,1);}"),
    "comma ref": ("int main(){float*a; int x=64,y=1; (y, x) = any(); k<<<2,x>>>(a,1);}"),
    "cond ref": (
        "int main(int c,char**){float*a; int x=64,y=64; (c ? x : y) = any(); k<<<2,x>>>(a,1);}"
    ),
    "cast ref": ("int main(){float*a; int x=64; (int&)x = any(); k<<<2,x>>>(a,1);}"),
    "cast ref2": ("int main(){float*a; int x=64; static_cast<int&>(x) = any(); k<<<2,x>>>(a,1);}"),
    "reint": (
        "int main(){float*a; int x=64; reinterpret_cast<unsigned&>(x) = any(); k<<<2,x>>>(a,1);}"
    ),
    "deref": ("int main(){float*a; int x=64; *&x = any(); k<<<2,x>>>(a,1);}"),
    "assignassign": ("int main(){float*a; int x=64; (x = 3) = any(); k<<<2,x>>>(a,1);}"),
    "global": (
        "int g=64; void set(){ g = any(); } int main(){float*a; g=64; set(); k<<<2,g>>>(a,1);}"
    ),
    "static": ("void f(float*a){ static int x=64; k<<<2,x>>>(a,1); x = any(); }"),
    "retref": (
        "int& r(int& x){ return x; } int main(){float*a; int x=64; r(x) = any(); k<<<2,x>>>(a,1);}"
    ),
    "iota": ("int main(){float*a; int x=64; for (auto p : {&x}) *p = any(); k<<<2,x>>>(a,1);}"),
    "thisarg": (
        "struct S{int b=64; void go(float*a){ k<<<2,b>>>(a,1);} }; int main(){ float*a; S s; "
        "s.b=any(); s.go(a);}"
    ),
    "dim3ptr": (
        "void ch(dim3& d){ d.x = any(); } int main(){float*a; dim3 d(64); ch(d); k<<<2,d>>>(a,1);}"
    ),
    "dim3mem": ("int main(){float*a; dim3 d(64); unsigned& x = d.x; x = any(); k<<<2,d>>>(a,1);}"),
    "memptr": (
        "int main(){float*a; struct S{int x;}; S s{64}; int S::*m=&S::x; s.*m = any(); "
        "k<<<2,s.x>>>(a,1);}"
    ),
    "placement": ("int main(){float*a; int x=64; new (&x) int(any()); k<<<2,x>>>(a,1);}"),
    "coalesced": (
        "int main(){float*a; int x=64; auto g=[](int&& y){ y = any(); }; g(std::move(x)); "
        "k<<<2,x>>>(a,1);}"
    ),
    "fwd": (
        "template<class F,class...A> void call(F f,A&&...a){ f(std::forward<A>(a)...);} void "
        "ch(int& x){x=any();} int main(){float*a; int x=64; call(ch,x); k<<<2,x>>>(a,1);}"
    ),
    "genericlambda": (
        "int main(){float*a; auto f=[=](auto z){ k<<<2,z>>>(a,1); }; f(64); f((short)any());}"
    ),
    "default arg": (
        "void go(float*a,int b=64){ k<<<2,b>>>(a,1);} int main(){float*a; go(a); go(a,any());}"
    ),
    "opcall": (
        "struct F{ void operator()(float*a,int b){ k<<<2,b>>>(a,1);} }; int main(){float*a; F "
        "f; f(a,64); f(a,any());}"
    ),
    "fptr": (
        "void go(float*a,int b){ k<<<2,b>>>(a,1);} int main(){float*a; go(a,64); auto f=go; "
        "f(a,any());}"
    ),
    "fptr2": (
        "void go(float*a,int b){ k<<<2,b>>>(a,1);} int main(){float*a; go(a,64); auto f=&go; "
        "(*f)(a,any());}"
    ),
    "thread": (
        "void go(float*a,int b){ k<<<2,b>>>(a,1);} int main(){float*a; go(a,64); std::thread "
        "t(go,a,any());}"
    ),
    "ctor": (
        "struct S{ S(float*a,int b){ k<<<2,b>>>(a,1);} }; int main(){float*a; S s(a,64); "
        "std::vector<S> v; v.emplace_back(a,any()); auto u=std::make_unique<S>(a,any()); S* "
        "q=new S(a,any()); }"
    ),
    "conv": (
        "struct S{ S(int b){ float*a; k<<<2,b>>>(a,1);} }; void t(S s){} int main(){S s(64); "
        "t(any()); S z = any(); S w[2]={any(),any()}; }"
    ),
    "dtor": (
        "struct S{ int b; ~S(){ float*a; k<<<2,b>>>(a,1);} }; int main(){S s{64}; S z{any()};}"
    ),
}


def _sites(tmp_path: Path, text: str) -> tuple[LaunchSite, ...]:
    path = tmp_path / "unit.cu"
    path.write_text(f"{BEFORE}{text}\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    return found.sites


@pytest.mark.parametrize("how", CHANGED)
def test_a_block_that_changes_is_not_known(tmp_path: Path, how: str) -> None:
    blocks = [site.block for site in _sites(tmp_path, CHANGED[how])]
    assert any(None in block for block in blocks), blocks


COUNTED = {
    "enumeration": (
        "enum E : unsigned char { A = 200, B = 100 };"
        "int main() { float *a; E x = (E)(A + B); E y = static_cast<E>(300);"
        " k<<<1, 32>>>(a, x + y); }",
        88,
    ),
    "unsigned enumeration": (
        "enum E : unsigned { A = 1 };"
        "int main() { float *a; E x = (E)-1; k<<<1, 32>>>(a, x / 2 > 5 ? 7 : 8); }",
        7,
    ),
    "copy of a part": (
        "struct I { int v; I(int x) : v(x) {} I(const I &o) : v(o.v + 1) {} };"
        "struct S { I i; int n; };"
        "int main() { float *a; S s{I(4), 1}; S t = s; k<<<1, 32>>>(a, t.i.v); }",
        None,
    ),
    "copy of an instance of a template": (
        "template <class T> struct I { T v; I(T x) : v(x) {} I(const I &o) : v(o.v + 1) {} };"
        "template <class T> struct S { I<T> i; int n; };"
        "int main() { float *a; S<int> s{I<int>(4), 1}; S<int> t = s; k<<<1, 32>>>(a, t.i.v); }",
        None,
    ),
    "plain copy of an instance of a template": (
        "template <class T> struct S { T v; int n; };"
        "int main() { float *a; S<int> s{4, 1}; S<int> t = s; k<<<1, 32>>>(a, t.v); }",
        4,
    ),
    "copy of a base": (
        "struct I { int v = 4; I() {} I(const I &o) : v(o.v + 1) {} };"
        "struct J : I { int w = 3; }; struct S { J i; int n = 2; };"
        "int main() { float *a; S s; S t(s); k<<<1, 32>>>(a, t.i.v); }",
        None,
    ),
    "plain copy": (
        "struct I { int v; }; struct S { I i; dim3 d; };"
        "int main() { float *a; S s{{4}, 1}; S t = s; k<<<1, 32>>>(a, t.i.v); }",
        4,
    ),
}


@pytest.mark.parametrize("how", COUNTED)
def test_numbers_as_a_run_has_them(tmp_path: Path, how: str) -> None:
    text, expected = COUNTED[how]
    (site,) = _sites(tmp_path, text)
    assert site.arguments[1] == expected


KEPT = [
    "int x = 64; auto f = [x, a] { k<<<2, x>>>(a, 1); }; f();",
    "int x = 64; auto f = [=, n = any()] { use(n); }; f(); k<<<2, x>>>(a, 1);",
    "int x = 64; int n = std::min(x, any()); k<<<n, x>>>(a, 1);",
    "int x = 64; const int& r = x; use(r); k<<<2, x>>>(a, 1);",
    "int x = 64; int b[4]; b[x % 4] = any(); *b = x; k<<<2, x>>>(a, 1);",
    "g = 64; cudaMalloc(&a, g); k<<<2, g>>>(a, 1);",
    "int x = 64; std::vector<int> v(x); v[0] = x; k<<<2, x>>>(a, 1);",
]


@pytest.mark.parametrize("body", KEPT)
def test_a_block_that_stays(tmp_path: Path, body: str) -> None:
    (site,) = _sites(tmp_path, f"int g; void use(int); void f(float *a) {{ {body} }}")
    assert site.block == (64, 1, 1)


RECURSIVE = {
    "itself": "void go(float *a, int s) { if (s > 8) return; k<<<2, 32>>>(a, s); go(a, s * 8); }",
    "another": "void h(float *, int); void go(float *a, int s) { k<<<2, 32>>>(a, s); h(a, s * 8); }"
    " void h(float *a, int s) { if (s < 99) go(a, s); }",
}


@pytest.mark.parametrize("how", RECURSIVE)
def test_a_function_that_calls_itself(tmp_path: Path, how: str) -> None:
    sites = _sites(tmp_path, RECURSIVE[how] + " int main() { float *a; go(a, 1); }")
    assert {site.arguments[1] for site in sites} == {1, None}


def test_pointers_moved_in_a_recursion(tmp_path: Path) -> None:
    sites = _sites(
        tmp_path,
        "void go(float *a, int n) { k<<<2, 32>>>(a, 1); if (n) go(a + 1, n - 1); }"
        " int main() { float *a; go(a, 9); }",
    )
    assert Shifted(4) in {site.arguments[0] for site in sites}


def test_more_callers_than_are_followed(tmp_path: Path) -> None:
    count = 9
    text = "".join(f"void g{n}(float *a, int b);" for n in range(count))
    text += "void g0(float *a, int b) { k<<<1, b>>>(a, 1); }"
    text += "".join(f"void g{n}(float *a, int b) {{ g{n - 1}(a, b); }}" for n in range(1, count))
    for top in range(count):
        calls = "void near(float *a) { g0(a, 64); g1(a, 64); }"
        calls += f"void far(float *a) {{ g{top}(a, 96); }}"
        blocks = {site.block for site in _sites(tmp_path, text + calls)}
        assert blocks & {(96, 1, 1), (None, 1, 1)}, top


def test_what_one_launch_moves_is_moved() -> None:
    assert common_arguments([(), (None, 3, Shifted(4))]) == (None, None, Shifted(4))
    assert common_arguments([(1, 2), (1, 3)]) == (1, None)
    assert common_arguments([]) == ()


def test_pointers_moved_further_away_than_callers_are_followed(tmp_path: Path) -> None:
    for count in (2, 4, 7, 12):
        text = "static void g0(float *a) { k<<<1, 32>>>(a, 1); }"
        text += "".join(f"static void g{n}(float *a) {{ g{n - 1}(a); }}" for n in range(1, count))
        sites = _sites(tmp_path, text + f"void far(float *a) {{ g{count - 1}(a + 1); }}")
        moved = [site.arguments[0] for site in sites]
        assert any(isinstance(argument, Shifted) for argument in moved), count
