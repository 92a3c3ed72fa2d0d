"""Launches whose grid and block stand in braces."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.repair.launch_braces import named_shapes, own_column
from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import LaunchSite

KERNEL = "__global__ void k(float *p, int n) { p[n] = 0; }\ntemplate <class T, int N> T two();\n"
N = None
SHAPES = [
    ("k<<<{8, 8}, {32, 4}>>>(p, 1);", (8, 8, 1), (32, 4, 1)),
    ("k<<<{8, 8}, 32>>>(p, 1);", (8, 8, 1), (32, 1, 1)),
    ("k<<<2, {64}>>>(p, 1);", (2, 1, 1), (64, 1, 1)),
    ("k<<<2, {}>>>(p, 1);", (2, 1, 1), (1, 1, 1)),
    ("k<<< /* grid */ { 2, 3, 4 } , { 5 * 2, 1 }, 0, 0>>>(p, 1);", (2, 3, 4), (10, 1, 1)),
    ("k<< <{2}, {3, 2}>> >(p, 1);", (2, 1, 1), (3, 2, 1)),
    ("unsigned w = 16; k<<<{w}, {w, 2u}>>>(p, 1);", (16, 1, 1), (16, 2, 1)),
    ("k<<<1, {m, 8}>>>(p, 1);", (1, 1, 1), (N, 8, 1)),
    ("k<<<1, {dim3(4, 4)}>>>(p, 1);", (1, 1, 1), (4, 4, 1)),
    ("dim3 b{4, 2}; k<<<1, {b.x, b.y}>>>(p, 1);", (1, 1, 1), (4, 2, 1)),
    ("k<<<[] { return 3; }(), {4}>>>(p, 1);", (3, 1, 1), (4, 1, 1)),
    ("dim3 b{dim3{m, 2}}; k<<<1, b>>>(p, 1);", (1, 1, 1), (N, 2, 1)),
]


def sites(tmp_path: Path, text: str) -> tuple[LaunchSite, ...]:
    path = tmp_path / "unit.cu"
    path.write_text(text)
    result = unit_launches(str(path), CompileOptions())
    assert result.reason == ""
    return result.sites


@pytest.mark.parametrize(("body", "grid", "block"), SHAPES)
def test_shapes_in_braces(tmp_path: Path, body: str, grid: object, block: object) -> None:
    (site,) = sites(tmp_path, f"{KERNEL}void host(float *p, unsigned m) {{ {body} }}\n")
    assert (site.grid, site.block) == (grid, block)


def test_columns_are_the_sources(tmp_path: Path) -> None:
    (tmp_path / "other.cuh").write_text(
        "inline void other(float *p) { k<<<{1}, {2}>>>(p, 1); k<<<{3}, 4>>>(p, 1); }\n"
    )
    text = (
        f'{KERNEL}#include "other.cuh"\n'
        "void host(float *p) { k<<<{1}, {2}>>>(p, 1); k<<<{1}, 2>>>(p, 1);\n"
        "  for (int i = 0; i < 9; i++) k<<<2, {2}>>>(p, 1); }\n"
    )
    found = sites(tmp_path, text)
    places = [(Path(s.span.path).name, s.span.line, s.span.column) for s in found]
    assert places == [
        ("other.cuh", 1, 31),
        ("other.cuh", 1, 54),
        ("unit.cu", 4, 23),
        ("unit.cu", 4, 46),
        ("unit.cu", 5, 31),
    ]
    assert [s.block[0] for s in found] == [2, 4, 2, 2, 2]
    assert found[-1].loops[0].span.column == 3


def test_only_shapes_of_launches_get_a_type() -> None:
    source = b'f(1 <<2, {3}); "k<<<{1}, 2>>>"; k<<<1, 2, {}>>>(); if (a <<< b) { c; }'
    assert named_shapes(source)[0] is source
    changed, columns = named_shapes(b"\nk<<<{1}, {2}>>>(); k();")
    assert changed == b"\nk<<<dim3{1}, dim3{2}>>>(); k();"
    assert columns == {2: [5, 14]}
    assert own_column(columns, 2, 28) == 20
    assert own_column(columns, 2, 1) == 1
