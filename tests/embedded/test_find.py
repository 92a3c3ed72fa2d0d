"""What is found in Python sources, and how its kernels are launched."""

from __future__ import annotations

import doctest

import pytest

from drano.embedded import elementwise
from drano.embedded.find import find_embedded
from drano.embedded.units import Embedded, PythonError
from drano.model.translation_unit import LaunchSite, Shifted

KERNEL = 'extern \\"C\\" __global__ void k(float* a) {}'


def found(source: str) -> Embedded:
    return find_embedded(source, "/w/a.py")


@pytest.mark.parametrize(
    ("source", "what", "defines", "std"),
    [
        ("import cupy as cp\ncp.RawKernel('x', 'k', ('-DN=3', '--std=c++17', '-I/x'))", "RawKernel",
         ("N=3",), "c++17"),
        ("from cupy import RawKernel as RK\nRK('x', 'k')", "RawKernel", (), None),
        ("m = xp.RawModule(code='x', options=['-D A'])", "RawModule", ("A",), None),
        ("SourceModule('x', options=['-DB'])", "SourceModule", ("B",), None),
        ("torch.cuda._compile_kernel('x', 'k')", "_compile_kernel", (), None),
        ("load_inline('n', '', ['x', 'y'])", "load_inline", (), None),
        ("from cuda.core import Program\nProgram('x', code_type='c++')", "Program", (), None),
        ("self.k = cupy.RawKernel(code='x', name='k')", "RawKernel", (), None),
    ],
)  # fmt: skip
def test_calls(source: str, what: str, defines: tuple[str, ...], std: str | None) -> None:
    (unit,) = found(source).units
    assert (unit.what, unit.defines, unit.std) == (what, defines, std)
    assert unit.text.text.startswith("x")


@pytest.mark.parametrize(
    "source",
    ["RawModule(path='k.cubin')", "Program('x', 'ptx')", "load_inline('n', 'cpp')", "f('x')",
     "'a docstring of __global__ void k() { }'", "x = '__global__ void k();'", "f()()"],
)  # fmt: skip
def test_nothing_to_find(source: str) -> None:
    assert found(source) == Embedded()


def test_what_is_not_constant_is_said() -> None:
    embedded = found("def f(code, n):\n    return RawKernel(f'int a[{n}];' + code, 'k')\n")
    (unknown,) = embedded.unknown
    assert (unknown.line, unknown.column, unknown.what) == (2, 12, "RawKernel")
    assert unknown.reason == "{n}"


@pytest.mark.parametrize(
    ("source", "line"),
    [("def f(:\n", 1), ("print 'a'", 1), ("(" * 5000, None), ("x = '\udc80'", 0), ("a\0b", None)],
)
def test_no_python(source: str, line: int | None) -> None:
    with pytest.raises(PythonError) as caught:
        found(source)
    assert line is None or caught.value.line == line


def test_deep_and_cyclic_sources_end() -> None:
    assert found("s = " + " + ".join(["'a'"] * 900) + "\nRawKernel(s, 'k')").unknown
    assert found("s = t\nt = s\nRawKernel(s, 'k')").unknown


def sites(source: str) -> tuple[LaunchSite, ...]:
    (unit,) = found(source).units
    return unit.launches


def shape(site: LaunchSite) -> tuple[object, ...]:
    return site.kernel, site.grid, site.block, site.arguments, site.named


def test_launches_of_cupy() -> None:
    source = """
k = RawKernel("x", "name")
B = 256
def main(a, n, grid):
    view = a[1:]
    k((n // B, 2), (B,), (a, 4, view, cp.int32(-7), a[n]))
    k(grid, (n,), (a,))
    k((1,), block=(1, 2, 3), args=())
"""
    assert [shape(site) for site in sites(source)] == [
        ("name", (None, 2, 1), (256, 1, 1), (None, 4, Shifted(1), -7, Shifted(1)), False),
        ("name", (None, None, None), (None, 1, 1), (None,), False),
        ("name", (1, 1, 1), (1, 2, 3), (), False),
    ]


def test_launches_through_modules() -> None:
    source = """
m = SourceModule("x")
f = m.get_function("add")
f(a, b, block=(32, 4, 1), grid=(7, 1))
m.get_function("sub")(a, block=(64, 1, 1))
"""
    assert [shape(site) for site in sites(source)] == [
        ("add", (7, 1, 1), (32, 4, 1), (None, None), False),
        ("sub", (None, None, None), (64, 1, 1), (None,), False),
    ]


def test_a_kernel_that_is_handed_on_may_be_launched_otherwise() -> None:
    (launch, named) = sites("k = RawKernel('x', 'n')\nk((1,), (32,), ())\nrun(k)\n")
    assert launch.block == (32, 1, 1)
    assert named.named and named.kernel == "n"
    assert sites("m = SourceModule('x')\nm.get_function('f')(a, block=(8, 1, 1))\nrun(m)\n") == ()


def test_one_source_in_two_calls_is_one_unit() -> None:
    source = (
        f"S = '''{KERNEL}'''\na = RawKernel(S, 'k')\nb = RawKernel(S, 'k')\na((1,), (32,), ())\n"
    )
    (unit,) = found(source).units
    assert len(unit.launches) == 1


def test_doctests_of_elementwise_kernels() -> None:
    assert doctest.testmod(elementwise).failed == 0


def test_a_raw_parameter_is_a_number_or_an_array() -> None:
    def parameters(operation: str, preamble: str = "") -> str:
        call = f"ElementwiseKernel('raw T a', 'T y', {operation!r}, 'k', preamble={preamble!r})"
        (unit,) = found(call).units
        return unit.text.text.split("void k(")[1].split(")")[0]

    assert parameters("y = i < a") == "T a, T* _a_y, ptrdiff_t n"
    assert parameters("y = max(i, a)") == "T a, T* _a_y, ptrdiff_t n"
    assert parameters("y = a[i]") == "const T* _a_a, T* _a_y, ptrdiff_t n"
    assert parameters("y = a.size()") == "const T* _a_a, T* _a_y, ptrdiff_t n"
    of_an_array = "template <class A> __device__ float f(A& x) { return x[0]; }"
    assert parameters("y = f(a)", of_an_array) == "const T* _a_a, T* _a_y, ptrdiff_t n"


def test_elementwise_kernels_that_are_not_understood() -> None:
    assert found("ElementwiseKernel('T *x', 'T y', 'y = 1', 'k')").unknown
    (unit,) = found("ElementwiseKernel('T x', 'T y', 'y = x', 'k')").units
    (launch,) = unit.launches
    assert launch.block == (128, 1, 1)
