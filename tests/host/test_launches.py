"""Launches in templates, helpers and headers, and sources made to break the reader."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from clang.cindex import TranslationUnit

from drano.host.arithmetic import Dim
from drano.host.launching.launches import read_launches
from drano.host.launching.unit_launches import unit_launches
from drano.model.settings import CompileOptions
from drano.model.translation_unit import Shifted
from tests.host.launch_sites import KERNEL, N, read, shapes, sites
from tests.host.test_launch_shapes import UNKNOWN


def test_names_and_arguments(tmp_path: Path) -> None:
    found = sites(
        tmp_path,
        KERNEL + 'extern "C" __global__ void c(int a, int b, float x) {}\n'
        "int main() { float *p = 0;\n  k<<<1, 2>>>(p, -7);\n  c<<<1, 2>>>(3, 'a', 1.5f); }\n",
    )
    assert [(s.kernel, s.kernel_name) for s in found] == [("_Z1kPfi", "k"), ("c", "c")]
    assert [s.arguments for s in found] == [(None, -7), (3, 97, None)]
    assert [(s.span.line, s.span.column) for s in found] == [(4, 3), (5, 3)]
    assert found[0].span.path == str(tmp_path / "unit.cu")


TEMPLATES = """
template <typename T, int N> __global__ void t(T *p) { p[N] = 0; }
template <typename T, int N> void host(T *p, int g) { t<T, N * 2><<<g, N>>>(p); }
namespace ns { template <int N> struct Runner {
  void run(int *p) { t<int, N><<<1, dim3(N, 2)>>>(p); } }; }
int main() { float *p = 0; int *q = 0;
  host<float, 32>(p, 3); host<int, 64>(q, 4); t<int, 7><<<1, 7>>>(q);
  ns::Runner<8> r; r.run(q); }
"""


def test_templates_are_read_as_instantiated(tmp_path: Path) -> None:
    found = {(s.kernel, s.grid, s.block) for s in sites(tmp_path, TEMPLATES)}
    assert found == {
        ("_Z1tIfLi64EEvPT_", (3, 1, 1), (32, 1, 1)),
        ("_Z1tIiLi128EEvPT_", (4, 1, 1), (64, 1, 1)),
        ("_Z1tIiLi7EEvPT_", (1, 1, 1), (7, 1, 1)),
        ("_Z1tIiLi8EEvPT_", (1, 1, 1), (8, 2, 1)),
    }


def test_explicit_instantiations_and_specialisations(tmp_path: Path) -> None:
    text = KERNEL + (
        "template <int N> void go() { k<<<1, N>>>(0, 1); }\ntemplate void go<33>();\n"
        "template <> void go<5>() { k<<<2, 5>>>(0, 1); }\n"
    )
    assert {(s.grid[0], s.block[0]) for s in sites(tmp_path, text)} == {(1, 33), (2, 5)}


def test_a_template_never_instantiated_still_tells_its_constants(tmp_path: Path) -> None:
    text = KERNEL + "template <class T> void host(T *p) { dim3 b(8, 4); k<<<1, b>>>(p, 1); }\n"
    assert [(s.kernel_name, s.block) for s in sites(tmp_path, text)] == [("k", (8, 4, 1))]


def test_parameters_take_the_values_of_each_caller(tmp_path: Path) -> None:
    text = (
        f"{KERNEL}void run(float *p, int t, dim3 g = dim3(9)) {{ k<<<g, t>>>(p, t); }}\n"
        "void twice(float *p, int t) { run(p, t * 2, dim3(t)); }\n"
        "int main(int argc, char **) { float *p = 0; run(p, 64); twice(p, 16); run(p, argc); }\n"
    )
    found = {(s.grid, s.block, s.arguments[1]) for s in sites(tmp_path, text)}
    assert found == {
        ((9, 1, 1), (64, 1, 1), 64),
        ((16, 1, 1), (32, 1, 1), 32),
        ((9, 1, 1), (None, 1, 1), None),
    }


def test_a_launch_many_calls_deep_is_found(tmp_path: Path) -> None:
    calls = "".join(f"void f{i + 1}(float *p, int t) {{ f{i}(p, t); }}\n" for i in range(8))
    text = f"{KERNEL}void f0(float *p, int t) {{ k<<<t, 64>>>(p, 1); }}\n{calls}"
    found = sites(tmp_path, text + "int main() { f8(0, 2); f1(0, 3); }\n")
    assert {s.block for s in found} == {(64, 1, 1)}
    assert (3, 1, 1) in {s.grid for s in found}


def test_recursive_host_functions_end(tmp_path: Path) -> None:
    text = (
        f"{KERNEL}void even(float *p, int n); void odd(float *p, int n) {{ even(p, n - 1); }}\n"
        "void even(float *p, int n) { k<<<1, 32>>>(p, n); if (n) odd(p, n - 1); }\n"
        "int main() { even(0, 1000000); }\n"
    )
    assert {s.block for s in sites(tmp_path, text)} == {(32, 1, 1)}


def test_runtime_calls(tmp_path: Path) -> None:
    body = (
        "int n = 3; void *a[] = {&p, &n}; dim3 g(2), b(8, 8);\n"
        "cudaLaunchKernel((const void *)k, g, b, a, 0, 0);\n"
        "cudaLaunchKernel((void *)&k, dim3(4), dim3(32), a, 0, 0);\n"
        "cudaLaunchCooperativeKernel((void *)k, g, 64, a, 0, 0);"
    )
    found = shapes(tmp_path, body)
    assert found == [
        ((2, 1, 1), (8, 8, 1)),
        ((4, 1, 1), (32, 1, 1)),
        ((2, 1, 1), (64, 1, 1)),
    ]


def test_function_pointers_that_are_not_known_are_left_out(tmp_path: Path) -> None:
    assert shapes(tmp_path, "void (*f)(float *, int) = table[0]; f<<<1, 2>>>(p, 1);", TABLE) == []
    assert shapes(tmp_path, "other<<<1, 2>>>(p, 1);", "extern void (*other)(float *, int);") == []


TABLE = "extern void (*table[])(float *, int);"
HELPERS = """
struct Params {
  dim3 grid, block;
  int shared;
  Params(const dim3 &g, const dim3 &b, int s) : grid(g), block(b), shared(s) {}
};
struct Config {
  cudaLaunchAttribute attr;
  cudaLaunchConfig_t cfg;
  Config(const Params &p) {
    cfg = {}; cfg.gridDim = p.grid; this->cfg.blockDim = p.block; cfg.attrs = &attr;
  }
};
struct Plain { dim3 grid, block; int n; };
typedef void (*Kernel)(float *, int);
template <class K, class... A> void go(K kernel, const Params &p, A &&...a) {
  auto config = Config(p);
  cudaLaunchKernelEx(&config.cfg, kernel, a...);
}
template <class K, class... A> void run(K f, dim3 block, A... a) { f<<<1, block>>>(a...); }
template <Kernel K> void fixed(float *p, int t) { K<<<1, t>>>(p, 3); }
inline void plain(Kernel f, float *p, Plain s) { f<<<s.grid, s.block>>>(p, s.n); }
inline bool has(const void *f) { static const void *seen; bool old = seen == f; return old; }
"""
X = (1, 1, 1)
HANDED = [
    ("go(k, Params(dim3(2), dim3(64, 2), 0), p, 5);", ((2, 1, 1), (64, 2, 1))),
    ("const Params s(2, 96, 0); go(&k, s, p, 5);", ((2, 1, 1), (96, 1, 1))),
    ("Params s = {dim3(m), dim3(96), 0}; go(k, s, p, 5);", ((N, 1, 1), (96, 1, 1))),
    ("run(k, 48, p, 1);", (X, (48, 1, 1))),
    ("run(k, dim3(4, m), p, 1);", (X, (4, N, 1))),
    ("auto f = k; run(f, 48, p, 1);", (X, (48, 1, 1))),
    ("Kernel f; f = &k; has((const void *)f); f<<<1, 48>>>(p, 1);", (X, (48, 1, 1))),
    ("fixed<k>(p, 80);", (X, (80, 1, 1))),
    ("Plain s = {1, dim3(8, 8), 2}; plain(k, p, s);", (X, (8, 8, 1))),
    ("Plain s = {.grid = 1, .block = dim3(8, 8), .n = 2}; plain(k, p, s);", (X, (8, 8, 1))),
    ("Plain s{}; s.grid = 1; s.block.x = 4; plain(k, p, s);", (X, (4, N, N))),
    ("Plain s = {1, 64, 2}, t = s; t.block.y = 2; plain(k, p, t);", (X, (64, 2, 1))),
    ("cudaLaunchConfig_t c = {0}; c.gridDim = 3; c.blockDim = dim3(32, m); "
     "cudaLaunchKernelEx(&c, k, p, 5);", ((3, 1, 1), (32, N, 1))),
    ("cudaLaunchConfig_t c = {dim3(3), dim3(32, 4)}; void *a[] = {&p, &m}; "
     "cudaLaunchKernelExC(&c, (void *)k, a);", ((3, 1, 1), (32, 4, 1))),
]  # fmt: skip
UNSURE = [
    "Plain s = {1, 64, 2}; change(s); plain(k, p, s);",
    "Plain s = {1, 64, 2}; auto *q = &s; q->block.x = 5; plain(k, p, s);",
    "Plain s = {1, 64, 2}; auto &q = s.block; q.x = 5; plain(k, p, s);",
    "cudaLaunchConfig_t c = {1, 64}; change(&c); cudaLaunchKernelEx(&c, k, p, 5);",
    "cudaLaunchConfig_t c = {1, 64}; if (m) c = other; cudaLaunchKernelEx(&c, k, p, 5);",
    "Method s; s.block = 64; s.set(); s.go(k, p);",
    "Twice s = 64; k<<<1, s.block>>>(p, 1);",
    "Leak s(64); k<<<1, s.block>>>(p, 1);",
    "Twice s = 64, t = s; k<<<1, t.block>>>(p, 1);",
]
CHANGERS = """
void change(Plain &s);
void change(cudaLaunchConfig_t *c);
extern cudaLaunchConfig_t other;
struct Method {
  dim3 block;
  void set();
  void go(Kernel f, float *p) { f<<<1, block>>>(p, 1); }
};
void change(dim3 *);
struct Leak {
  dim3 block;
  Leak(int n) : block(n) { change(&block); }
};
struct Twice {
  dim3 block;
  Twice(int n) : block(n) { set(); }
  Twice(const Twice &s) : block(s.block) { block.x *= 2; }
  void set();
};
"""


@pytest.mark.parametrize(("body", "expected"), HANDED)
def test_kernels_that_are_handed_to_helpers(
    tmp_path: Path, body: str, expected: tuple[Dim, Dim]
) -> None:
    text = f"{KERNEL}{HELPERS}void host(float *p, int m) {{\n{body}\n}}\n"
    found = sites(tmp_path, text)
    assert [(site.grid, site.block) for site in found] == [expected]
    assert not any(site.named for site in found)


@pytest.mark.parametrize("body", UNSURE)
def test_structures_that_others_may_change(tmp_path: Path, body: str) -> None:
    text = f"{KERNEL}{HELPERS}{CHANGERS}void host(float *p, int m) {{\n{body}\n}}\n"
    blocks = [site.block for site in sites(tmp_path, text)]
    assert blocks
    assert any(block[0] is None for block in blocks)


def test_arguments_of_constructors_are_not_shifted(tmp_path: Path) -> None:
    text = KERNEL + (
        "struct Go { Go(float *p, int t, int u) { k<<<u, t>>>(p, 1); } };\n"
        "void host(float *p) { Go go(p, 64, 2); }\n"
    )
    found = sites(tmp_path, text)
    assert ((2, 1, 1), (64, 1, 1)) in [(s.grid, s.block) for s in found]
    # What makes objects may be called in ways that no tree shows, maybe with pointers moved.
    assert {s.arguments[0] for s in found} == {None, Shifted(4, likely_start=True)}


def test_split_brackets(tmp_path: Path) -> None:
    assert shapes(tmp_path, "k << < 2, 64 >> > (p, 1);") == [((2, 1, 1), (64, 1, 1))]


def test_launches_in_included_files(tmp_path: Path) -> None:
    (tmp_path / "part.cuh").write_text(
        KERNEL + "inline void go(float *p) { k<<<1, 77>>>(p, 1); }\n"
    )
    (found,) = sites(tmp_path, '#include "part.cuh"\nint main() { go(0); }\n')
    assert (found.block, found.span.path) == ((77, 1, 1), str(tmp_path / "part.cuh"))


def test_include_directories_and_macros(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "k.h").write_text(KERNEL)
    text = "#include <k.h>\nint main() { k<<<1, T>>>(0, 1); }\n"
    options = CompileOptions(include_dirs=(str(tmp_path / "include"),), defines=("T=96",))
    result = read(tmp_path, text, options)
    assert [site.block for site in result.sites] == [(96, 1, 1)]


def test_library_headers(tmp_path: Path) -> None:
    text = f"#include <iostream>\n#include <vector>\n{KERNEL}" + (
        "int main() { std::vector<int> v(3); std::cout << v.size(); k<<<1, 64>>>(0, 1); }\n"
    )
    assert [site.block for site in sites(tmp_path, text)] == [(64, 1, 1)]


def test_source_text_replaces_the_file(tmp_path: Path) -> None:
    path = tmp_path / "edited.cu"
    path.write_text("int main() {}\n")
    text = (KERNEL + "int main() { k<<<1, 5>>>(0, 1); }\n").encode()
    result = unit_launches(str(path), CompileOptions(), text)
    assert [site.block for site in result.sites] == [(5, 1, 1)]


# --- hostile and broken sources ------------------------------------------------------------------


def test_errors_cost_only_what_depends_on_them(tmp_path: Path) -> None:
    text = (
        f"#include <no/such/header.h>\n{KERNEL}int bad = undeclared;\n"
        "void one(float *p) { undeclared(3) + ; int t = 64; k<<<1, t>>>(p, 1); }\n"
        "void two(float *p) { k<<<2, 32>>>(p, 1); missing<<<1, 2>>>(p); }\n"
    )
    assert ((2, 1, 1), (32, 1, 1)) in [(s.grid, s.block) for s in sites(tmp_path, text)]


def test_launches_of_templates_behind_many_errors(tmp_path: Path) -> None:
    errors = "".join(f"missing_{i} v{i};\n" for i in range(60))
    text = (
        f"{KERNEL}template <class T> __global__ void t(T *p, int n) {{}}\n{errors}"
        "void host(float *p, int n) { dim3 b = {4, 8, (unsigned)n}; t<<<1, b>>>(p, n); }\n"
        "void odd(float *p, missing_type n) { dim3 b(n, 8); k<<<1, b>>>(p, 1); }\n"
    )
    found = {site.kernel_name: site.block for site in sites(tmp_path, text)}
    assert found["t"] == (4, 8, N)
    assert found.get("k", UNKNOWN)[0] is None


@pytest.mark.parametrize(
    "text", ["", "\x00\x01<<<", "k<<<", "int main() { k<<<1,2>>>(); ", "<<<>>>"]
)
def test_rubbish_gives_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).sites == ()


def test_missing_file_gives_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "none.cu")
    assert unit_launches(path, CompileOptions()).sites == ()
    assert read_launches(path, ()).sites == ()


def test_a_file_without_launches_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(KERNEL)
    assert read_launches(str(path), ["--not-a-flag"]).sites == ()


def test_deep_expressions(tmp_path: Path) -> None:
    long_sum = "+".join(["1"] * 3000)
    nested = "(" * 200 + "32" + ")" * 200
    found = shapes(tmp_path, f"k<<<{long_sum}, 64>>>(p, 1); k<<<1, {nested}>>>(p, 1);")
    assert len(found) == 2


def test_deep_statements(tmp_path: Path) -> None:
    body = "if (*p) { " * 180 + "k<<<1, 64>>>(p, 1);" + " }" * 180
    assert shapes(tmp_path, body) == [((1, 1, 1), (64, 1, 1))]


def test_long_else_if_chain(tmp_path: Path) -> None:
    body = "else ".join(f"if (m == {i}) k<<<{i + 1}, 64>>>(p, 1); " for i in range(300))
    found = shapes(tmp_path, body, "", ", int m")
    assert found == [((i + 1, 1, 1), (64, 1, 1)) for i in range(300)]


def test_a_thousand_launches(tmp_path: Path) -> None:
    body = "\n".join(f"k<<<{i}, {i % 32 + 1}>>>(p, {i});" for i in range(1, 1001))
    found = shapes(tmp_path, body)
    assert found[-1] == ((1000, 1, 1), (9, 1, 1))
    assert len(found) == 1000


def test_many_branches_stay_bounded(tmp_path: Path) -> None:
    body = "int t = 0;" + "".join(f"if (m & {1 << i}) t += {1 << i};" for i in range(20))
    found = shapes(tmp_path, f"{body} k<<<1, t>>>(p, 1);", "", ", int m")
    assert ((1, 1, 1), (None, 1, 1)) in found
    assert len(found) <= 6


def test_recursive_macros(tmp_path: Path) -> None:
    before = "#define A B\n#define B A\n#define C(x) C(x)\nint A = 3; int C(int);"
    assert shapes(tmp_path, "k<<<A, 64>>>(p, C(1));", before) == [((None, 1, 1), (64, 1, 1))]


NAMES = {
    "(void *)k": "_Z1kPfi",
    "(const void *)&k": "_Z1kPfi",
    "reinterpret_cast<const void *>(k)": "_Z1kPfi",
    "reinterpret_cast<const void *>(&t<float>)": "_Z1tIfEvPT_",
    "(void *)t<float>": "_Z1tIfEvPT_",
    "&t<float>": "_Z1tIfEvPT_",
    "k": "_Z1kPfi",
}


@pytest.mark.parametrize("function", ["cudaLaunchKernel", "cudaLaunchCooperativeKernel"])
@pytest.mark.parametrize("name", NAMES)
def test_kernels_by_their_addresses(tmp_path: Path, function: str, name: str) -> None:
    (site,) = sites(
        tmp_path,
        f"{KERNEL}template <class T> __global__ void t(T *p) {{}}\n"
        f"void host(void **args) {{ {function}({name}, dim3(2), dim3(8, 4), args, 0, 0); }}\n",
    )
    assert (site.kernel, site.block) == (NAMES[name], (8, 4, 1))


def test_clangs_tree_goes_with_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(
        "struct S { int n; void go(float *p); };\n__global__ void k(float *o);\n"
        "void S::go(float *p) { n = 32; k<<<1, n>>>(p); }\n"
    )
    gc.collect()
    gc.disable()
    try:
        assert unit_launches(str(path), CompileOptions()).sites
        alive = [each for each in gc.get_objects() if isinstance(each, TranslationUnit)]
    finally:
        gc.enable()
    assert alive == []
