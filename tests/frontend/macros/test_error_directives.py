"""What ``#error`` says of a build's macros, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.macros.error_directives import Asked, asked_at
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit

CHOICE = """#pragma once
#if defined(USE_CUDA) && defined(USE_NPU)
#error "Both are defined."
#elif defined(USE_CUDA)
const int threads = 96;
#elif defined(USE_NPU)
const int threads = 1;
#else
#error "Please define either."
#endif
"""
SOURCE = """#include "config.h"
#ifdef USE_CUDA
#include "cuda_types.h"
#endif
__global__ void k(Row p) { p.data[threadIdx.x] = threads; }
void go(Row p) { k<<<2, threads>>>(p); }
"""
TYPES = """#ifdef USE_CUDA
struct Row { float *data; };
#endif
#ifdef USE_NPU
struct Row { int *data; };
#endif
"""
BOTH = """if(CUDA)
  target_compile_definitions(a PUBLIC USE_CUDA)
elseif(NPU)
  target_compile_definitions(a PUBLIC USE_NPU)
endif()
"""


def compiled(
    folder: Path, build: str, header: str, types: str, defines: tuple[str, ...] = ()
) -> CompiledUnit:
    (folder / ".git").mkdir()
    (folder / "CMakeLists.txt").write_text(build)
    (folder / "config.h").write_text(header)
    (folder / "cuda_types.h").write_text(types)
    path = folder / "a.cu"
    path.write_text(SOURCE)
    return compile_unit(str(path), CompileOptions(defines=defines), partial=True)


def test_one_of_several_is_defined(tmp_path: Path) -> None:
    unit = compiled(tmp_path, BOTH, CHOICE, TYPES)
    assert unit.found.macros == ("USE_CUDA",)
    assert unit.ir is not None and not (unit.not_analysed or unit.host_errors)


def test_of_those_at_odds_cudas_stays(tmp_path: Path) -> None:
    """The missing name is declared under either of two macros, which go with no other."""
    header = CHOICE.replace('#else\n#error "Please define either."\n', "") + TYPES
    unit = compiled(tmp_path, BOTH, header, "")
    assert unit.found.macros == ("USE_CUDA",)
    assert unit.ir is not None and not unit.not_analysed


def test_what_is_given_stays(tmp_path: Path) -> None:
    unit = compiled(tmp_path, BOTH, CHOICE, TYPES, defines=("USE_NPU",))
    assert "USE_CUDA" not in unit.found.macros


def names(*macros: str) -> frozenset[bytes]:
    return frozenset(macro.encode() for macro in macros)


def test_what_no_build_defines_is_chosen(tmp_path: Path) -> None:
    unit = compiled(tmp_path, "project(a CUDA)\n", CHOICE, TYPES)
    assert unit.found.macros == unit.found.chosen == ("USE_CUDA",)
    assert unit.ir is not None and not unit.not_analysed


def test_a_value_that_is_lacking_is_not_chosen(tmp_path: Path) -> None:
    header = "#ifndef TILE\n#error define TILE\n#endif\n" + TYPES
    assert compiled(tmp_path, "project(a CUDA)\n", header, "").found.chosen == ()


@pytest.mark.parametrize(
    ("ways", "branches", "first"),
    [
        ((names("A"), names("B")), 2, names("A")),
        ((names("A"), names("USE_CUDA")), 2, names("USE_CUDA")),
        ((names("WIN32"), names("B")), 2, names("B")),
        ((names("A"),), 0, names()),
        ((), 0, names()),
    ],
)
def test_the_branch_that_is_chosen(
    ways: tuple[frozenset[bytes], ...], branches: int, first: frozenset[bytes]
) -> None:
    assert Asked(ways, branches=branches).first_branch() == first


@pytest.mark.parametrize(
    ("text", "line", "asked"),
    [
        ("#ifndef A\n#error\n#endif", 2, Asked((names("A"),))),
        ("#if !defined(A) && !defined B\n#error x\n#endif", 2, Asked((names("A"), names("B")))),
        ("#ifdef A\n#elif defined(B) && C\n#else\n#  error x\n#endif", 4,
         Asked((names("A"), names("B", "C")), branches=2)),
        ("#if defined(A) && \\\n  defined(B)\n#error x\n#endif", 3,
         Asked((), names("A", "B"))),
        ("#if defined(A) // B\n#error x\n#endif", 2, Asked((), names("A"))),
        ("#ifndef GUARD\n#define GUARD\n#ifdef A\n#endif\n#error x\n#endif", 5,
         Asked((names("GUARD"),))),
        ("#if __CUDACC_VER_MAJOR__ < 12\n#error x\n#endif", 2, Asked()),
        ("#if !(defined(A) || defined(B))\n#error x\n#endif", 2, Asked((names("A"), names("B")))),
        ("#if !(defined(A) && defined(B))\n#error x\n#endif", 2, Asked((names("A", "B"),))),
        ("#if defined(A) || defined(B)\n#else\n#error x\n#endif", 3,
         Asked((names("A"), names("B")), branches=2)),
        ("#if defined(A) || defined(B)\n#error x\n#endif", 2, Asked()),
        ("#error x\n", 1, Asked()),
        ("#ifdef A\n#error x\n#endif", 1, Asked()),
        ("#ifdef A\n#error x\n#endif", 9, Asked()),
        ("#endif\n#else\n#error x", 3, Asked()),
        ("", 1, Asked()),
    ],
)  # fmt: skip
def test_conditions(text: str, line: int, asked: Asked) -> None:
    assert asked_at(text.encode(), line) == asked


@pytest.mark.parametrize("part", [b"! defined ( ", b"!(", b"(a)("])
def test_long_conditions_take_no_time(part: bytes) -> None:
    text = b"#if !(" + part * 100_000 + b"\n#error x\n#endif\n"
    assert asked_at(text, 2) == Asked()
