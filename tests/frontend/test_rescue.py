"""Units with errors: host code costs no kernel, device code those that reach it and no others."""

from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.repair.broken_pch import clear_error_mark
from drano.frontend.repair.culprits import Culprit, Role, find_culprits
from drano.frontend.repair.removed_text import blot
from drano.model.settings import CompileOptions
from tests.frontend.rescued_units import compiled, kernels, lost


def test_a_missing_header_alone_costs_nothing(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path, "#include <no/such.h>\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"
    )
    assert kernels(unit) == {"_Z1kPf"}
    assert [(h.name, h.line, h.stand_in) for h in unit.missing_headers] == [("no/such.h", 1, False)]
    assert unit.not_analysed == () == unit.host_errors


def test_host_code_costs_no_kernel(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """#include <no_such_library.h>
template <typename T> __global__ void k(T *a, int n) { a[threadIdx.x * n] = 1; }
static library_t handle;
void run(library_t h, const ns::Tensor &t) {
  auto status = library_call(h, t);
  k<float><<<1, 128>>>(nullptr, 4);
  k<<<1, status>>>((short *)nullptr, 4);
}
""",
    )
    assert kernels(unit) == {"_Z1kIfEvPT_i", "_Z1kIsEvPT_i"}
    assert unit.not_analysed == ()
    assert unit.host_errors


def test_tuples_beside_errors_cost_nothing(tmp_path: Path) -> None:
    """clang 22 crashed over what CCCL makes of ``get`` in a precompiled header."""
    unit = compiled(
        tmp_path,
        """#include <thrust/tuple.h>
__device__ thrust::tuple<float3, int> pair(float3 a) { return thrust::make_tuple(a, 1); }
__global__ void k(float *o) {
  const auto both = pair(make_float3(o[0], o[1], o[2]));
  const float3 a = thrust::get<0>(both);
  o[threadIdx.x] = a.x;
}
void run(float *o) { no_such::library(o); k<<<1, 32>>>(o); }
""",
    )
    assert "_Z1kPf" in kernels(unit)  # besides one that a header of CUB instantiates
    assert unit.not_analysed == ()


def test_what_clang_crashes_over_is_compiled_without_host_code(tmp_path: Path) -> None:
    """Types by the place in a pack of types do not survive clang 22's precompiled headers."""
    unit = compiled(
        tmp_path,
        """template <class... T> using first = T...[0];
template <class... T> struct list;
template <class L> struct head;
template <class... T> struct head<list<T...>> { using type = first<T...>; };
template <class... T> __device__ typename head<list<T...>>::type &get(T &...a);
struct three { float x, y, z; };
__global__ void k(float *o, three *t) { const three a = get(*t, o); o[threadIdx.x] = a.x; }
void run(float *o) { no_such::library(o); k<<<1, 32>>>(o, nullptr); }
""",
    )
    assert kernels(unit) == {"_Z1kPfP5three"}
    assert [error.message for error in unit.host_errors] == [
        "use of undeclared identifier 'no_such'"
    ]


def test_errors_in_the_standard_library_cost_no_kernel(tmp_path: Path) -> None:
    """By lookup in the namespace of an argument, as of ``cuda::std``'s own ``__to_address``; beside
    what does not survive a precompiled header.
    """
    unit = compiled(
        tmp_path,
        """#include <thrust/device_vector.h>
#include <memory>
namespace n { struct A {}; template <class T> T *__to_address(T *p) { return p; } }
template <class... T> using first = T...[0];
template <class... T> struct list;
template <class L> struct head;
template <class... T> struct head<list<T...>> { using type = first<T...>; };
template <class... T> __device__ typename head<list<T...>>::type &get(T &...a);
struct three { float x, y, z; };
__global__ void k(float *o, three *t) { const three a = get(*t, o); o[threadIdx.x] = a.x; }
std::shared_ptr<n::A> f(std::unique_ptr<n::A> p, float *o) {
  std::shared_ptr<n::A> s;
  s = std::move(p);
  k<<<1, 32>>>(o, nullptr);
  return s;
}
""",
    )
    assert "_Z1kPfP5three" in kernels(unit)  # besides one of CUB's
    assert not unit.not_analysed


def test_the_same_error_in_another_file_is_another_one(tmp_path: Path) -> None:
    """Device code whose error appears only when a declaration has gone, as a host error has it."""
    (tmp_path / "host.h").write_text("inline   void f() { take(1); }\n")
    (tmp_path / "take.h").write_text("__device__ int take(nothing_t n);\n")
    (tmp_path / "device.h").write_text("__device__ int g(){ take(1); return 1; }\n")
    unit = compiled(
        tmp_path,
        """#include "host.h"
#include "take.h"
#include "device.h"
__global__ void k(float *o) { o[threadIdx.x] = g(); }
__global__ void good(float *o) { o[threadIdx.x] = 1; }
""",
    )
    assert list(lost(unit)) == ["k"]
    assert kernels(unit) == {"_Z4goodPf"}


def test_static_kernels_are_kept(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """static __global__ void k(float *a) { a[threadIdx.x] = 1; }
namespace { __global__ void m(float *a) { a[threadIdx.x] = 1; } }
void run() { unknown(); k<<<1, 32>>>(nullptr); m<<<1, 32>>>(nullptr); }
""",
    )
    assert len(kernels(unit)) == 2


def test_errors_in_device_code_cost_who_reaches_them(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """__device__ float broken(float *a) { return missing(a); }
__device__ float between(float *a) { return broken(a) + 1; }
__global__ void direct(float *a) { a[threadIdx.x] = broken(a); }
__global__ void indirect(float *a) { a[threadIdx.x] = between(a); }
__global__ void own(float *a) { a[threadIdx.x] = 1; a[0] = absent; }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
""",
    )
    assert kernels(unit) == {"_Z4goodPf"}
    assert lost(unit) == {
        "direct": "use of undeclared identifier 'missing'",
        "indirect": "use of undeclared identifier 'missing'",
        "own": "use of undeclared identifier 'absent'",
    }
    (own,) = [kernel for kernel in unit.not_analysed if kernel.kernel == "own"]
    assert own.location is not None
    assert (own.location.span.line, own.cause.line, own.cause.column) == (5, 5, 60)


def test_unknown_types_are_not_taken_for_int(tmp_path: Path) -> None:
    """clang goes on with int in their place: strides and offsets would be wrong."""
    unit = compiled(
        tmp_path,
        """struct S { library_t h; float *p; };
struct T { S s; int n; };
typedef other_t alias;
template <class X> using row = unknown_row<X>;
__global__ void by_value(S s) { s.p[threadIdx.x] = 1; }
__global__ void nested(T *t) { t[threadIdx.x].n = 1; }
__global__ void member(S *s) { s->h[threadIdx.x] = 1; }
__global__ void aliased(alias *a) { a[threadIdx.x] = 1; }
__global__ void templated(row<float> *a) { a[threadIdx.x] = 1; }
__global__ void parameter(third_t *a, float *b) { b[threadIdx.x] = 1; }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
""",
    )
    assert kernels(unit) == {"_Z4goodPf"}
    assert set(lost(unit)) == {"by_value", "nested", "member", "aliased", "templated", "parameter"}


def test_unknown_constants_and_bases(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """constexpr int N = library::size;
__constant__ library_t table[4];
struct Derived : library::Base { float x; };
enum Mode { first = library::first, second };
__global__ void constant(float *a) { a[threadIdx.x * N] = 1; }
__global__ void device(float *a) { a[threadIdx.x] = table[0]; }
__global__ void derived(Derived *a) { a[threadIdx.x].x = 1; }
__global__ void enumerated(float *a) { a[threadIdx.x * second] = 1; }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
""",
    )
    assert kernels(unit) == {"_Z4goodPf"}
    assert set(lost(unit)) == {"constant", "device", "derived", "enumerated"}


def test_lambdas_of_the_host_cost_no_kernel(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """template <class F> void each(F f) { f(1); }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
void run(float *a) {
  each([&](int (*g)(int)) mutable noexcept -> float { return nothing(a); });
  each([a] { nothing(a); });
}
template <class T> void launch(T *a) {
  auto sized = [&]<unsigned SIZE>() { good<<<1, SIZE>>>(reinterpret_cast<nothing_t *>(a)); };
  sized.template operator()<32>();
}
""",
    )
    assert unit.not_analysed == ()
    assert kernels(unit) == {"_Z4goodPf"}


def test_host_declarations_hide_no_kernel(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """#include <no/such.h>
DECLARE_flag(k, 3, "number of results");
using Index = missing::Index<unsigned char>;
void Box::set(missing::Index<unsigned char>&& index) {
  used = index;
}
""",
    )
    assert kernels(unit) == set() == set(unit.not_analysed)


def test_errors_of_a_header_are_not_the_files_own(tmp_path: Path) -> None:
    """As of a library's header for another system, which was found in the repository."""
    (tmp_path / "build.h").write_text(
        "typedef socket_length length;\ntypedef char rule[sizeof(length) == 3 ? 1 : -1];\n"
    )
    unit = compiled(tmp_path, '#include "build.h"\nint used() { return sizeof(length); }\n')
    assert kernels(unit) == set() == set(unit.not_analysed)


@pytest.mark.parametrize(
    "source",
    [
        "MY_KERNEL void k(float *a) { a[threadIdx.x] = 1; }\n",
        "MAKE(k, float *a) {\n  a[threadIdx.x] = 1;\n}\n",
        "missing::Attribute __global__ void k(float *a) {\n  a[threadIdx.x] = 1;\n}\n",
        "#if 1\nusing T = missing::T;\n",
        "#include <no/such.h>\nMAKE_KERNELS(float);\nusing T = missing::T;\n",
    ],
)
def test_what_may_hide_a_kernel_is_an_error(tmp_path: Path, source: str) -> None:
    path = tmp_path / "unit.cu"
    path.write_text(source)
    unit = compile_unit(str(path), CompileOptions(), partial=True)
    assert unit.ir is None or unit.not_analysed


def test_what_only_code_generation_refuses(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """#include <vector>
std::vector<int> on_host;
__device__ __host__ inline int both(int x) { return on_host[x]; }
__global__ void bad(int *a) { a[threadIdx.x] = both(a[0]); }
__global__ void good(float *a) { a[threadIdx.x] = 1; }
""",
    )
    assert kernels(unit) == {"_Z4goodPf"}
    assert set(lost(unit)) == {"bad"}


def test_lines_and_columns_stay(tmp_path: Path) -> None:
    unit = compiled(
        tmp_path,
        """__device__ int broken() {
  return missing(1,
                 2);
}
__global__ void good(float *a) {
  a[threadIdx.x] = 1;
}
""",
    )
    assert unit.ir is not None
    assert re.search(r"!DILocation\(line: 6, column: 18", unit.ir)


def body(start: int, end: int, role: Role = Role.BODY) -> Culprit:
    return Culprit(role, "a.cu", 1, 1, "x", "f", "a.cu", start, end, 1)


def test_bodies_keep_their_lines() -> None:
    text = b"__device__ int f() {\n  return x;\n}\nint y;\n"
    start, end = text.index(b"{"), text.index(b"}") + 1
    changed, marked = blot([body(start, end)], {}, lambda _: text, 7)
    assert changed["a.cu"].count(b"\n") == text.count(b"\n")
    assert b"{drano_not_compiled(7);" in changed["a.cu"]
    assert changed["a.cu"].endswith(b"}\nint y;\n")
    assert len(marked) == 1


def test_of_nested_extents_the_outer_goes() -> None:
    text = b"struct S { int f() { return x; } };"
    inner = body(text.index(b"{ return"), text.index(b"} }") + 1)
    outer = body(0, len(text) - 1, Role.DECLARATION)
    changed, marked = blot([inner, outer], {}, lambda _: text, 0)
    assert changed["a.cu"].strip() == b";"
    assert marked == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"#define A\nA __launch_bounds__(N(2)) void f();", b"#define A\n"),
        (b"int x; static inline void f();", b"int x; "),
        (b"namespace n { template<int> void f();", b"namespace n { template<int> "),
    ],
)
def test_attributes_go_with_their_declaration(before: bytes, after: bytes) -> None:
    culprit = body(before.index(b"void"), len(before) - 1, Role.FUNCTION)
    changed, _ = blot([culprit], {}, lambda _: before, 0)
    assert changed["a.cu"].rstrip(b" ;") == after.rstrip(b" ;")
    assert len(changed["a.cu"]) == len(before)


def test_a_file_without_the_record_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.pch"
    path.write_bytes(b"CPCH" + bytes(200) + b"(https://host/llvm " + b"a" * 40 + b")")
    before = path.read_bytes()
    assert not clear_error_mark(path, (22, 1))
    assert path.read_bytes() == before


def test_names_of_the_standard_library_come_by_themselves(tmp_path: Path) -> None:
    """A header that is not installed would have brought them."""
    unit = compiled(
        tmp_path,
        """#include <no/such.h>
constexpr size_t most(std::initializer_list<size_t> sizes) { return std::max(sizes); }
struct Plan { static constexpr int size = most({sizeof(int), sizeof(double)}); };
std::map<std::string, std::unique_ptr<Plan>> plans;
__global__ void k(char *a, std::uint8_t n) { a[Plan::size * threadIdx.x] = n; }
""",
    )
    assert kernels(unit) == {"_Z1kPch"}
    assert unit.not_analysed == () == unit.host_errors


def test_many_errors_take_no_longer_each(tmp_path: Path) -> None:
    """As of a unit whose library is missing."""
    count = 800
    lines = (f"  auto f{i} = [](int x) {{ return x; }}; missing(f{i});\n" for i in range(count))
    path = tmp_path / "unit.cpp"
    path.write_text("void host() {\n" + "".join(lines) + "}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = find_culprits(str(path), ["-xc++", "-ferror-limit=0"], (), 600, 4 << 30)
    assert [culprit.role for culprit in found] == [Role.HOST] * count
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 8
