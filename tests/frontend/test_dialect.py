"""nvcc's dialect: what nvcc takes, drano takes, and sees the same accesses in.

``benchmarks/dialect.py --all`` asks an installed nvcc about the same snippets.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.frontend.repair.dialect_fixups import repaired
from drano.frontend.repair.functions import host_functions
from drano.frontend.repair.text_edits import Edit, edited, offset_of
from drano.host.launching.unit_launches import unit_launches
from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.settings import CompileOptions, Config
from drano.run.driver import check_unit
from tests.conftest import ROOT, Run

SNIPPETS = sorted((ROOT / "tests/data/dialect").glob("*.cu"))
SIZES = {
    "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2,
    "int": 4, "unsigned int": 4, "long": 8, "unsigned long": 8, "long long": 8,
    "unsigned long long": 8, "float": 4, "double": 8, "char2": 2, "char4": 4, "uchar2": 2,
    "uchar4": 4, "short2": 4, "short4": 8, "ushort2": 4, "ushort4": 8, "int2": 8, "int4": 16,
    "uint2": 8, "uint4": 16, "longlong2": 16, "ulonglong2": 16, "float2": 8, "float4": 16,
    "double2": 16, "__half": 2, "__half2": 4, "__nv_bfloat16": 2, "__nv_bfloat162": 4,
}  # fmt: skip


def options(path: Path) -> CompileOptions:
    """Those of the snippet's first line, ``// nvcc: FLAGS``."""
    first = path.read_text().partition("\n")[0]
    flags = shlex.split(first.removeprefix("// nvcc:")) if first.startswith("// nvcc:") else []
    return translate_nvcc_args(["-arch=sm_90", *flags]).options


def device_ir(path: Path) -> str:
    unit = compile_unit(str(path), options(path))
    missing = [header for header in unit.missing_headers if not header.stand_in]
    left_out = [*unit.not_analysed, *unit.host_errors, *missing]
    assert not left_out
    assert unit.ir is not None, "\n".join(map(str, unit.diagnostics))
    return unit.ir


def compiled(tmp_path: Path, text: str) -> str:
    path = tmp_path / "unit.cu"
    path.write_text(text)
    return device_ir(path)


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_what_nvcc_takes_is_taken(path: Path) -> None:
    device_ir(path)


# --- what is seen of it -----------------------------------------------------------------------


def test_every_cache_hint_is_one_access_of_its_width(drano: Run) -> None:
    path = ROOT / "tests/data/dialect/cache_hints.cu"
    done = drano(
        "check", "--as-written", "--block", "32", "--show", "all", "--output-format", "json", path
    )
    counts: dict[str, Counter[tuple[str, str, int]]] = {}
    for access in json.loads(done.stdout)["accesses"]:
        what = (access["kind"], access["space"], access["bytes"])
        counts.setdefault(access["kernel"], Counter())[what] += 1
        assert access["verdict"] == "coalesced"
        assert access["stride"] == f"{access['bytes']} bytes"
    wanted = {
        f"hinted<{name}>": Counter({("load", "global", size): 6, ("store", "global", size): 6})
        for name, size in SIZES.items()
    }
    assert counts == wanted


def test_shared_objects_are_shared_memory_and_not_constructed(tmp_path: Path) -> None:
    ir = compiled(
        tmp_path,
        """
        struct Pair { float a, b; __device__ Pair() : a(1), b(2) {} };
        __global__ void k(Pair *out) {
          __shared__ alignas(16) Pair line[128], one;
          line[threadIdx.x] = out[0];
          auto get = [=](int i) { return line[i].b + one.a; };
          out[threadIdx.x].a = get(3);
        }
        """,
    )
    assert re.search(r"@\S+line__drano_shared = .*addrspace\(3\) global .* undef, .*align 16", ir)
    assert "@_ZN4PairC" not in ir  # no constructor
    assert re.search(r"getelementptr .*\[128 x %struct.Pair\], .*line__drano_shared", ir)


def test_managed_variables_are_global_memory(tmp_path: Path) -> None:
    ir = compiled(
        tmp_path,
        "__managed__ float table[8];\n"
        "__global__ void k(float *p) { p[0] = table[threadIdx.x]; }\n"
        "int main() { table[0] = 1; }\n",
    )
    assert "@table = dso_local addrspace(1) externally_initialized global [8 x float]" in ir


def test_texture_and_surface_references_are_unknown_calls(tmp_path: Path) -> None:
    ir = compiled(
        tmp_path,
        "texture<float, 2> t; surface<void, 2> s;\n"
        "__global__ void k(float *p) { surf2Dwrite(tex2D(t, 1.f, 2.f), s, 4, 1); }\n",
    )
    assert len(re.findall(r"^declare .*(?:tex2D|surf2Dwrite)", ir, re.MULTILINE)) == 2


def test_relocatable_code_is_told_by_a_macro() -> None:
    for flags in (["-rdc=true"], ["--relocatable-device-code", "true"], ["-dc"]):
        assert translate_nvcc_args(flags).options.defines == ("__CUDACC_RDC__",)
    for flags in ([], ["-rdc=false"], ["-rdc", "false"]):
        assert translate_nvcc_args(flags).options.defines == ()


# --- repairs of texts --------------------------------------------------------------------------

SHARED = "initialization is not supported for __shared__ variables"
OPERAND = "invalid operand number in inline asm string"
ESCAPE = "invalid % escape in inline assembly string"
CHOSEN = "use of overloaded operator '%' is ambiguous (with operand types 'long' and 'Fast')"
AMBIGUOUS = "use of overloaded operator '=' is ambiguous (with operand types 'half2' and 'void')"
UNRESOLVED = "reference to overloaded function could not be resolved; did you mean to call it?"
UNCALLED = "reference to non-static member function must be called; did you mean to call it?"
MISSING = "missing 'template' keyword prior to dependent template name 'sum'"
CALLED = "candidate function not viable: call to __host__ function from __global__ function"
COPIED = "call to deleted constructor of '__cuda_builtin_blockIdx_t'"
MANY = "too many template arguments for class template 'WarpReduce'"
UNDECLARED = "out-of-line definition of 'f' does not match any declaration in namespace 'a::b'"
DANGLING = (
    "reference member 'table' binds to a temporary object whose lifetime would be shorter than the "
    "lifetime of the constructed object"
)
TARGETS = "candidate template ignored: target attributes do not match"
RESTRICTED = "restrict requires a pointer or reference ('word' is invalid)"
SUFFIX = "string literal with user-defined suffix cannot be used here"
LITERAL = (
    "variable of non-literal type 'const It' cannot be defined in a constexpr function before C++23"
)
KEYWORD = "use 'template' keyword to treat 'rebind' as a dependent template name"
THIS = (
    "use of 'this' pointer is only allowed within the evaluation of a call to a 'constexpr' member "
    "function"
)
SEMICOLON = "expected ';' after expression"
TYPENAME = "missing 'typename' prior to dependent type name 'M::In'"
STREAM = "no viable conversion from 'cuda::stream_ref' to 'void *'"
FROM_BOTH, THROWN = host_functions.CALLED, host_functions.THROWN
LEAVE = "(__nvvm_read_ptx_sreg_nsmid() ? __builtin_trap() : (void)0)"
DEVICE, TRAP = "__attribute__((device))", f"{{ {LEAVE}; }}"
ANY = f"{{{{ {LEAVE}; alignas({{0}}) char drano[sizeof({{0}})]; return *({{0}} *)drano; }}}}"
REPAIRS = [
    (FROM_BOTH, "[[noreturn]] inline void @f(const char *s) { throw 1; }",
     f"{DEVICE} inline void f (const char *s) {TRAP} [[noreturn]] inline void f(const char *s) "
     "{ throw 1; }"),
    (FROM_BOTH, "{\nSTD_BEGIN_NAMESPACE\n  void\n  @f(void) __attribute__((__noreturn__));",
     f"{{\nSTD_BEGIN_NAMESPACE\n  {DEVICE} void f (void) {TRAP} void\n"
     "  f(void) __attribute__((__noreturn__));"),
    (FROM_BOTH, "struct S { int @size(int a = g(2)) const noexcept; };",
     f"struct S {{ {DEVICE} int size (int a = g(2)) const noexcept "
     f"{ANY.format('int')} "
     "int size(int a = g(2)) const noexcept; };"),
    (FROM_BOTH, "template <class T> static auto @f(T t) -> A<T> { return t; }",
     f"template <class T> {DEVICE} static auto f (T t) -> A<T> "
     f"{ANY.format('A<T>')} "
     "template <class T> static auto f(T t) -> A<T> { return t; }"),
    (FROM_BOTH, "extern void @f(const char *, ...);",
     f"template <class... Drano> {DEVICE} void f (Drano...) {TRAP} "
     "extern void f(const char *, ...);"),
    (FROM_BOTH, "__host__ constexpr int @f() { return 1; }",
     "         constexpr int f() { return 1; }"),
    (FROM_BOTH, "struct S { S @operator()(int); };", None),
    (FROM_BOTH, "struct S { @S(int); };", None),
    (FROM_BOTH, "int S::@f(int) { }", None),
    (FROM_BOTH, "virtual int @f(int) { }", None),
    (FROM_BOTH, f"{DEVICE} int f (int) {ANY.format('int')} int @f(int);", None),
    (FROM_BOTH, "int &@f(int);", None),
    (FROM_BOTH, "auto @f(int) { return 1; }", None),
    (STREAM, "k<<<g, b, 0, @of(h)>>>(a);", "k<<<g, b, 0, 0    >>>(a);"),
    (STREAM, "f(@of(h)); k<<<g, b>>>(a);", None),
    (STREAM, "k<<<g, b>>>(@of(h)); k<<<g, b>>>(a);", None),
    (THROWN, "if (a) @throw E{\n1}; b();", f"if (a) {LEAVE}\n; b();"),
    (THROWN, "else @throw;", f"else {LEAVE};"),
    (THROWN, "a ? b : @throw E();", None),
    (TYPENAME, "f(@M::In(x));", "f(typename M::In(x));"),
    (TYPENAME, "f(typename @M::In(x));", None),
    (TYPENAME, "f(@x);", None),
    (KEYWORD, "using A = typename T::@rebind<int>;", "using A = typename T::template rebind<int>;"),
    (KEYWORD, "using A = typename T::@rebind;", None),
    (THIS, "if (@this->map)", "if (std::remove_reference_t<decltype(*this)>::map)"),
    (THIS, "f(@this)", None),
    (SUFFIX, 'extern "C"@__global__ void k();', 'extern "C" __global__ void k();'),
    (LITERAL, "template <class T> __host__ constexpr int f() { if constexpr (a) { It @i; } }",
     "template <class T> __host__           int f() { if constexpr (a) { It i; } }"),
    (LITERAL, "constexpr int f() { { } It @i; }", "__host__ __device__ int f() { { } It i; }"),
    (LITERAL, "auto f = [](int n) constexpr { It @i; };",
     "auto f = [](int n)           { It i; };"),
    (LITERAL, "int f() { It @i; }", None),
    (SHARED, "__shared__ T @x;", "DRANO_SHARED(x, , __shared__, T);"),
    (SHARED, "static __shared__ A<B, C> @x [2][N];",
     "DRANO_SHARED(x, [2][N], static __shared__, A<B, C>);"),
    (SHARED, "__shared__ alignas(16) typename R::S a[N + 1], @b;",
     "DRANO_SHARED(a, [N + 1], __shared__ alignas(16), typename R::S); "
     "DRANO_SHARED(b, , __shared__ alignas(16), typename R::S);"),
    (SHARED, "{ __shared__\n  T // why\n  @x[2]; }",
     "{ DRANO_SHARED(x, [2], __shared__, T);\n\n }"),
    (SHARED, "__shared__ T @x{};", None),
    (SHARED, "__shared__ T *@x;", None),
    (SHARED, "SHARED T @x;", None),
    (SHARED, "__shared__ struct { T t; } @x;", None),
    (ESCAPE, 'asm("mov.u32 %0, @%laneid;" : "=r"(v));', 'asm("mov.u32 %0,%%laneid;" : "=r"(v));'),
    (ESCAPE, 'asm volatile("{ .reg .u32 @%t; }" "mov %0, %%x;" ::);',
     'asm volatile("{ .reg .u32 %%t;}" "mov %0, %%x;" ::);'),
    (ESCAPE, '#define LANE "@%laneid"', '#define LANE "%%laneid"'),
    (ESCAPE, '__asm__ __volatile__(R"(a %0, @%b;)" ::); "%c"',
     '__asm__ __volatile__(R"(a %0,%%b;)" ::); "%c"'),
    (OPERAND, 'asm("st [%0], %@2;" :: "r"(d), "f"(f));', 'asm("st [%0], %0;" :: "r"(d), "f"(f));'),
    (OPERAND, 'asm("x %0, @%b12;" ::);', 'asm("x %0, %b00;" ::);'),
    (OPERAND, 'asm("x %@0;" ::);', None),
    (OPERAND, 'asm("%0" MACRO@, x);', None),
    (COPIED, "auto @b = blockIdx;", "dim3 b = blockIdx;"),
    (COPIED, "f(1, @blockIdx);", "f(1, dim3(blockIdx));"),
    ("expected expression", "k<<<@{1, 2}, 3>>>();", "k<<<dim3{1, 2}, 3>>>();"),
    ("expected expression", "k<<<dim3{1}, @{3}>>>();", "k<<<dim3{1}, dim3{3}>>>();"),
    ("expected expression", "x = @{1, 2} + 3;", None),
    (CALLED, "__host__ constexpr int @f();", "         constexpr int f();"),
    (CALLED, "constexpr __host__ int @f();", "constexpr          int f();"),
    (CALLED, "__host__ int @f();", None),
    ("'f' declared here", "; __host__ constexpr int @f();", ";          constexpr int f();"),
    ("expected ')'", 'asm("x" :: "r"(a) @"l"(b));', 'asm("x" :: "r"(a),"l"(b));'),
    ("expected ')'", "f(a @b);", None),
    (SEMICOLON, "{\n  UNROLL 4@\n  for (;;) {}", "{\n  UNROLL  \n  for (;;) {}"),
    (SEMICOLON, "{\n  UNROLL N @ while (i) {}", "{\n  UNROLL    while (i) {}"),
    (SEMICOLON, "{\n  f(x)@\n  for (;;) {}", None),
    (SEMICOLON, "{\n  a b@\n  x = 4;", None),
    ("variable-sized object may not be initialized", "int @a[n] = {0};", "int a[n]      ;"),
    (UNRESOLVED, "@C<A, B>::get<4>(p);", "C<A, B>::template get<4>(p);"),
    (UNRESOLVED, "tile.@row<S>(at);", "tile.template row<S>(at);"),
    (UNRESOLVED, "@get<4>(p); C<A>::get<4>(p);", None),
    (UNCALLED, "R<N>(t).@sum<4>(v);", "R<N>(t).template sum<4>(v);"),
    (UNCALLED, "r->@sum<4>(v);", "r->template sum<4>(v);"),
    (UNCALLED, "this->is.@operator()<A>(v);", "this->is.template operator()<A>(v);"),
    (UNCALLED, "r.@sum + 1;", None),
    (UNCALLED, "@sum<4>(v);", None),
    (MISSING, "R<N>(t).@sum<4>(v);", "R<N>(t).template sum<4>(v);"),
    (MISSING, "R<N>::@sum<4>(v);", "R<N>::template sum<4>(v);"),
    (AMBIGUOUS, "; sum[i] @= {};", "; sum[i] = drano_value<decltype((sum[i]))>{};"),
    (AMBIGUOUS, "; v[i]  @= {a.x, b};", "; v[i]  = drano_value<decltype((v[i]))>{a.x, b};"),
    (CHOSEN, "t = n @% f;", "t = operator%(n, f);"),
    (CHOSEN, "int t = p->a[3] @% d.by, u;", "int t = operator%(p->a[3], d.by), u;"),
    (CHOSEN, "t = a * n @% f;", None),
    (CHOSEN, "t = n @% f(x);", None),
    (CHOSEN, "t = n @% f++;", None),
    (CHOSEN, "t = n @/ f;", None),
    (MANY, "cub::@WarpReduce<T, A<B, 2>::c, ARCH> r;", "cub::WarpReduce<T, A<B, 2>::c      > r;"),
    (MANY, "cub::@WarpReduce <T> r;", None),
    (MANY, "@WarpReduce<T, 32, ARCH> mine;", None),
    (MANY, "my::@WarpReduce<T, 32, ARCH> mine;", None),
    (MANY, "hipcub::@WarpReduce<T, 32, ARCH> r;", "hipcub::WarpReduce<T, 32      > r;"),
    (MANY, "cub::@WarpReduce<T, 32, (ARCH;", None),
    (RESTRICTED, "int f(@__restrict__ word a[8]);", "int f(             word a[8]);"),
    (DANGLING, "A() : table(@Table()), n(0) {}", "A() : table(drano_kept(Table())), n(0) {}"),
    (DANGLING, "A() : table{@Table{1, (2)}} {}", "A() : table{drano_kept(Table{1, (2)})} {}"),
    (DANGLING, "A() : table@", None),
    (UNDECLARED, "int n;\ntemplate <class T>\n__device__ void a::b::@f(T t) { t(); }",
     "int n;\nnamespace a { namespace b { template <class T>\n__device__ void       f(T t) "
     "{ t(); } }}"),
    (UNDECLARED, "namespace c { void a::b::@f() {} }", None),
    (UNDECLARED, "void b::@f() {}", None),
    (UNDECLARED, "void a::b::@f();", None),
    (TARGETS, "; template <> __host__ __device__ int @f(int);",
     "; template <>          __device__ int f(int);"),
    (TARGETS, "; template <class T> LIB_HOST_DEVICE inline constexpr int @f();",
     "; template <class T>                 inline constexpr int f();"),
    (TARGETS, "; template <> constexpr int @f<int>();", None),
    (TARGETS, "; template <> __host__ int @f(int);", None),
    (TARGETS, "; template <> __device__ int @f(int);", None),
    (RESTRICTED, "int f(@POINTED word a[8]);", None),
    ("no idea", "__shared__ T @x;", None),
]  # fmt: skip


@pytest.mark.parametrize(("message", "before", "after"), REPAIRS)
def test_repairs(message: str, before: str, after: str | None) -> None:
    place = before.index("@")
    source = before.replace("@", "", 1).encode()
    line, column = before.count("\n", 0, place) + 1, place - before.rfind("\n", 0, place)
    said = Diagnostic("a.cu", line, column, Severity.ERROR, message)
    changed = repaired(source, [said])
    if after is None:
        assert changed is source
    else:
        assert changed == after.encode()


def test_templates_of_dependent_objects_need_no_word(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "template <int B> struct R {\n"
        "  template <int N> __device__ float sum(const float (&v)[N]) { return v[N - 1]; }\n};\n"
        "template <int B> __global__ void k(float *a) {\n"
        "  float v[2] = {a[0], a[1]};\n  R<B> r;\n"
        "  a[threadIdx.x] = R<B>().sum<2>(v) + r.sum<2>(v);\n}\n"
        "void go(float *a) { k<7><<<1, 32>>>(a); }\n"
    )
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics


def test_a_template_that_is_constexpr_in_name_only_is_a_function(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "struct It { bool v; __host__ __device__ It(bool v) : v(v) {} };\n"
        "template <class T> struct F {\n"
        "  constexpr bool add(T) const { auto const all = It{true}; return all.v; }\n"
        "  __device__ constexpr bool has(T) const { It const all{true}; return all.v; }\n};\n"
        'extern "C"__global__ void k(bool *a, F<int> f) { a[0] = f.has(3) && f.add(3); }\n'
        "void go(bool *a) { k<<<1, 32>>>(a, F<int>()); }\n"
    )
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    assert not unit.not_analysed


def test_static_members_are_constants_by_this_too(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "template <bool P> struct Base { static constexpr bool map = P; };\n"
        "template <bool P> struct Set : Base<P> {\n"
        "  static constexpr int size() { return 2; }\n"
        "  template <class V> __device__ auto const &key(V const &v) const {\n"
        "    static_assert(this->size() == 2);\n"
        "    if constexpr (this->map) { return v.x; } else { return v; }\n  }\n};\n"
        "template <class S> __global__ void k(int *a, S s) { a[s.key(threadIdx.x)] = 1; }\n"
        "void go(int *a) { k<<<1, 32>>>(a, Set<false>()); }\n"
    )
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    assert not unit.not_analysed


def test_dependent_types_in_expressions_need_no_word(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "struct M { struct In { int n; __device__ In(int n) : n(n) {} }; };\n"
        "__device__ int of(M::In in) { return in.n; }\n"
        "template <class T> __global__ void k(int *a) { a[0] = of(T::In(3)); }\n"
        "void go(int *a) { k<M><<<1, 32>>>(a); }\n"
    )
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    assert not unit.not_analysed


def test_a_repair_of_two_errors_in_one_declaration_is_made_once() -> None:
    source = b"__shared__ T a, b;"
    said = [Diagnostic("a.cu", 1, column, Severity.ERROR, SHARED) for column in (14, 17)]
    wanted = b"DRANO_SHARED(a, , __shared__, T); DRANO_SHARED(b, , __shared__, T);"
    assert repaired(source, said) == wanted


def test_places_that_a_text_does_not_have() -> None:
    assert offset_of(b"ab\ncd", 2, 2) == 4
    assert offset_of(b"ab\ncd", 3, 1) is None
    assert offset_of(b"ab\ncd", 2, 9) is None
    assert offset_of(b"ab\ncd", 1, 0) is None


def test_of_overlapping_edits_the_first_is_made() -> None:
    edits = [Edit(2, 4, b"-"), Edit(1, 3, b"+"), Edit(1, 3, b"+")]
    assert edited(b"abcdef", edits) == b"a+def"


OLD_CCCL = """
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <thrust/functional.h>
struct Twice : thrust::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
template <typename Op> __global__ void reduced(const float *a, float *b, Op op) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Reduce(a[threadIdx.x], op);
  cub::CTA_SYNC();
  float most = Reduce(storage).Reduce(sum, cub::Max());
  if (cub::LaneId() == 0) b[threadIdx.x] = thrust::identity<float>()(most);
}
__global__ void iterated(const float *a, float *b) {
  cub::CountingInputIterator<int> numbers(4);
  cub::TransformInputIterator<float, Twice, const float *> twice(a, Twice());
  b[threadIdx.x] = (twice + *(numbers + 1))[threadIdx.x];
}
__global__ void of_one_architecture(const float *a, float *b) {
  using Scan = cub::BlockScan<float, 64, cub::BLOCK_SCAN_RAKING, 1, 1, 900>;
  __shared__ Scan::TempStorage storage;
  float value = a[threadIdx.x];
  Scan(storage).InclusiveSum(value, value);
  b[threadIdx.x] = value;
}
template <typename T> __global__ void limited(T *a, cub::ArrayWrapper<int, 2> sizes) {
  cub::DiscardOutputIterator<int> nowhere;
  nowhere[threadIdx.x] = a[0];
  const unsigned i = cub::SHL_ADD(threadIdx.x, 1, cub::PRMT(sizes.array[0], 0, 0x3210));
  a[i] = i < 9 ? cub::FpLimits<T>::Lowest() : cub::FpLimits<T>::Max();
  if (sizes.array[1] < 0) cub::ThreadTrap();
}
template __global__ void limited(float *, cub::ArrayWrapper<int, 2>);
template __global__ void limited(__half *, cub::ArrayWrapper<int, 2>);
void run(float *a, float *b) {
  reduced<<<1, 128>>>(a, b, cub::Sum());
  reduced<cub::Min><<<1, 96>>>(a, b, cub::Min{});
  iterated<<<1, 64>>>(a, b);
  of_one_architecture<<<1, 64>>>(a, b);
}
"""


OLD_INCLUDES = """
#include <thrust/device_vector.h>
#include <thrust/sort.h>
struct Odd { __host__ __device__ bool operator()(int x) const { return x % 2; } };
__global__ void k(int *a) { a[threadIdx.x * 2] = 1; }
void run(thrust::device_vector<int> &v) {
  thrust::sort(thrust::device, v.begin(), v.end());
  auto last = thrust::unique(v.begin(), v.end());
  auto end = thrust::remove_if(thrust::device, v.begin(), last, Odd());
  v.erase(end, v.end());
  k<<<1, 64>>>(thrust::raw_pointer_cast(v.data()));
}
"""


def test_headers_of_thrust_that_others_included(tmp_path: Path) -> None:
    assert re.search(
        r"^define [^@]*ptx_kernel [^@]*@_Z1kPi", compiled(tmp_path, OLD_INCLUDES), re.M
    )


def test_names_that_cub_and_thrust_no_longer_have(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(OLD_CCCL)
    ir = device_ir(path)
    for name in (
        "7reduced",
        "8iterated",
        "19of_one_architecture",
        "7limitedIf",
        "7limitedI6__half",
    ):
        assert re.search(rf"^define [^@]*ptx_kernel [^@]*@_Z\d*{name}", ir, re.MULTILINE)
    found = {site.kernel: site.block[0] for site in unit_launches(str(path), options(path)).sites}
    assert sorted(found.values()) == [64, 64, 96, 128]


def test_what_can_be_repaired_is_seen_behind_many_errors(tmp_path: Path) -> None:
    path = tmp_path / "unit.cu"
    near = "struct A {}; void f(A, int); void f(A, float); void f(A, double); void f(A, char);"
    errors = near + "\n".join(f"void f{i}() {{ f({i}); }}" for i in range(40))
    path.write_text(f"""#include <cub/util_type.cuh>
{errors}
__global__ void k(float *a) {{ a[threadIdx.x] = cub::Max()(a[0], a[1]); }}
""")
    unit = compile_unit(str(path), CompileOptions(), partial=True)
    assert unit.not_analysed == ()
    assert unit.ir is not None
    assert "ptx_kernel void @_Z1kPf" in unit.ir


def test_a_unit_may_declare_and_define_a_variable_in_shared_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "struct S { float a[64]; };\nextern __shared__ S s;\n"
        "__device__ void put(float x) { s.a[2 * threadIdx.x] = x; }\n__shared__ S s;\n"
        "__global__ void k(float *p) { put(p[threadIdx.x]); }\n"
        "void f(float *p) { k<<<1, 32>>>(p); }\n"
    )
    report = check_unit(str(path), Config())
    assert not (report.diagnostics or report.host_errors or report.not_analysed)
    assert [(f.rule, f.location.span.line) for f in report.findings] == [("DRN101", 3)]


def test_a_shared_object_that_nothing_constructs_has_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "struct C { float re, im; __device__ C() : re(0), im(0) {} };\n"
        "__global__ void k(float *p) {\n  __shared__ C line[64];\n"
        "  line[threadIdx.x].re = p[0]; __syncthreads(); p[1] = line[threadIdx.x ^ 1].re; }\n"
        "void f(float *p) { k<<<1, 64>>>(p); }\n"
    )
    messages = [f.message for f in check_unit(str(path), Config()).findings]
    assert any("`line[threadIdx.x].re`" in message for message in messages)
    assert not any("__" in message for message in messages)
