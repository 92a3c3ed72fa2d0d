"""Each way to write a launch's shape, and each way to hide it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.launch_sites import KERNEL, N, shapes, sites

UNKNOWN = (N, N, N)

KNOWN = [
    ("k<<<4, 64>>>(p, 1);", ((4, 1, 1), (64, 1, 1))),
    ("k<<<dim3(2, 3), dim3(8, 4, 2)>>>(p, 1);", ((2, 3, 1), (8, 4, 2))),
    ("dim3 g(5), b(16, 16); k<<<g, b>>>(p, 1);", ((5, 1, 1), (16, 16, 1))),
    ("dim3 b = dim3(7, 2); k<<<1, b>>>(p, 1);", ((1, 1, 1), (7, 2, 1))),
    ("dim3 b{1, 2, 3}; k<<<1, b>>>(p, 1);", ((1, 1, 1), (1, 2, 3))),
    ("dim3 b = {4, 5}; k<<<1, b>>>(p, 1);", ((1, 1, 1), (4, 5, 1))),
    ("dim3 b; b.x = 8; b.y = 9; k<<<1, b>>>(p, 1);", ((1, 1, 1), (8, 9, 1))),
    ("dim3 b(1); b = dim3(32, 2); k<<<1, b>>>(p, 1);", ((1, 1, 1), (32, 2, 1))),
    ("dim3 b(32, 2), c = b; k<<<c.y, c>>>(p, 1);", ((2, 1, 1), (32, 2, 1))),
    ("int t = 256; k<<<1, t>>>(p, 1);", ((1, 1, 1), (256, 1, 1))),
    ("int t; t = 128; k<<<1, t>>>(p, 1);", ((1, 1, 1), (128, 1, 1))),
    ("int t = 1; t <<= 5; t += 3; k<<<1, t>>>(p, 1);", ((1, 1, 1), (35, 1, 1))),
    ("int t = 31; t++; --t; ++t; k<<<1, t>>>(p, 1);", ((1, 1, 1), (32, 1, 1))),
    ("int n = 1000; k<<<(n + 255) / 256, 256>>>(p, n);", ((4, 1, 1), (256, 1, 1))),
    ("int n = 70; k<<<n % 64, n > 64 ? 64 : n>>>(p, n);", ((6, 1, 1), (64, 1, 1))),
    ("k<<<(1 << 10) >> 3, sizeof(float) * 8>>>(p, 1);", ((128, 1, 1), (32, 1, 1))),
    ("k<<<(unsigned)2, static_cast<int>(64L)>>>(p, 1);", ((2, 1, 1), (64, 1, 1))),
    ("k<<<(int)ceil(100 / 16.0), (int)64.5f>>>(p, 1);", ((7, 1, 1), (64, 1, 1))),
    (
        "int n = 100; k<<<ceil(n / 16.0), ceilf((float)n / 8) + 0.5>>>(p, 1);",
        ((7, 1, 1), (13, 1, 1)),
    ),
    (
        "int n = 9; float s = 1.5f; int t = n * s; k<<<1, t - int(-s)>>>(p, 1);",
        ((1, 1, 1), (14, 1, 1)),
    ),
    ("k<<<1, min(100, 64)>>>(p, 1);", ((1, 1, 1), (64, 1, 1))),
    ("k<<<1, 64, 128, 0>>>(p, 1);", ((1, 1, 1), (64, 1, 1))),
    ("const int t = 4 * 8; k<<<1, t>>>(p, 1);", ((1, 1, 1), (32, 1, 1))),
    ("static const int t = 48; k<<<1, t>>>(p, 1);", ((1, 1, 1), (48, 1, 1))),
    ("constexpr int t = 48; k<<<1, t>>>(p, 1);", ((1, 1, 1), (48, 1, 1))),
    ("enum { T = 96 }; k<<<1, T>>>(p, 1);", ((1, 1, 1), (96, 1, 1))),
    ("for (int i = 0; i < 9; i++) { int t = 64; k<<<i, t>>>(p, i); }", ((N, 1, 1), (64, 1, 1))),
    (
        "dim3 g; for (int i = 0; i < 9; i++) { g.x = i; k<<<g, 64>>>(p, i); }",
        ((N, 1, 1), (64, 1, 1)),
    ),
    ("int t = 64; do { k<<<1, t>>>(p, 1); t = 2; } while (0);", ((1, 1, 1), (64, 1, 1))),
    (
        "int t = 64; k<<<1, t>>>(p, 1); cudaMemcpy(&t, p, 4, cudaMemcpyDefault);",
        ((1, 1, 1), (64, 1, 1)),
    ),
    (
        "int t = 64; cudaMemcpy(p, &t, 4, cudaMemcpyDefault); k<<<1, t>>>(p, 1);",
        ((1, 1, 1), (64, 1, 1)),
    ),
    ("if (sizeof(int) == 8) k<<<1, 1>>>(p, 1); else k<<<2, 2>>>(p, 1);", ((2, 1, 1), (2, 1, 1))),
    ("auto f = [=] { k<<<1, 32>>>(p, 1); }; f();", ((1, 1, 1), (32, 1, 1))),
    ("const dim3 t(8, 4); [&] { k<<<1, t>>>(p, 1); }();", ((1, 1, 1), (8, 4, 1))),
    ("int t = 32; t = 64; [=] { k<<<1, t>>>(p, 1); }();", ((1, 1, 1), (64, 1, 1))),
    ("int t = 64; [&] { auto f = &k; f<<<1, t>>>(p, 1); }();", ((1, 1, 1), (64, 1, 1))),
    ("int t = 64; [&] { return [&] { k<<<1, t>>>(p, 1); }(); }();", ((1, 1, 1), (64, 1, 1))),
]


@pytest.mark.parametrize(("body", "expected"), KNOWN)
def test_constant_shapes(tmp_path: Path, body: str, expected: object) -> None:
    assert shapes(tmp_path, body) == [expected]


BEFORE = [
    (
        "#define BLOCK 16\n#define SQ(x) ((x) * (x))",
        "k<<<SQ(3), dim3(BLOCK, BLOCK)>>>(p, 1);",
        ((9, 1, 1), (16, 16, 1)),
    ),
    ("static const int Q = 2 * 64;", "k<<<1, Q>>>(p, 1);", ((1, 1, 1), (128, 1, 1))),
    ("const dim3 Q(8, 8);", "k<<<1, Q>>>(p, 1);", ((1, 1, 1), (8, 8, 1))),
    ("enum Size { SMALL = 32, LARGE };", "k<<<LARGE, SMALL>>>(p, 1);", ((33, 1, 1), (32, 1, 1))),
    (
        "namespace a { constexpr int t() { return 24; } }",
        "k<<<1, a::t()>>>(p, 1);",
        ((1, 1, 1), (24, 1, 1)),
    ),
    ("struct S { static const int T = 40; };", "k<<<1, S::T>>>(p, 1);", ((1, 1, 1), (40, 1, 1))),
    (
        "int up(int a, int b) { return (a + b - 1) / b; }",
        "k<<<up(100, 32), 32>>>(p, 1);",
        ((4, 1, 1), (32, 1, 1)),
    ),
    (
        "dim3 square(int a) { dim3 d; d.x = a; d.y = a; return d; }",
        "k<<<1, square(8)>>>(p, 1);",
        ((1, 1, 1), (8, 8, 1)),
    ),
    (
        "#define LAUNCH(f, g, b, ...) f<<<g, b>>>(__VA_ARGS__)",
        "LAUNCH(k, 3, 64, p, 1);",
        ((3, 1, 1), (64, 1, 1)),
    ),
]


@pytest.mark.parametrize(("before", "body", "expected"), BEFORE)
def test_constants_from_outside_the_function(
    tmp_path: Path, before: str, body: str, expected: object
) -> None:
    if "LAUNCH" in before:
        before = f"{KERNEL.replace('{ p[n] = 0; }', ';')}{before}"
    assert shapes(tmp_path, body, before) == [expected]


UNCERTAIN = [
    "int t = 64; for (int i = 0; i < 9; i++) { k<<<1, t>>>(p, 1); t = t / 2; }",
    "int t = 64; while (*p) t++; k<<<1, t>>>(p, 1);",
    "int t = 64; int *q = &t; *q = 3; k<<<1, t>>>(p, 1);",
    "int t = 64; int &r = t; r = 3; k<<<1, t>>>(p, 1);",
    "int t = 64; change(t); k<<<1, t>>>(p, 1);",
    'int t = 64; scanf("%d", &t); k<<<1, t>>>(p, 1);',
    "int t = 64; auto f = [&] { t = 3; }; f(); k<<<1, t>>>(p, 1);",
    "int t = 64; [&] { t = m; }(); k<<<1, t>>>(p, 1);",
    "int t = 64; [&] { t = m; k<<<1, t>>>(p, 1); }();",
    "int t = 64; for (int i = 0; i < m; i++) { [&] { k<<<1, t>>>(p, 1); }(); t = t + 32; }",
    "int t = 64; int &r = t; [&] { r = m; k<<<1, t>>>(p, 1); }();",
    "int t = 64; [&] { change(t); k<<<1, t>>>(p, 1); }();",
    "int t = 64; [&] { change(t); }(); k<<<1, t>>>(p, 1);",
    "int t = 64; [](int t) { k<<<1, t>>>(nullptr, 1); }(m);",
    "int t; k<<<1, t>>>(p, 1);",
    "static int t = 64; k<<<1, t>>>(p, 1); t = 32;",
    "int t = 64; again: k<<<1, t>>>(p, 1); t = 32; if (*p) goto again;",
    "int t = global; k<<<1, t>>>(p, 1);",
    "int t = m; k<<<1, t>>>(p, 1);",
    "int t = 1 / 0; k<<<1, t>>>(p, 1);",
    "int t = 2147483647; t = t + 1; k<<<1, t>>>(p, 1);",
    "int t = 64; m && (t = 3); k<<<1, t>>>(p, 1);",
    "int a[2] = {64, 32}; k<<<1, a[m]>>>(p, 1);",
    "int t = 64; for (;;) { k<<<1, t>>>(p, 1); change(t); }",
    "int t = 64; for (int i = 0; i < m; i++) { int *q = &t; *q = 1; } k<<<1, t>>>(p, 1);",
]


@pytest.mark.parametrize("body", UNCERTAIN)
def test_what_is_not_certain_is_unknown(tmp_path: Path, body: str) -> None:
    before = "#include <cstdio>\nvoid change(int &x); int global = 64;"
    assert shapes(tmp_path, body, before, ", int m") == [((1, 1, 1), (None, 1, 1))]


def test_ways_through_a_branch_keep_their_shapes_apart(tmp_path: Path) -> None:
    body = "int t, g; if (m) { t = 64; g = 1; } else { t = 128; g = 2; } k<<<g, t>>>(p, 1);"
    expected = [((1, 1, 1), (64, 1, 1)), ((2, 1, 1), (128, 1, 1))]
    assert sorted(shapes(tmp_path, body, "", ", int m")) == expected


@pytest.mark.parametrize(
    "body",
    [
        "int t = m > 9 ? 64 : 128; k<<<1, t>>>(p, 1);",
        "int t; t = m > 9 ? 64 : 128; k<<<1, t>>>(p, 1);",
        "k<<<1, m > 9 ? 64 : 128>>>(p, 1);",
        "dim3 b(m > 9 ? 64 : 128); auto f = m ? &k : k; f<<<1, b>>>(p, 1);",
        "k<<<1, m > 9 ? 64 : m ? 128 : 64>>>(p, 1);",
    ],
)
def test_each_value_of_a_conditional_expression_is_a_shape(tmp_path: Path, body: str) -> None:
    expected = [((1, 1, 1), (64, 1, 1)), ((1, 1, 1), (128, 1, 1))]
    assert sorted(shapes(tmp_path, body, "", ", int m")) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int t = m > 1 ? any(1) : 64; k<<<1, t>>>(p, 1);", {(64, 1, 1), (None, 1, 1)}),
        ("k<<<1, m > 1 ? 64 : any(1)>>>(p, 1);", {(64, 1, 1), (None, 1, 1)}),
        (
            "int x = m > 1 ? any(1) : 32, y = m > 2 ? any(2) : 8; k<<<1, dim3(x, y)>>>(p, 1);",
            {(32, 8, 1), (None, None, 1)},
        ),
        (
            "int g = (m > 1 ? 8 : any(1)) + (p ? 8 : any(2)), t = p ? 32 : any(3);"
            "k<<<g, t>>>(p, 1);",
            {(32, 1, 1), (None, 1, 1)},
        ),
        ("int t = m > 1 ? any(1) : 0; k<<<1, t>>>(p, 1);", {(None, 1, 1)}),
        ("int t = m > 1 ? any(1) : 4096; k<<<1, t>>>(p, 1);", {(None, 1, 1)}),
    ],
)
def test_a_size_where_no_option_is_given(
    tmp_path: Path, body: str, expected: set[tuple[int | None, ...]]
) -> None:
    found = shapes(tmp_path, body, "int any(int);\n", ", int m")
    assert {block for _, block in found} == expected


def test_values_by_one_condition_are_not_mixed(tmp_path: Path) -> None:
    body = "int x = m ? 32 : 16, y = m ? 8 : 16; k<<<1, dim3(x, y)>>>(p, 1);"
    found = shapes(tmp_path, body, "", ", int m")
    assert sorted(found) == [((1, 1, 1), (16, None, 1)), ((1, 1, 1), (32, None, 1))]


def test_many_conditional_expressions_stay_bounded(tmp_path: Path) -> None:
    sums = " + ".join(f"(p[{i}] > {i} ? {i} : 1)" for i in range(2, 40))
    assert shapes(tmp_path, f"k<<<1, {sums}>>>(p, 1);") == [((1, 1, 1), (None, 1, 1))]


def test_kernels_that_a_condition_chooses(tmp_path: Path) -> None:
    before = "template <int N> __global__ void t(float *p) { p[N] = 0; }"
    body = "auto f = m ? &t<1> : &t<2>; f<<<1, 64>>>(p); (m > 1 ? t<3> : t<4>)<<<1, 96>>>(p);"
    text = f"{before}\n{KERNEL}void host(float *p, int m) {{ {body} }}\n"
    found = [(site.kernel, site.block[0], site.named) for site in sites(tmp_path, text)]
    names = [f"_Z1tILi{i}EEvPf" for i in (1, 2, 3, 4)]
    assert sorted(found) == list(zip(names, (64, 64, 96, 96), (False,) * 4, strict=True))


def test_switch_gives_one_shape_per_case(tmp_path: Path) -> None:
    body = (
        "int t = 32; switch (m) { case 1: t = 64; break; case 2: t = 96; break; "
        "case 3: return; } k<<<1, t>>>(p, 1);"
    )
    found = shapes(tmp_path, body, "", ", int m")
    assert sorted(found) == [((1, 1, 1), (t, 1, 1)) for t in (32, 64, 96)]


def test_a_nested_default_is_not_the_outer_one(tmp_path: Path) -> None:
    body = (
        "int t = 32; switch (m) { case 1: switch (m) { default: break; } t = 64; } "
        "k<<<1, t>>>(p, 1);"
    )
    found = shapes(tmp_path, body, "", ", int m")
    assert sorted(found) == [((1, 1, 1), (t, 1, 1)) for t in (32, 64)]


def test_references_to_constants_are_passed_on(tmp_path: Path) -> None:
    text = (
        f"{KERNEL}void run(float *p, const dim3 &g, const int &t, int &u)"
        " { k<<<g, t>>>(p, u); }\n"
        "int main() { int t = 64, u = 7; dim3 g(2, 3); run(0, g, t, u); }\n"
    )
    assert [(s.grid, s.block, s.arguments[1]) for s in sites(tmp_path, text)] == [
        ((2, 3, 1), (64, 1, 1), None)
    ]


def test_code_that_is_never_reached_gives_no_launch(tmp_path: Path) -> None:
    assert shapes(tmp_path, "return; k<<<1, 2>>>(p, 1);") == []
    assert shapes(tmp_path, "if (false) k<<<1, 2>>>(p, 1);") == []


_OWN_UNIONS = {
    "constructor": "Config c(p); cudaLaunchKernelEx(&c.config, k, a, n);",
    "object from a constructor": "auto c = Config(p); cudaLaunchKernelEx(&c.config, k, a, n);",
    "local variable": "Set set; set.number = n; k<<<p.grid, p.block>>>(a, n);",
}


@pytest.mark.parametrize("body", _OWN_UNIONS.values(), ids=list(_OWN_UNIONS))
def test_a_part_of_an_own_union_changes_nothing_else(tmp_path: Path, body: str) -> None:
    """As CUDA's launch attributes are set, beside shapes that come by reference."""
    text = (
        f"{KERNEL}struct Params {{ dim3 grid, block; }};\n"
        "struct Config { cudaLaunchAttribute attribute; cudaLaunchConfig_t config;\n"
        " Config(const Params &p) { attribute.id = cudaLaunchAttributeCooperative;\n"
        "  attribute.val.cooperative = 1; config = {}; config.gridDim = p.grid;\n"
        "  config.blockDim = p.block; config.attrs = &attribute; config.numAttrs = 1; } };\n"
        "union Set { int number; float real; };\n"
        f"void go(float *a, const Params &p, int n) {{ {body} }}\n"
        "int main() { Params p{dim3(2, 3), dim3(1, 256)}; go(0, p, 3); }\n"
    )
    assert [(s.grid, s.block) for s in sites(tmp_path, text)] == [((2, 3, 1), (1, 256, 1))]
