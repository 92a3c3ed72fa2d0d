"""Names that template arguments make longer than a line."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from drano.output import short_names
from drano.output.short_names import MOST, short_name
from tests.conftest import Run

LONG = "a_namespace::a_class_template_with_a_name_of_its_own<another<float, 4>, 2, 3, 4, 5>"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("k", "k"),
        ("k<float, 4>", "k<float, 4>"),
        (
            f"k<a::b<{LONG}>, 4>",
            "k<a::b<a_namespace::a_class_template_with_a_name_of_its_own<…>>, 4>",
        ),
        (f"k<{LONG}, {LONG}>", "k<…>"),
        (f"a<{LONG}, {LONG}>::k<{LONG}>", "a<…>::k<…>"),
        (f"operator()<{LONG}, {LONG}>", "operator()<…>"),
        (f"a<{LONG}, {LONG}>::operator->", "a<…>::operator->"),
        (f"a<{LONG}, {LONG}>::operator<", "a<…>::operator<"),
        ("k<thrust::THRUST_300001_SM_900_NS::pair<int> >", "k<thrust::pair<int> >"),
        ("k<std::__cxx11::string>", "k<std::string>"),
    ],
)
def test_names(name: str, shown: str) -> None:
    assert short_name(name) == shown
    assert len(shown) <= MOST


def test_examples() -> None:
    assert doctest.testmod(short_names).failed == 0


def test_brackets_that_do_not_match_are_left_alone() -> None:
    name = "f<" + "y" * MOST
    assert short_name(name) == name


def test_a_finding_names_it_in_short_and_in_verbose_output_whole(
    drano: Run, tmp_path: Path
) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "template <class T, class U> struct a_pair_of_types_with_a_long_name {};\n"
        "template <class T> __global__ void k(float *p, T) { p[2 * threadIdx.x] = 1; }\n"
        "using A = a_pair_of_types_with_a_long_name<int, float>;\n"
        "using B = a_pair_of_types_with_a_long_name<A, A>;\n"
        "void f(float *p) { k<<<1, 256>>>(p, B()); }\n"
    )
    short = drano("check", str(source)).stdout
    whole = drano("check", "-v", str(source)).stdout
    assert "in k<a_pair_of_types_with_a_long_name<…> >, blocks of 256 threads" in short
    assert "in k<a_pair_of_types_with_a_long_name<a_pair_of_types_with_a_long_name<int," in whole
