"""Kernels that the host code may launch in ways that it does not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.access import Launch
from drano.model.judgement import Judgement, Verdict
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit

BEFORE = """#include <cstdio>
__global__ void k(float *p, int s) { p[threadIdx.x * s] = 0; }
template <class T> __global__ void t(T *p, int s) { p[threadIdx.x * s] = 0; }
template <class F, class... A> void run(F f, int block, A... a) { f<<<1, block>>>(a...); }
typedef void (*Kernel)(float *, int);
void use(Kernel f);
"""
LAUNCH = "void launch(float *p) { k<<<1, 64>>>(p, 1); t<float><<<1, 64>>>(p, 1); }\n"

# Each names k otherwise than to launch it, in its last line.
NAMED = [
    "void f(float *p) { run(k, 64, p, 1); use(k); }",
    "void keep(Kernel g) { use(g); } void f(float *p) { keep(k); }",
    "Kernel last; void f(float *p) { last = k; last<<<1, 64>>>(p, 1); }",
    "void go(Kernel g, float *p) { g<<<1, 64>>>(p, 1); use(g); } void f(float *p) { go(k, p); }",
    "void go(Kernel g, float *p) { auto h = g; use(h); g<<<1, 64>>>(p, 1); }"
    " void f(float *p) { go(k, p); }",
    "void go(Kernel *g, float *p) { (*g)<<<1, 64>>>(p, 1); }"
    " void f(float *p) { Kernel h = k; go(&h, p); }",
    "template <Kernel K> void go(float *p) { K<<<1, 64>>>(p, 1); use(K); }"
    " void f(float *p) { go<k>(p); }",
    "template <Kernel K> struct S { static void go(float *p) { use(K); } };"
    " void f(float *p) { S<k>::go(p); }",
    "const void *kept; bool keep(const void *g) { kept = g; return true; }"
    " void f(float *p) { keep((const void *)k); }",
    "const void *keep(const void *g) { return g; } void f() { keep((const void *)k); }",
    "struct S { Kernel g; }; void f(float *p) { S s = {k}; s.g<<<1, 64>>>(p, 1); }",
    "void go(Kernel g, float *p, int d) { if (d) go(g, p, d - 1); else g<<<d, 64>>>(p, 1); }"
    " Kernel any(); void f(float *p) { go(k, p, 1); any()<<<1, 64>>>(p, 1); }",
    "void f(float *p, int b, Kernel other) { Kernel g = b ? &k : other; use(g); }",
    "Kernel table[] = {nullptr, k};",
    "struct S { Kernel f = k; };",
    "namespace n { static auto g = [](float *p) { use(k); }; }",
    "template <class T> void f(T *p) { run(k, 3, (float *)p, 2); }",
    "#define WITH(kernel) use(kernel)\nvoid f(float *p) { WITH(k); }",
]
NOT_NAMED = [
    "void f(float *p) { run(k, 64, p, 1); }",
    "void f(float *p) { auto g = k; g<<<1, 64>>>(p, 1); }",
    "void f(float *p) { Kernel g; if (p) g = k; else g = &k; run(g, 64, p, 1); }",
    "#define WITH(kernel, ...) run(kernel, 64, __VA_ARGS__)\nvoid f(float *p) { WITH(k, p, 1); }",
    "bool has(const void *g) { static const void *seen; return seen == g; }"
    " void f(float *p) { if (has((const void *)k)) run(k, 64, p, 1); }",
    'void f() { puts("k k"); int k = 1; k++; }',
    "void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1); }",
    "void f(int *x) { cudaOccupancyMaxPotentialBlockSize(x, x, k); }",
    "template <class T> void f(T *p) { cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1); }",
    "void f(float *p) { void *a[] = {&p}; cudaLaunchKernel((void *)k, 1, 64, a, 0, 0); }",
    "namespace n { void k(float *p) { ::k<<<1, 64>>>(p, 1); } }",
]


def _named(tmp_path: Path, text: str) -> list[tuple[str, int]]:
    path = tmp_path / "unit.cu"
    path.write_text(BEFORE + LAUNCH + text + "\n")
    found = unit_launches(str(path), CompileOptions())
    assert found.reason == ""
    assert any(not site.named for site in found.sites)
    return [(site.kernel_name, site.span.line) for site in found.sites if site.named]


@pytest.mark.parametrize("text", NAMED)
def test_places_that_name_a_kernel_otherwise(tmp_path: Path, text: str) -> None:
    last = (BEFORE + LAUNCH + text).count("\n") + 1
    assert _named(tmp_path, text) == [("k", last)]


@pytest.mark.parametrize("text", NOT_NAMED)
def test_what_launches_a_kernel_or_only_asks_about_it(tmp_path: Path, text: str) -> None:
    assert _named(tmp_path, text) == []


@pytest.mark.parametrize(("text", "known"), [*((text, False) for text in NAMED), ("", True)])
def test_nothing_is_proved_by_the_launches_that_are_shown(
    tmp_path: Path, text: str, known: bool
) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(BEFORE + LAUNCH + text + "\n")
    report = check_unit(str(path), Config(), None)
    one = next(kernel for kernel in report.kernels if kernel.name == "k")
    (access,) = (access for access in report.accesses if access.kernel == "k")
    assert access.judgement.possible is not known  # the stride is a number, or may be 1
    shown = Launch((64, 1, 1), assumed=False)
    if known:
        assert access.judgement.verdict is Verdict.COALESCED
        assert one.launches == (shown,)
        assert one.launches_known
    else:
        assert one.launches == (shown, Launch((32, 1, 1), assumed=True))
        assert not one.launches_known


def test_one_instance_of_a_template(tmp_path: Path) -> None:
    text = "void f(int *p, float *q) { t<int><<<1, 64>>>(p, 1); other(t<int>); }"
    text = "void other(void (*f)(int *, int));" + text
    path = tmp_path / "unit.cu"
    path.write_text(BEFORE + LAUNCH + text + "\n")
    report = check_unit(str(path), Config(), None)
    said = {access.kernel: access.judgement for access in report.accesses}
    assert said["t<float>"].verdict is Verdict.COALESCED
    assert said["t<int>"].possible


CALLED = """#include <thread>
__global__ void k(float *p, int s) { p[threadIdx.x * s] = 0; }
float *p;
template <class F> void apply(F f) { f(2); }
#define CALL(f, x) f(x)
struct Base { virtual void go(int s) = 0; };
"""
GO = "void go(int s) { k<<<1, 64>>>(p, s); }\n"
METHOD = f"struct Method {{ {GO} }};"
DERIVED = "struct Derived : Base { void go(int s) override { k<<<1, 64>>>(p, s); } };"
CALLED_OTHERWISE = [
    GO + "void f() { go(1); auto g = go; g(2); }",
    GO + "void f() { go(1); apply(go); }",
    GO + "void f() { go(1); std::thread t(go, 2); t.join(); }",
    GO + "void (*table[])(int) = {&go}; void f() { go(1); table[0](2); }",
    METHOD + "void f() { Method m; m.go(1); auto g = &Method::go; (m.*g)(2); }",
    DERIVED + "void f() { Derived d; d.go(1); }",
]
ONLY_CALLED = [
    GO + "void f() { go(1); ::go(1); CALL(go, 1); (go)(1); }",
    METHOD + "void f() { Method m; m.go(1); (&m)->go(1); }",
    GO + "template <class T> void f(T *) { CALL(go, 1); go(1); } void g() { f((int *)p); }",
]


@pytest.mark.parametrize("text", CALLED_OTHERWISE)
def test_functions_that_may_be_called_in_ways_unknown(tmp_path: Path, text: str) -> None:
    assert _judgement(tmp_path, CALLED + text).possible


@pytest.mark.parametrize("text", ONLY_CALLED)
def test_functions_that_are_only_called(tmp_path: Path, text: str) -> None:
    assert _judgement(tmp_path, CALLED + text).verdict is Verdict.COALESCED


def _judgement(tmp_path: Path, text: str) -> Judgement:
    path = tmp_path / "unit.cu"
    path.write_text(text + "\n")
    (access,) = check_unit(str(path), Config(), None).accesses
    return access.judgement


def test_kernels_that_other_units_launch_are_named_too(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(
        "#define KERNEL __global__\n"
        "#define DECLARE(name) __global__ void name(float*)\n"
        "__global__ void k(float*);\nKERNEL void m(float* a) { a[0] = 1; }\nDECLARE(d);\n"
        "__global__ void quiet(float*);\nvoid helper(int quiet);\n"
        "__global__ void z(float*) {}\nvoid f(float* p) { z<<<1, 64>>>(p); }\n"
        "void* table[] = {(void*)k, (void*)m};\n"
        "void run(void (*)(float*));\nvoid g(int quiet) { run(d); helper(quiet); }\n"
    )
    found = unit_launches(str(path), CompileOptions()).sites
    assert [(s.kernel, s.named, s.external) for s in found] == [
        ("_Z1zPf", False, True),
        ("_Z1kPf", True, True),
        ("_Z1mPf", True, True),
        ("_Z1dPf", True, True),
    ]
