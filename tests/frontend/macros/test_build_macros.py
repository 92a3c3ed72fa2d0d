"""Macros that only the build defines, without which names are missing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.macros.build_macros import missing_macros
from drano.frontend.macros.python_flags import python_flags
from drano.model.access import Launch
from drano.model.settings import CompileOptions, Config
from drano.model.translation_unit import CompiledUnit
from drano.run.driver import check_unit
from tests.conftest import Run

HEADER = """#pragma once
#if defined(USE_CUDA) && USE_CUDA
struct Params { float *data; int n; };
constexpr int kThreads = 96;
#endif  // defined(USE_CUDA)
"""
SOURCE = """#include "params.h"
__global__ void k(Params p) { if (threadIdx.x < p.n) p.data[threadIdx.x] = 0; }
void go(Params p) { k<<<2, kThreads>>>(p); }
"""
BUILDS = {
    "CMakeLists.txt": "add_library(a a.cu)\ntarget_compile_definitions(a PRIVATE USE_CUDA=1)\n",
    "cmake/all.cmake": "add_definitions(-DUSE_CUDA=1 -DOTHER)\n",
    "flags/CMakeLists.txt": 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O3 -DUSE_CUDA=1 -Wall")\n',
    "lists.cmake": "list(APPEND CUDA_NVCC_FLAGS -O3 -DUSE_CUDA=1)\n",
    "appended.cmake": 'string(APPEND CMAKE_CUDA_FLAGS " -DUSE_CUDA=1")\n',
    "Makefile": "NVFLAGS += -O3 -DUSE_CUDA=1 -DOTHER=2\n",
    "Makefile.in": "NVFLAGS += @NVFLAGS@ -DUSE_CUDA=1\n",
    "build_native.py": "command = f'{nvcc} -O3 -DUSE_CUDA=1 -o {output} -c {path}'\n",
    "ops/cuda_extension.py": "def nvcc_flags(self):\n    return ['-DUSE_CUDA=1']\n",
    "setup.py": "ext = CUDAExtension('a', ['a.cu'], define_macros=[('USE_CUDA', '1')])\n",
}


def project(folder: Path, build: str, text: str, source: str = SOURCE) -> Path:
    (folder / ".git").mkdir()
    (folder / build).parent.mkdir(exist_ok=True)
    (folder / build).write_text(text)
    (folder / "params.h").write_text(HEADER)
    path = folder / "a.cu"
    path.write_text(source)
    return path


def compiled(path: Path, options: CompileOptions | None = None) -> CompiledUnit:
    return compile_unit(str(path), options or CompileOptions(), partial=True)


@pytest.mark.parametrize(
    ("always", "under", "use"),
    [
        ("template <class T> struct Width;\ntemplate <> struct Width<int> { enum { is = 1 }; };",
         "template <> struct Width<float> { enum { is = 2 }; };", "Width<float>::is"),
        ("template <class T> struct Width {};\n"
         "#define WIDTH(T, N) template <> struct Width<T> { enum { is = N }; };",
         "WIDTH(float, 2)", "Width<float>::is"),
        ("template <class T> struct Cast { void operator()(); };\n"
         "#define CAST(T) template <> struct Cast<T> { "
         "__device__ int operator()(T) { return 2; } };",
         "CAST(float)", "Cast<float>()(1.f)"),
        ("__device__ int twice(int* p) { return 2; }",
         "__device__ int twice(float* p) { return 4; }", "twice(p)"),
    ],
)  # fmt: skip
def test_a_specialisation_or_overload_under_a_macro(
    tmp_path: Path, always: str, under: str, use: str
) -> None:
    source = (
        f"{always}\n#ifdef USE_CUDA\n{under}\n#endif\n"
        f"__global__ void k(float* p) {{ p[threadIdx.x * {use}] = 1; }}\n"
    )
    unit = compiled(project(tmp_path, "Makefile", BUILDS["Makefile"], source))
    assert unit.found.macros == ("USE_CUDA=1",)
    assert not (unit.host_errors or unit.not_analysed)


@pytest.mark.parametrize("build", BUILDS)
def test_a_macro_of_the_build_is_defined(tmp_path: Path, build: str) -> None:
    unit = compiled(project(tmp_path, build, BUILDS[build]))
    assert unit.found.macros == ("USE_CUDA=1",)
    assert str(tmp_path / build) in unit.dependencies
    assert unit.ir is not None
    assert not (unit.host_errors or unit.not_analysed)


@pytest.mark.parametrize("other", ["-DUSE_CUDA", "-DUSE_CUDA=0", "-DUSE_CUDA=OFF"])
def test_builds_that_say_the_same_or_switch_it_off(tmp_path: Path, other: str) -> None:
    path = project(tmp_path, "Makefile", BUILDS["Makefile"])
    (tmp_path / "other.mk").write_text(f"NVFLAGS += {other}\n")
    assert compiled(path).found.macros == ("USE_CUDA=1",)


def test_the_nearest_build_file_decides(tmp_path: Path) -> None:
    """As in repositories of many programs; its value may be a variable of the makefile."""
    path = project(
        tmp_path, "Makefile", "WIDTH ?= 96 # threads\nX = -DUSE_CUDA=1 -DBLOCK=$(WIDTH)\n"
    )
    (tmp_path / "other").mkdir()
    (tmp_path / "other/Makefile").write_text("X = -DUSE_CUDA=3 -DBLOCK=4 -DONE=1 -DTWO=2\n")
    (tmp_path / "Makefile2.mk").write_text(
        "N = 3 4\nM = 5\nX = -DN=$(N) -DM=${M}\nrelease: M = 6\n"
    )
    path.write_text(SOURCE.replace("k<<<2", "k<<<BLOCK"))
    unit = compiled(path)
    assert set(unit.found.macros) == {"USE_CUDA=1", "BLOCK=96"}
    messages = ["unknown type name 'N'", "unknown type name 'M'", "unknown type name 'ONE'"]
    assert missing_macros(str(path), messages, (), {}) == ("ONE=1",)


def test_a_header_of_a_library_under_a_macro(tmp_path: Path) -> None:
    """Also of one that is not installed, but stood in for."""
    path = project(tmp_path, "Makefile", "X = -DBUILDING_CUDA -DBUILDING_HIP\n")
    (tmp_path / "fft.h").write_text(
        "#ifdef BUILDING_CUDA\n#include <cufft.h>\n#endif\n"
        "#ifdef BUILDING_HIP\n#include <hipfft/hipfft.h>\n#endif\n"
    )
    path.write_text(
        '#include "fft.h"\n__global__ void k(cufftComplex *p) { p[threadIdx.x].x = 0; }\n'
    )
    unit = compiled(path)
    assert unit.found.macros == ("BUILDING_CUDA",)
    assert not (unit.host_errors or unit.not_analysed)


def test_pairs_of_a_meson_project_define_no_macro(tmp_path: Path) -> None:
    path = project(tmp_path, "meson.build", "project('tiles', 'cpp', version: '1')\n"
                   "project('tiles', 'cpp')\nadd_project_arguments('-DUSE_CUDA=1')\n")  # fmt: skip
    messages = ["use of undeclared identifier 'tiles'", "unknown type name 'USE_CUDA'"]
    assert missing_macros(str(path), messages, (), {}) == ("USE_CUDA=1",)


def test_a_missing_name_may_be_made_of_the_macro(tmp_path: Path) -> None:
    source = (
        "#define JOIN(x) x ## 2\n#define VECTOR(x) JOIN(x)\n#define REAL2 VECTOR(REAL)\n"
        "__global__ void k(REAL2 *p) { p[threadIdx.x] = {}; }\n"
    )
    unit = compiled(project(tmp_path, "Makefile", "X = -DREAL=double\n", source))
    assert unit.found.macros == ("REAL=double",)
    assert not (unit.host_errors or unit.not_analysed)


@pytest.mark.parametrize("include", ["../boxes/boxes.h", "boxes/boxes.h"])
def test_a_header_that_declares_it_may_be_included_under_the_macro(
    tmp_path: Path, include: str
) -> None:
    source = (
        f'#ifdef USE_CUDA\n#include "{include}"\n#endif\n#ifdef WITH_HIP\n#include "b.h"\n#endif\n'
        "__global__ void k(float* p) { p[threadIdx.x] = overlap(p); }\n"
    )
    folder = tmp_path / "boxes"
    folder.mkdir()
    (folder / "boxes.h").write_text("__device__ inline float overlap(float* p) { return p[0]; }\n")
    (tmp_path / "rotated").mkdir()
    path = project(tmp_path, "setup.py", BUILDS["setup.py"], source)
    path = path.rename(tmp_path / "rotated" / "a.cu")
    unit = compiled(path, CompileOptions(include_dirs=(str(tmp_path),)))
    assert unit.found.macros == ("USE_CUDA=1",)
    assert not (unit.host_errors or unit.not_analysed)


HIDDEN = "#ifdef WITH_GPU\n__global__ void k(float *a) { a[threadIdx.x] = 0; }\n#endif\n"


@pytest.mark.parametrize("header", [False, True])
def test_all_kernels_of_a_file_may_be_under_the_macro(tmp_path: Path, *, header: bool) -> None:
    """Themselves, or the include of a header that holds them."""
    source = HIDDEN
    if header:
        source = '#ifdef WITH_GPU\n#include "kernels.cuh"\n#endif\n'
        (tmp_path / "kernels.cuh").write_text(HIDDEN)
    path = project(tmp_path, "CMakeLists.txt", "add_definitions(-DWITH_GPU)\n", source)
    unit = compiled(path)
    assert unit.found.macros == ("WITH_GPU",)
    assert "ptx_kernel" in (unit.ir or "")


def test_kernels_under_a_macro_that_no_build_defines_are_told(tmp_path: Path, drano: Run) -> None:
    path = project(tmp_path, "CMakeLists.txt", "project(a)\n", HIDDEN)
    result = drano("check", str(path), cwd=tmp_path)
    assert (
        "no kernel in this file: those of its text are under conditions on WITH_GPU"
        in result.stderr
    )
    path.write_text("__global__ void j(float *a) { a[threadIdx.x] = 0; }\n" + HIDDEN)
    assert "WITH_GPU" not in drano("check", str(path), cwd=tmp_path).stderr


def test_the_missing_name_may_be_the_macro(tmp_path: Path) -> None:
    """Its value may be a variable of CMake's, which users may set otherwise, of another file."""
    source = "__global__ void k(int *p) { p[BLOCK * blockIdx.x + threadIdx.x] = 0; }\n"
    build = (
        "add_subdirectory(sizes)\n"
        "target_compile_definitions(a PUBLIC BLOCK=${WIDTH} OTHER=${NO} PART=2${NO})\n"
    )
    path = project(tmp_path, "CMakeLists.txt", build, source)
    sizes = tmp_path / "sizes/CMakeLists.txt"
    sizes.parent.mkdir()
    sizes.write_text('set(WIDTH "96" CACHE STRING "threads of a block")\n')
    unit = compiled(path)
    assert unit.found.macros == ("BLOCK=96",)
    assert {str(sizes), str(tmp_path / "CMakeLists.txt")} <= set(unit.dependencies)
    for unknown in ("OTHER", "PART"):
        path.write_text(source.replace("BLOCK", unknown))
        assert compiled(path).found.macros == ()


def test_launches_are_read_with_it(tmp_path: Path) -> None:
    report = check_unit(str(project(tmp_path, "Makefile", BUILDS["Makefile"])), Config())
    (kernel,) = report.kernels
    assert kernel.launches == (Launch((96, 1, 1), assumed=False),)
    assert report.found.macros == ("USE_CUDA=1",)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        ("Makefile", "all: a.cu\n"),
        ("Makefile", "debug: X=-DUSE_CUDA=2\nrelease: X=-DUSE_CUDA=1\n"),
        ("Makefile", "X = -DUSE_CUDA=$(CUDA)\n"),
        ("CMakeLists.txt", "option(USE_CUDA on)\nif(USE_CUDA)\nendif()\nset(USE_CUDA 1)\n"),
        ("CMakeLists.txt", "target_compile_definitions(USE_CUDA PRIVATE ${USE_CUDA})\n"),
    ],
)
def test_what_no_build_file_clearly_defines_is_not(tmp_path: Path, build: str, text: str) -> None:
    unit = compiled(project(tmp_path, build, text))
    assert unit.found.macros == ()
    assert unit.not_analysed or unit.diagnostics


def test_a_flag_that_is_given_stays(tmp_path: Path) -> None:
    path = project(tmp_path, "Makefile", BUILDS["Makefile"])
    for options in (
        CompileOptions(undefines=("USE_CUDA",)),
        CompileOptions(defines=("USE_CUDA=0",)),
    ):
        assert compiled(path, options).found.macros == ()


def test_programs_are_built_with_the_flags_that_are_given(tmp_path: Path) -> None:
    path = project(tmp_path, "Makefile", BUILDS["Makefile"])
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is None
    assert unit.found.macros == ()


def test_code_that_needs_no_macro_gets_none(tmp_path: Path) -> None:
    plain = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"
    path = project(tmp_path, "Makefile", BUILDS["Makefile"], '#include "params.h"\n' + plain)
    assert compiled(path).found.macros == ()


CONDITIONS = {
    "#ifndef USE\n#else\nint wanted;\n#endif\n": True,
    "#ifdef OTHER\n#elif defined(USE)\nint wanted;\n#endif\n": True,
    "#if USE\n#if 1\nint wanted;\n#endif\n#endif\n": True,
    "#if defined(A) && \\\n defined(USE)\nint wanted;\n#endif\n": True,
    "#ifndef USE\nint wanted;\n#endif\n": False,
    "#if !defined(USE)\nint wanted;\n#endif\n": False,
    "#if USE == 1\nint wanted;\n#endif\n": True,
    "#if OTHER == 1\n#elif USE == 1 && defined A\nint wanted;\n#endif\n": True,
    "#if USE == 2\nint wanted;\n#endif\n": False,
    "#if !(USE == 1)\nint wanted;\n#endif\n": False,
    "#if USE != 1\nint wanted;\n#endif\n": False,
    "#if USE > 3\nint wanted;\n#endif\n": False,
    "#if defined(USE) || defined(B)\nint wanted;\n#endif\n": False,
    "#ifdef USE\n#else\nint wanted;\n#endif\n": False,
    "#ifdef USE\n#endif\nint wanted;\n": False,
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions_of_what_is_missing(tmp_path: Path, text: str) -> None:
    path = project(tmp_path, "Makefile", "X = -DUSE\n", text)
    found = missing_macros(str(path), ["use of undeclared identifier 'ns::wanted'"], (), {})
    assert found == (("USE",) if CONDITIONS[text] else ())


OTHERS = ["USE_HIP", "GGML_USE_ROCM", "__HIP_PLATFORM_AMD__", "WIN32", "CPU_ONLY", "NO_CUDA"]


@pytest.mark.parametrize("other", OTHERS)
def test_of_several_platforms_ours_is_taken(tmp_path: Path, other: str) -> None:
    text = f"#ifdef {other}\nint wanted;\n#elif defined(USE_CUDA)\nint wanted;\n#endif\n"
    path = project(tmp_path, "Makefile", f"X = -D{other} -DUSE_CUDA\n", text)
    assert missing_macros(str(path), ["unknown type name 'wanted'"], (), {}) == ("USE_CUDA",)


@pytest.mark.parametrize("part", ["! ", "a", "!(", "-D", "(\t", "\\\n", "#if "])
def test_long_lines_take_no_time(tmp_path: Path, part: str) -> None:
    many = part * 300_000
    path = project(tmp_path, "Makefile", many, f"#if {many}\nint wanted;\n#endif\n")
    (tmp_path / "setup.py").write_text(many)
    (tmp_path / "CMakeLists.txt").write_text(f"add_definitions({many})\n")
    started = time.process_time()
    assert missing_macros(str(path), ["unknown type name 'wanted'"], (), {}) == ()
    assert time.process_time() - started < 10


def test_build_files_that_are_none_are_passed_over(tmp_path: Path) -> None:
    path = project(tmp_path, "Makefile", BUILDS["Makefile"])
    os.mkfifo(tmp_path / "CMakeLists.txt")
    (tmp_path / "rules.mk").symlink_to("/dev/zero")
    assert compiled(path).found.macros == ("USE_CUDA=1",)


def test_it_is_said(tmp_path: Path, drano: Run) -> None:
    project(tmp_path, "Makefile", BUILDS["Makefile"])
    result = drano("check", ".", cwd=tmp_path)
    assert "found macros in the project's build files, as if given -DUSE_CUDA=1" in result.stderr


PROGRAM = """from torch.utils.cpp_extension import load
JOB = "test"
if JOB == "test":
    ROWS, N = 8, 4
else:
    ROWS, N = 8, 64
WIDTH: int = N
DEEP = len(JOB)
load(name="a", sources=["a.cu"], extra_cuda_cflags=[
    "-O3", f"-DTHREADS={WIDTH}", f"-D ROWS={ROWS} -DTALL={ROWS}0", f"-DDEEP={DEEP}", "-DPLAIN=3"])
"""
SIZES = """__global__ void k(float *a) { a[threadIdx.x] = NAME; }
void go(float *a) { k<<<2, 32>>>(a); }
"""


@pytest.mark.parametrize(
    ("name", "macros"),
    [("THREADS", ("THREADS=64",)), ("ROWS", ("ROWS=8",)), ("PLAIN", ("PLAIN=3",)),
     ("DEEP", ()), ("TALL", ())],
)  # fmt: skip
def test_sizes_that_a_python_program_compiles_with(
    tmp_path: Path, drano: Run, name: str, macros: tuple[str, ...]
) -> None:
    path = project(tmp_path, "train.py", PROGRAM, SIZES.replace("NAME", name))
    (tmp_path / "other.py").write_text(f'print(f"-D{name}=7")\n')  # compiles nothing
    assert compiled(path).found.macros == macros
    if name == "THREADS":
        said = drano("check", "a.cu", cwd=tmp_path).stderr
        assert "as if given -DTHREADS=64 (of several sizes that a Python program has" in said


def test_a_macro_without_a_value_is_no_size(tmp_path: Path, drano: Run) -> None:
    program = 'setup(ext_modules=[Extension("a", define_macros=[("FOR_PYTHON", None)])])\n'
    text = """#ifdef FOR_PYTHON
__device__ int get(int i) { return i; }
#endif
__global__ void k(float *a) { a[get(threadIdx.x)] = 1; }
"""
    project(tmp_path, "setup.py", program, text)
    said = drano("check", "a.cu", cwd=tmp_path).stderr
    assert "as if given -DFOR_PYTHON" in said
    assert "sizes" not in said


@pytest.mark.parametrize("text", ["(" * 90_000, "x = f'-DN={", "-D" + "\0", "N = 1\n" * 40_000,
                                  f"N = 0x{'f' * 9000}\nf'-DM={{N}}'"])  # fmt: skip
def test_python_programs_that_are_none_define_nothing(text: str) -> None:
    assert list(python_flags(f"{text}\n#-D")) == []


def test_other_variables_of_cmake_define_nothing(tmp_path: Path) -> None:
    unit = compiled(project(tmp_path, "CMakeLists.txt", 'set(HELP "use -DUSE_CUDA=1")\n'))
    assert unit.found.macros == ()


def test_thrust_in_a_namespace_of_the_project(tmp_path: Path) -> None:
    source = (
        "#include <thrust/device_ptr.h>\n"
        "namespace solver { typedef solver::thrust::device_ptr<float> Values; }\n"
        "__global__ void k(float* p) { p[threadIdx.x * 2] = 1; }\n"
        "void go(solver::Values v) { k<<<1, 32>>>(v.get()); }\n"
    )
    flags = "set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -DTHRUST_CUB_WRAPPED_NAMESPACE=solver)\n"
    unit = compiled(project(tmp_path, "CMakeLists.txt", flags, source))
    assert unit.found.macros == ("THRUST_CUB_WRAPPED_NAMESPACE=solver",)
    assert not (unit.host_errors or unit.not_analysed)


def test_a_header_with_the_name_of_one_of_the_systems(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "error.h").write_text(
        "#pragma once\n#include <string.h>\nenum Error { NO_MEMORY = 3 };\n"
    )
    (tmp_path / "include" / "shape.h").write_text("#pragma once\n#include <error.h>\n")
    source = '#include "shape.h"\n__global__ void k(float* p) { p[threadIdx.x * NO_MEMORY] = 1; }\n'
    unit = compiled(project(tmp_path, "Makefile", "", source))
    assert unit.found.first == unit.found.directories == (str(tmp_path / "include"),)
    assert not (unit.host_errors or unit.not_analysed)
    assert len(check_unit(unit.path, Config()).accesses) == 1


def test_a_header_of_the_standard_library_is_the_standard_librarys(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "string.h").write_text("#error this is not meant\n")
    (tmp_path / "include" / "shape.h").write_text("#pragma once\n#include <string.h>\n")
    source = (
        '#include "shape.h"\n'
        "__global__ void k(float* p) { memset(p, 0, 4); }\n"
        "void f() { unheard_of(); }\n"
    )
    unit = compiled(project(tmp_path, "Makefile", "", source))
    assert unit.found.first == ()
    assert [error.line for error in unit.host_errors] == [3]


def test_code_for_debugging_is_not_asked_for(tmp_path: Path) -> None:
    source = (
        "#ifdef DEBUG\nvoid report(float*);\n#endif\n"
        "__global__ void k(float* p) { p[threadIdx.x * 2] = 1; }\n"
        "void go(float* p) { k<<<1, 32>>>(p); report(p); }\n"
    )
    unit = compiled(project(tmp_path, "Makefile", "FLAGS += -g -DDEBUG\n", source))
    assert unit.found.macros == ()
    assert [error.line for error in unit.host_errors] == [5]


BACK_ENDS = """#if defined(FOR_OMP)
constexpr int kThreads = 8;
#elif defined(FOR_CUDA)
constexpr int kThreads = 96;
#elif defined(FOR_REFERENCE)
constexpr int kThreads = 1;
#else
#error "no back end"
#endif
"""
USES_NAMESPACE = """#include "params.h"
namespace NAMESPACE { struct Row { float *data; }; }
__global__ void k(NAMESPACE::Row p) { p.data[threadIdx.x] = 0; }
void go(float *p) { k<<<2, kThreads>>>(cuda_names::Row{p}); }
"""


def test_one_branch_of_several_is_taken(tmp_path: Path) -> None:
    build = "".join(
        f"target_compile_definitions({name.lower()} PRIVATE FOR_{name})\n"
        for name in ("OMP", "CUDA", "REFERENCE")
    )
    path = project(tmp_path, "CMakeLists.txt", build, SOURCE.replace("Params p", "float *p"))
    (tmp_path / "params.h").write_text(BACK_ENDS)
    path.write_text(path.read_text().replace("p.n", "9").replace("p.data", "p"))
    unit = compiled(path)
    assert unit.found.macros == ("FOR_CUDA",)
    assert not (unit.host_errors or unit.not_analysed)


def test_what_is_defined_beside_it_is_defined_if_the_unit_uses_it(tmp_path: Path) -> None:
    build = (
        "target_compile_definitions(a PRIVATE FOR_CUDA NAMESPACE=cuda_names UNUSED=1 "
        "VALUE=${COMPUTED})\ntarget_compile_definitions(b PRIVATE Row=1)\n"
    )
    path = project(tmp_path, "CMakeLists.txt", build, USES_NAMESPACE)
    (tmp_path / "params.h").write_text(BACK_ENDS)
    unit = compiled(path)
    assert unit.found.macros == ("FOR_CUDA", "NAMESPACE=cuda_names")
    assert not (unit.host_errors or unit.not_analysed)


def test_what_two_commands_define_beside_it_in_two_ways_is_not(tmp_path: Path) -> None:
    build = "".join(
        f"target_compile_definitions({name} PRIVATE FOR_CUDA NAMESPACE={name})\n"
        for name in ("cuda_names", "others")
    )
    path = project(tmp_path, "CMakeLists.txt", build, USES_NAMESPACE)
    (tmp_path / "params.h").write_text(BACK_ENDS)
    assert compiled(path).found.macros == ("FOR_CUDA",)


BACK_ENDS_OF_CMAKE = """option(CUDA "with CUDA" ON)
option(ON_CPU "without it" OFF)
if(CUDA)
  add_definitions(-DFOR_GPU=1)
elseif(ON_CPU)
  add_definitions(-DFOR_CPU=1)
endif()
if(ON_CPU)
  add_definitions(-DROWS=8)
else()
  add_definitions(-DROWS=32)
endif()
"""
OF_EACH = """#ifdef FOR_CPU
#include <tbb/mutex.h>
typedef tbb::mutex Lock;
#endif
#ifdef FOR_GPU
typedef int Lock;
#endif
__global__ void k(Lock *p) { p[ROWS * threadIdx.x] = 0; }
"""


def test_what_an_option_that_is_off_defines_is_not_while_another_helps(tmp_path: Path) -> None:
    unit = compiled(project(tmp_path, "CMakeLists.txt", BACK_ENDS_OF_CMAKE, OF_EACH))
    assert sorted(unit.found.macros) == ["FOR_GPU=1", "ROWS=32"]
    assert not (unit.host_errors or unit.not_analysed)


def test_what_only_an_option_that_is_off_defines_is_defined(tmp_path: Path) -> None:
    build = 'option(MORE "more" OFF)\nif(MORE)\n  add_definitions(-DROWS=8)\nendif()\n'
    source = "__global__ void k(int *p) { p[ROWS * threadIdx.x] = 0; }\n"
    assert compiled(project(tmp_path, "CMakeLists.txt", build, source)).found.macros == ("ROWS=8",)


RUNS_NVCC = """import subprocess
FLAGS = ["-O3", "-DWITH_HALF", "-DROWS=4"]
def build(path): subprocess.run(["nvcc", *FLAGS, path])
"""
DISPATCH = """#ifdef WITH_HALF
#define CASE_HALF(...) case 2: { typedef short T; __VA_ARGS__; break; }
#else
#define CASE_HALF(...)
#endif
#ifdef WITH_FLOAT
#define CASE_FLOAT(...) case 4: { typedef float T; __VA_ARGS__; break; }
#else
#define CASE_FLOAT(...)
#endif
"""
DISPATCHED = """#include "params.h"
template <class T> __global__ void k(T *p) { p[threadIdx.x * 2] = 0; }
void go(void *p, int kind) {
  switch (kind) { CASE_HALF((k<<<2, 64>>>((T *)p))) CASE_FLOAT((k<<<2, 64>>>((T *)p))) }
}
"""


@pytest.mark.parametrize("cub", ["", "#include <cub/cub.cuh>\n"])
def test_instances_may_be_made_under_the_macros_of_a_program_that_runs_nvcc(
    tmp_path: Path, cub: str
) -> None:
    path = project(tmp_path, "python/core.py", RUNS_NVCC, cub + DISPATCHED)
    (tmp_path / "params.h").write_text(DISPATCH)
    report = check_unit(str(path), Config())
    assert report.found.macros == ("WITH_HALF",)
    assert [kernel.name for kernel in report.kernels] == ["k<short>"]


def test_no_kernel_is_told_where_a_header_of_cub_makes_one(tmp_path: Path, drano: Run) -> None:
    header = "template <class T> __global__ void k(T *p) { *p = 0; }\n"
    (tmp_path / "k.cuh").write_text(header)
    path = tmp_path / "a.cu"
    path.write_text(
        '#include <cub/cub.cuh>\n#include "k.cuh"\nvoid go(float *p) { k<<<1, 1>>>(lost(p)); }\n'
    )
    said = drano("check", path).stderr
    assert "no kernel in this file: templates, if any, need host code that does not compile" in said


@pytest.mark.parametrize(
    "context",
    [
        '#ifndef WITH_GPU\n#include "fake_cuda.h"\n#endif\n',
        "#if !defined(WITH_GPU)\n#include <lib/fake_cuda.h>\n#endif\n",
        '#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#else\n#include "fake_cuda.h"\n#endif\n',
    ],
)
def test_stand_ins_for_cuda_are_kept_out(tmp_path: Path, context: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(
        "if(WITH_GPU)\n  add_definitions(-DWITH_GPU)\nendif()\n"
    )
    (tmp_path / "lib/fake_cuda.h").write_text(
        "#ifndef FAKE_CUDA_H_\n#define FAKE_CUDA_H_\n#ifdef WITH_GPU\n#error no\n#endif\n"
        "#define __global__ // none\n#define __device__\nusing cudaError_t = int;\n#endif\n"
    )
    (tmp_path / "lib/context.h").write_text(context)
    path = tmp_path / "lib/a.cu"
    path.write_text(
        '#include "context.h"\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n'
        "void go(int *a) { k<<<1, 32>>>(a); }\n"
    )
    unit = compile_unit(str(path), CompileOptions(include_dirs=(str(tmp_path),)), partial=True)
    assert unit.ir is not None, unit.diagnostics
    assert unit.found.macros == ("WITH_GPU",)
    assert "define dso_local ptx_kernel void @_Z1kPi" in unit.ir
