"""Kernel templates without instances, and instances that are asked for."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.frontend import template_instances
from drano.frontend.template_instances import is_template_id, kernel_templates
from tests.conftest import Run

TEMPLATES = """\
// template <class T> __global__ void comment(T* a) {}
#define MACRO template <class T> __global__ void macro(T* a) {}
namespace a { namespace { struct S { int x; }; }
namespace b {
template <typename T, int N = 2>
__global__ void __launch_bounds__(64, 1) k(T* p) {
  p[N * threadIdx.x] = T();
}
} }
template <int N, bool B> __global__ void n(float* p) { if (B) p[N * threadIdx.x] = 0; }
template <class T> __device__ T helper(T x) { return x; }
template <class T> __global__ void declared(T* p);
"""


def test_templates_are_found_in_the_text() -> None:
    assert doctest.testmod(template_instances).failed == 0
    found = kernel_templates(TEMPLATES)
    assert [(t.name, t.line, t.guess, t.example) for t in found] == [
        ("a::b::k", 5, "float", "float"),
        ("n", 10, "", "4, true"),
    ]
    for broken in (
        "template <",
        "template <class T __global__ void k(",
        "namespace a {{{ template<",
    ):
        assert kernel_templates("__global__ template " + broken) == []


@pytest.mark.parametrize(
    "text",
    [
        "k<float>",
        "a::k<4, -1>",
        "::k<a::T<int*, const char&>, 'x', true>",
        "k<>",
        "k <0x1F, '\\''>",
    ],
)
def test_names_of_instances(text: str) -> None:
    assert is_template_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "k", "<int>", "k<int", "k<int>>", "k<int>; int x", "k<int>(0)", "k<sizeof(int)>",
        "k<{}>", 'k<"x">', "k<int>\n", "k<'ab'>", "k<#>", "k<%:>", "k<<:int>", "k<int> x",
        "k<" * 300 + ">" * 300 + "é", "k<'\n'>", "k<@>", "k<`>", "k<int>/**/",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    assert not is_template_id(text)


def test_refusals_are_one_line(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float* a) { a[threadIdx.x] = 0; }\n")
    outcome = drano("check", "--instantiate", "k<f()>", "a.cu")
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    (tmp_path / "drano.toml").write_text('compile = { instantiate = ["k<f()>"] }\n')
    outcome = drano("check", "a.cu")
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    assert "compile.instantiate" in outcome.stderr


def test_templates_without_instances_are_tried_and_named(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "t.cu").write_text(TEMPLATES)
    outcome = drano("check", "--no-cache", "t.cu")
    assert outcome.status == 1
    assert " --> t.cu:7:3, in k<float, 2>, blocks of" in outcome.stdout
    assert outcome.stderr.splitlines() == [
        "drano: note: t.cu:5: kernel template a::b::k is not instantiated here: analysed as "
        "k<float> (--instantiate 'a::b::k<float>' for others)",
        "drano: note: t.cu:10: kernel template n is not instantiated here: not analysed; "
        "--instantiate 'n<4, true>' does",
    ]
    given = drano(
        "check", "t.cu", "--instantiate", "n<4, true>", "--instantiate", "a::b::k<double, 1>"
    )
    assert given.stderr == ""
    assert "in n<4, true>, blocks of" in given.stdout
    assert "k<float" not in given.stdout
    (tmp_path / "drano.toml").write_text('compile = { instantiate = ["n<8, true>"] }\n')
    assert "in n<8, true>, blocks of" in drano("check", "t.cu").stdout


def test_what_does_not_compile_costs_nothing(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "t.cu").write_text(
        "template <class T> __global__ void k(T p) { p.member[threadIdx.x] = 0; }\n"
        "__global__ void own(float* a) { a[2 * threadIdx.x] = 0; }"
    )
    outcome = drano("check", "t.cu")
    assert outcome.status == 1
    assert "not analysed; --instantiate 'k<float>' does" in outcome.stderr
    bad = drano("check", "t.cu", "--instantiate", "k<nothing>")
    assert bad.status == 2
    assert bad.error_lines == [
        "drano: error: t.cu: 'k<nothing>' cannot be instantiated: "
        "use of undeclared identifier 'nothing'"
    ]


def test_a_template_that_is_launched_needs_no_note(drano: Run, tmp_path: Path) -> None:
    header = tmp_path / "t.cuh"
    header.write_text(TEMPLATES)
    (tmp_path / "m.cu").write_text(
        '#include "t.cuh"\nvoid f(float* p) { a::b::k<float><<<1, 32>>>(p); }\n'
    )
    outcome = drano("check", "m.cu")
    assert (outcome.status, outcome.stderr) == (1, "")
    asked = drano("check", "m.cu", "--instantiate", "n<4, true>", "--instantiate", "gone<1>")
    assert "in n<4, true>, blocks of" in asked.stdout
    assert asked.stderr == ("drano: note: --instantiate 'gone<1>': no such kernel template\n")


def test_types_that_are_named_as_indices_are_integers(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "t.cu").write_text(
        "template <typename IndexType, class offset_t, class Interval> __global__ void k(\n"
        "    Interval* a, const IndexType* at, offset_t by) {\n"
        "  a[at[threadIdx.x] << by] = 0;\n"
        "}\n"
    )
    said = drano("check", "--no-cache", "t.cu").stderr
    assert "not instantiated here: analysed as k<int, int, float>" in said
