"""The language's standard: what the build names, else clang's own, else what the code needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.model.settings import CompileOptions
from tests.conftest import Run

LIBRARY = """\
#include <bit>
#include <concepts>
template <std::integral T> T width(T n) { return std::bit_width(n); }
__global__ void k(float *a) { a[2 * threadIdx.x] = 0; }
void go(float *a, unsigned n) { k<<<1, width(n)>>>(a); }
"""
LANGUAGE = """\
template <typename T> concept Small = sizeof(T) < 8;
template <Small T> __global__ void k(T *a) { a[2 * threadIdx.x] = 0; }
void go(float *a) { k<<<1, 64>>>(a); }
"""


@pytest.mark.parametrize("text", [LIBRARY, LANGUAGE], ids=["library", "language"])
def test_code_of_a_newer_standard_is_compiled_as_such(tmp_path: Path, text: str) -> None:
    source = tmp_path / "unit.cu"
    source.write_text(text)
    unit = compile_unit(str(source), CompileOptions(), partial=True)
    assert unit.ir is not None
    assert unit.found.standard == "c++20"
    assert not unit.host_errors


def test_a_standard_that_is_named_stays(tmp_path: Path) -> None:
    source = tmp_path / "unit.cu"
    source.write_text(LANGUAGE)
    unit = compile_unit(str(source), CompileOptions(std="c++17"))
    assert unit.ir is None
    assert unit.found.standard == ""


def test_it_is_said_and_the_host_is_read_so(tmp_path: Path, drano: Run) -> None:
    (tmp_path / "unit.cu").write_text(LANGUAGE)
    outcome = drano("check", "unit.cu", cwd=tmp_path)
    assert "compiled 1 file as if given -std=c++20" in outcome.stderr
    assert "blocks of 32 threads assumed" not in outcome.stdout
    assert "DRN001" in outcome.stdout
