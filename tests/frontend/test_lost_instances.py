"""Templates whose instances errors cost, and those that they do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.repair.instances import split
from drano.frontend.repair.lost_templates import with_lost_templates
from drano.frontend.template_instances import with_instances
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit
from tests.frontend.rescued_units import compiled, kernels, lost


def test_errors_of_instances_and_of_lambdas(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """template <class T> __device__ void set(T *p) { p->field = 1; }
template <class T> __global__ void k(T *a) { set(a + threadIdx.x); }
template <class F> __global__ void apply(F f) { f(threadIdx.x); }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
void run(float *a) {
  k<<<1, 32>>>(a);
  apply<<<1, 32>>>([=] __device__(int i) { a[i] = 1; a[0] = nothing; });
  apply<<<1, 32>>>([=] __device__(int i) { a[i] = 1; });
}
""",
    )
    assert unit.ir is not None
    assert len(kernels(unit)) == 2  # good, and apply of the sound lambda
    names = sorted(lost(unit))
    assert names[0].startswith("apply<(lambda at ")
    assert names[1:] == ["k<float>"]


INSTANCES = """enum Kind { LOW, HIGH };
struct Odd { int x; };
template <typename T> struct Op {
  template <int N> __device__ static T run(T x) {
    return x * N;
  }
};
template <typename T, Kind K, bool B> __global__ void k(T *a) {
  a[threadIdx.x * 2] = a[threadIdx.x] + a[0];
}
template <typename T> __global__ void m(T *a) { a[threadIdx.x] = Op<T>::template run<3>(a[0]); }
template <typename T> __device__ bool odd(T x) { return sizeof(T) == 4 && x & 1; }
template <typename T> __global__ void one(T *a) { if (odd(a[0])) a[0] = a[1]; }
template <typename... T> __global__ void pack(float *a, T... x) {
  a[0] = (x + ...);
}
void run(float *f, int *i, Odd *o) {
  k<float, LOW, true><<<1, 32>>>(f); k<int, HIGH, true><<<1, 32>>>(i);
  k<Odd, HIGH, false><<<1, 32>>>(o); k<Odd, LOW, false><<<1, 32>>>(o);
  m<<<1, 32>>>(f); m<<<1, 32>>>(i); m<<<1, 32>>>(o);
  one<<<1, 32>>>(i); one<<<1, 32>>>(o); pack<<<1, 32>>>(f, 1, 2.0f); pack<<<1, 32>>>(f, 1, Odd{});
}
"""


def test_errors_of_an_instance_cost_no_other(tmp_path: Path) -> None:
    unit = compiled(tmp_path, INSTANCES)
    assert kernels(unit) == {
        "_Z1kIfL4Kind0ELb1EEvPT_", "_Z1kIiL4Kind1ELb1EEvPT_", "_Z1mIfEvPT_", "_Z1mIiEvPT_"
    }  # fmt: skip
    odd = "('Odd' and 'Odd')"
    cause = "invalid operands to binary expression"
    assert lost(unit) == {
        "k<Odd, (Kind)1, false>": f"{cause} {odd}",
        "k<Odd, (Kind)0, false>": f"{cause} {odd}",
        "m<Odd>": f"{cause} ('Odd' and 'int')",
        # Bodies on one line, whose columns would move, and packs go as a whole.
        "one<int>": f"{cause} ('Odd' and 'int')",
        "one<Odd>": f"{cause} ('Odd' and 'int')",
        "pack<int, float>": f"{cause} ('int' and 'Odd')",
        "pack<int, Odd>": f"{cause} ('int' and 'Odd')",
    }
    assert unit.ir is not None
    assert re.search(r"!DILocation\(line: 9, column: 22,", unit.ir)


@pytest.mark.parametrize(
    ("specialisation", "parts"),
    [
        ("ns::k<Half, 2>", ("ns::k", ("Half", "2"))),
        ("A<int, B<2, C>>::f<(Kind)1>", ("A::f", ("int", "B<2, C>", "(Kind)1"))),
        ("plain", ("plain", ())),
        (
            "k<std::array<int, 2>, void (int, float)>",
            ("k", ("std::array<int, 2>", "void (int, float)")),
        ),
    ],
)
def test_arguments_of_an_instance(specialisation: str, parts: tuple[str, tuple[str, ...]]) -> None:
    assert split(specialisation) == parts


def test_bodies_that_nobody_instantiates_cost_nothing(tmp_path: Path) -> None:
    source = """template <class T> __global__ void k(T *a) { a[threadIdx.x] = missing(1); }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
"""
    unit = compiled(tmp_path, source)
    assert unit.not_analysed == ()
    assert kernels(unit) == {"_Z4goodPf"}
    unit = compiled(tmp_path, source + "template __global__ void k(float *);\n")
    assert list(lost(unit)) == ["k<float>"]
    launches = "void f() { k<gone::T<1>><<<1, 32>>>(0); }\n", "void f() { k <<<1, 32>>>(gone); }\n"
    for launch in launches:  # an error takes the instance
        assert list(lost(compiled(tmp_path, source + launch))) == ["k"]


HEADER_THAT_LAUNCHES = """#pragma once
#include <no/such.h>
template <typename T> __global__ void lost(T *a, int n) { a[threadIdx.x * n] = 1; }
template <typename T> __global__ void unused(T *a, int n) { a[threadIdx.x * n] = 1; }
template <typename T> void run(T *a) {
  auto kernel = &lost<T>;
  kernel<<<1, 128>>>(a, such::size<4>());
}
"""


def test_templates_are_lost_with_what_would_instantiate_them(tmp_path: Path) -> None:
    (tmp_path / "launch.h").write_text(HEADER_THAT_LAUNCHES)
    unit = compiled(tmp_path, '#include "launch.h"\nvoid go() { run<such::half>(nullptr); }\n')
    whole = with_lost_templates(unit)
    assert not kernels(whole)
    assert [k.kernel for k in whole.not_analysed] == ["lost"]
    (only,) = whole.not_analysed
    assert only.location is not None
    assert only.location.span.line == 3
    assert only.cause.message.startswith("host code that may instantiate it does not compile: use")


def test_templates_with_instances_are_not_lost(tmp_path: Path) -> None:
    (tmp_path / "launch.h").write_text(HEADER_THAT_LAUNCHES)
    unit = compiled(tmp_path, '#include "launch.h"\nvoid go() { run<float>(nullptr); }\n')
    assert with_lost_templates(unit).not_analysed == ()


def test_templates_that_errors_cost_are_not_told_to_lack_an_instance(tmp_path: Path) -> None:
    source = """template <typename T> __global__ void k(T *a) { no_such(a); a[threadIdx.x] = 1; }
void go() { k<<<1, 32>>>((float *)nullptr); }
"""
    unit = compiled(tmp_path, source)

    def again(text: str | bytes | None) -> CompiledUnit:
        return compile_unit(unit.path, CompileOptions(), source_text=text, partial=True)

    whole = with_instances(unit, CompileOptions(), source, again)
    assert list(lost(whole)) == ["k<float>"]
    assert whole.diagnostics == ()
