"""Launches in host code with errors: what clang drops may have changed what it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions

HEAD = "__global__ void k(float *a);\nvoid set(int *p, int v);\n"


def blocks(tmp_path: Path, body: str) -> set[int | None]:
    path = tmp_path / "unit.cu"
    path.write_text(f"{HEAD}void f(float *a) {{ {body} }}\n")
    launches = unit_launches(str(path), CompileOptions())
    assert not launches.reason
    return {site.block[0] for site in launches.sites}


@pytest.mark.parametrize(
    "body",
    [
        "int t = 128; t = absent(3); k<<<1, t>>>(a);",
        "int t = 128; t = absent; k<<<1, t>>>(a);",
        "int t = 128; set(&t, absent); k<<<1, t>>>(a);",
        "int t = 128; absent(&t); k<<<1, t>>>(a);",
        "int t = 128; absent(t); k<<<1, t>>>(a);",
        "int t = 128; absent_t lib; lib.choose(t); k<<<1, t>>>(a);",
        "int t = 128; absent_t lib(t); k<<<1, t>>>(a);",
        "int t = 128; for (int i = 0; i < absent; i++) t += 64; k<<<1, t>>>(a);",
        "dim3 t(128); ABSENT(t) k<<<1, t>>>(a);",
        "int t = 128; t = ) 3; k<<<1, t>>>(a);",
        "dim3 t(128); t.x = ns::absent(); k<<<1, t>>>(a);",
        "int t = 128; ns::absent(0, [&](int i) { t = i; }); k<<<1, t>>>(a);",
        "int t = 128; ns::absent([&] { if (t) { t = 3; } }); k<<<1, t>>>(a);",
        "int t = 128; absent_t x = {t = 3}; k<<<1, t>>>(a);",
        "int t = 128; dim3 b; t = {absent}; k<<<1, t>>>(a);",
        "int t = 128;\n#define MORE t = 3\n#define SET MORE\nabsent(SET); k<<<1, t>>>(a);",
    ],
)
def test_what_may_have_changed_is_not_known(tmp_path: Path, body: str) -> None:
    assert blocks(tmp_path, body) == {None}


@pytest.mark.parametrize(
    "body",
    [
        "int t = 128; absent(a); k<<<1, t>>>(a);",
        "const int t = 128; absent(t); k<<<1, t>>>(a);",
        "absent_t h; absent(h); k<<<1, 128>>>(a);",
        "int t = 128; if (absent(a)) { absent(a); } k<<<1, t>>>(a);",
        "int t = 128; { absent(a); } { int u = t; k<<<1, u>>>(a); }",
    ],
)
def test_what_no_error_touches_is_known(tmp_path: Path, body: str) -> None:
    assert blocks(tmp_path, body) == {128}


def test_a_launch_that_is_dropped_may_have_any_shape(tmp_path: Path) -> None:
    assert blocks(tmp_path, "k<<<1, 128>>>(a); k<<<absent, absent>>>(absent);") >= {128, None}


def test_results_of_functions_with_errors_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(
        f"{HEAD}int size(int n) {{ if (n) return 128; return absent; }}\n"
        "void f(float *a, int n) { k<<<1, size(1)>>>(a); }\n"
    )
    launches = unit_launches(str(path), CompileOptions())
    assert {site.block[0] for site in launches.sites} == {None}


OWN = "void go(float *a, int n) { k<<<1, n>>>(a); }\nvoid own(float *a) { go(a, 128); }\n"


@pytest.mark.parametrize(
    "text",
    [
        'ABSENT_MODULE(ext, m) { m.def("go", &go); }',
        'ABSENT_MODULE(ext, m) {\n  absent::type<int>(m, "S");\n  m.def("go", &go);\n}',
        'ABSENT_REGISTER(Go, go, absent::bind().attr<int>("n"));',
        'ABSENT_GLOBAL("go").set_body(go);',
        "ABSENT_DISPATCH(stub, &go);",
        "#define GO go\nABSENT_DISPATCH(stub, &GO);",
        "void f(float *a) { go(a, absent()); }",
        "void f(float *a) { absent([=](int n) { go(a, n); }); }",
    ],
)
def test_a_function_that_is_named_there_may_be_called_with_anything(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(f"{HEAD}{OWN}{text}\n")
    found = unit_launches(str(path), CompileOptions()).sites
    assert {site.block[0] for site in found} >= {None}
