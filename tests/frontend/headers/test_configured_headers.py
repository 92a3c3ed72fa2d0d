"""Headers that a build would make of templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.headers.cmake.conditions import is_true
from drano.frontend.headers.cmake.language import Argument, commands
from drano.frontend.headers.cmake.values import project_at
from drano.frontend.headers.configured_headers import configured, filled, made_of, template_names
from drano.model.report import FileStatus
from drano.output.input_problems import run_notes
from drano.run.driver import check

KERNEL = """#include "lib/config.h"
#if !defined(LIB_BACKEND)
#error not configured
#endif
#if LIB_HAVE_SHUFFLE() == 1 && LIB_WIDE && LIB_VERSION_MAJOR == 3
__global__ void k(float* a) { a[2 * threadIdx.x] = 1; }
#endif
"""
TEMPLATE = """#pragma once
#define LIB_BACKEND @LIB_BACKEND@
#define LIB_HAVE_SHUFFLE() @LIB_HAVE_SHUFFLE@
#define LIB_UNKNOWN @LIB_UNKNOWN@
#define LIB_VERSION_MAJOR @lib_VERSION_MAJOR@
#define LIB_NAME "${LIB_NAME}"
#cmakedefine01 LIB_WIDE
#cmakedefine LIB_DEBUG
#  cmakedefine LIB_ROWS @LIB_ROWS@
"""
LISTS = """cmake_minimum_required(VERSION 3.18)
project(lib VERSION 3.4.5 LANGUAGES CXX CUDA)
set(LIB_BACKEND LIB_BACKEND_CUDA CACHE STRING "backend") # default
string(REGEX REPLACE "^LIB_BACKEND_" "" LIB_BACKEND ${LIB_BACKEND})
string(TOLOWER ${LIB_BACKEND} LIB_BACKEND)
option(LIB_WIDE "wide" ON)
option(LIB_DEBUG "debug")
if((${CUDA_VERSION} VERSION_EQUAL "9.0") OR (CUDA_VERSION VERSION_GREATER "9.0"))
  set(LIB_HAVE_SHUFFLE 1)
else()
  set(LIB_HAVE_SHUFFLE 0)
endif()
if(EXISTS "/etc/passwd")
  set(LIB_UNKNOWN 7)
endif()
add_subdirectory(src)
function(f)
  set(LIB_WIDE OFF)
endfunction()
"""


def project(folder: Path) -> Path:
    """A project whose header is a template; its source."""
    (folder / ".git").mkdir()
    (folder / "src").mkdir()
    (folder / "cmake").mkdir()
    (folder / "CMakeLists.txt").write_text(LISTS)
    (folder / "src" / "CMakeLists.txt").write_text("set(LIB_ROWS 12)\nset(LIB_NAME [[a;b]])\n")
    (folder / "cmake" / "config.h.in").write_text(TEMPLATE)
    source = folder / "src" / "a.cu"
    source.write_text(KERNEL)
    return source


def test_values_follow_the_text(tmp_path: Path) -> None:
    project(tmp_path)
    found = project_at(str(tmp_path), "13.0")
    values, files = found.values, found.files
    assert values["LIB_BACKEND"] == "cuda"
    assert values["LIB_HAVE_SHUFFLE"] == "1"
    assert values["LIB_WIDE"] == "ON"
    assert values["LIB_DEBUG"] == "OFF"
    assert values["lib_VERSION_MAJOR"] == "3"
    assert values["LIB_ROWS"] == "12"
    assert values["LIB_UNKNOWN"] is None
    assert [Path(file).name for file in files] == ["CMakeLists.txt"] * 2


def test_files_are_included_as_the_project_names_them(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "project(Lib VERSION 1)\ninclude(${Lib_SOURCE_DIR}/cmake/one.cmake)\n"
        "add_subdirectory(part)\ninclude(${PROJECT_SOURCE_DIR}/cmake/two.cmake)\n"
        "list(APPEND CMAKE_MODULE_PATH ${CMAKE_SOURCE_DIR}/modules)\ninclude(Three)\n"
        "include(CTest)\n"
    )
    for place, name in (("cmake", "one"), ("cmake", "two"), ("modules", "Three"), ("part", "four")):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / f"{name}.cmake").write_text(f"set({name} 1)\n")
    (tmp_path / "part" / "CMakeLists.txt").write_text(
        "project(Part)\ninclude(${PROJECT_SOURCE_DIR}/four.cmake)\n"
    )
    values = project_at(str(tmp_path), "13.0").values
    assert [values.get(name) for name in ("one", "two", "Three", "four")] == ["1"] * 4


CONDITIONS = {
    "A": True, "NOT A": False, "B": False, "ABSENT": False, "NOT (A AND B)": True,
    "A AND NOT B OR B": True, '"A"': True, '"${B}" STREQUAL "OFF"': True, "DEFINED B": True,
    "DEFINED C": False, "N LESS 10": True, "N GREATER_EQUAL 10": False, "A MATCHES x": False,
    "N MATCHES 4": True, "A MATCHES x+": None, "(EXISTS f) OR B": None, "NOT (EXISTS f)": None,
    "TARGET t OR A": True, "TARGET t AND A": None, "N VERSION_LESS 4.1.0": True,
    "x IN_LIST L": True, "z IN_LIST L": False, "((A))": True,
}  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions(tmp_path: Path, condition: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "set(A ON)\nset(B OFF)\nset(N 4)\nset(L x y)\nset(R none)\n"
        f"if({condition})\nset(R yes)\nelse()\nset(R no)\nendif()\n"
    )
    said = {True: "yes", False: "no", None: None}[CONDITIONS[condition]]
    assert project_at(str(tmp_path), "13.0").values["R"] == said


OWN_COMMANDS = r"""
macro(lib_option NAME TYPE DEFAULT)
  if(NOT DEFINED ${NAME})
    set(${NAME} "${DEFAULT}" CACHE ${TYPE} "${ARGN}")
  endif()
endmacro()
function(choose RESULT)
  set(LOCAL inside)
  foreach(type ${ARGN})
    string(REPLACE " " "_" plain ${type})
    check_type_size("${type}" SIZE_OF_${plain})
    if(SIZE_OF_${plain} EQUAL "8")
      set(${RESULT} ${type} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(AFTER 1 CACHE INTERNAL "")
endfunction()
macro(Again)
  again()
  again()
endmacro()
function(inner)
  set(DEEP 1 PARENT_SCOPE)
endfunction()
function(outer)
  inner()
  set(SEEN_IN_OUTER ${DEEP} CACHE INTERNAL "")
endfunction()
outer()
lib_option(LIB_SIZE STRING 64 of indices)
lib_option(LIB_SIZE STRING 32)
set(LIB_SIZE "${LIB_SIZE}x" CACHE STRING "" FORCE)
set(LOCAL outside)
choose(LIB_TYPE int __int64 "long long" long)
foreach(tool IN LISTS NONE TOOLS ITEMS)
endforeach()
set(TOOLS a;b)
foreach(tool IN LISTS TOOLS)
  list(APPEND SEEN "${tool}!")
  if(EXISTS /x)
    break()
  endif()
  set(LAST ${tool})
endforeach()
foreach(i RANGE 3)
  set(RANGED 1)
endforeach()
again()
lib_option(LIB_GUESS STRING ${UNKNOWN_${TOOL}})
"""


def test_macros_functions_and_loops_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(OWN_COMMANDS)
    values = project_at(str(tmp_path), "13.0").values
    assert values["LIB_SIZE"] == "64x"
    assert values["LIB_TYPE"] == "long long"
    assert values["LOCAL"] == "outside"
    assert values.get("SEEN", "") in {"a!", None}  # the second is run only if there is no /x
    assert values.get("LAST", "") is None
    assert values["RANGED"] is None
    assert "AFTER" not in values
    assert values["SEEN_IN_OUTER"] == "1" and "DEEP" not in values


def test_what_a_loop_passes_over_each_time(tmp_path: Path) -> None:
    text = "foreach(i a b)\nif(i STREQUAL a)\nf()\nendif()\nif(OFF)\ng()\nendif()\nendforeach()\n"
    (tmp_path / "CMakeLists.txt").write_text(text)
    names = [name for name, _ in commands(text)]
    passed = {names[place] for _, place in project_at(str(tmp_path), "13.0").passed}
    assert passed == {"g"}


CUDA_LISTS = """
option(LIB_ENABLE_CUDALIB "use CUDA" OFF)
set(LIB_WITH_CUDA OFF CACHE BOOL "CUDA")
option(USE_CUDA_PROFILER "profile")
option(DISABLE_CUDA "none")
set(USE_CUDA OFF)
if(LIB_ENABLE_CUDALIB)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit REQUIRED)
    if(CUDAToolkit_FOUND)
      set(HAVE_CUDA TRUE)
    endif()
  endif()
endif()
"""


def test_the_project_is_built_with_cuda(tmp_path: Path) -> None:
    """An option that says so is on: it is a file of CUDA that needs the header."""
    (tmp_path / "CMakeLists.txt").write_text(CUDA_LISTS)
    values = project_at(str(tmp_path), "13.0").values
    assert values["HAVE_CUDA"] == "TRUE"
    assert values["LIB_WITH_CUDA"] == "ON"
    assert [values[n] for n in ("USE_CUDA_PROFILER", "DISABLE_CUDA", "USE_CUDA")] == ["OFF"] * 3
    template = "#cmakedefine HAVE_CUDA @HAVE_CUDA@\n#cmakedefine LIB_USING_CUDA\n"
    assert filled(template, values) == "#define HAVE_CUDA TRUE\n#define LIB_USING_CUDA\n"
    assert filled("#cmakedefine USE_CUDA", values) == "/* #undef USE_CUDA */"
    assert filled("#cmakedefine HAVE_CUDA_UVM", values) == "/* #undef HAVE_CUDA_UVM */"


def test_of_what_autoconf_fills_in_cuda_and_names_of_fortran_are_known() -> None:
    names = ("HAVE_MPI", "LIB_USING_CUDA", "FC_FUNC", "FC_FUNC_", "F77_FUNC_", "FC_FUNCTIONS")
    names += ("HAVE_SYS_TIME_H", "HAVE_UNISTD_H", "HAVE_MPI_H", "min")
    template = "\n".join([*(f"#undef {name}" for name in names), "# undef FC_MODULE_ /* */"])
    assert filled(template, {}).split("\n") == [
        "/* #undef HAVE_MPI */",
        "#define LIB_USING_CUDA 1",
        *(f"#define {name}(name,NAME) name ## _" for name in names[2:5]),
        "/* #undef FC_FUNCTIONS */",
        *("#if __has_include(<sys/time.h>)", "#define HAVE_SYS_TIME_H 1", "#endif"),
        *("#if __has_include(<unistd.h>)", "#define HAVE_UNISTD_H 1", "#endif"),
        "/* #undef HAVE_MPI_H */",
        "#undef min",
        "# undef FC_MODULE_ /* */",
    ]


def test_words_of_commands() -> None:
    text = 'SET( a "b \\" ${c}" #[[ d ]] e # f\n [=[g ]] h]=] (i))\n# set(x y)\n'
    word = Argument
    assert list(commands(text)) == [
        ("set", (word("a"), word('b " ${c}', quoted=True), word("e"),
                 word("g ]] h", quoted=True, exact=True), word("("), word("i"), word(")")))
    ]  # fmt: skip


def test_a_template_is_filled_in() -> None:
    values = {"A": "x", "ON_": "yes", "U": None}
    assert filled('#define P @A@ "${A}"', values) == '#define P x "x"'
    assert filled("#define P @U@", values) == "#define P 0"
    assert filled('#define P "@U@"', values) == '#define P ""'
    assert filled("#if (${U} > 0)\n#elif @N@ == ${A}", values) == "#if (0 > 0)\n#elif 0 == x"
    assert filled("#cmakedefine ON_ @A@", values) == "#define ON_ x"
    assert filled("#cmakedefine U", values) == "/* #undef U */"
    assert filled("#cmakedefine01 U", values) == "#define U 0"
    assert filled("@A@@A@ a@b.c", values) == "xx a@b.c"
    assert is_true("LIB-NOTFOUND") is False
    assert "config.in.h" in template_names("config.h")


def test_a_unit_is_analysed_with_it(tmp_path: Path) -> None:
    source = project(tmp_path)
    (file,) = check([str(source)]).files
    assert file.status is FileStatus.OK, file.diagnostics
    assert [finding.rule for finding in file.findings] == ["DRN001"]
    assert {str(tmp_path / "cmake" / "config.h.in"), str(tmp_path / "CMakeLists.txt")} <= set(
        file.dependencies
    )
    (made,) = file.found.directories
    assert made_of(made)[0].endswith("config.h.in")
    assert made_of(str(tmp_path)) == ()


def test_the_directory_that_is_included_decides(tmp_path: Path) -> None:
    source = project(tmp_path)
    for name, text in (("include/lib", "#define OWN 1"), ("include/other", "#define OTHER 1")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "config.h.in").write_text(
            f"{text}\n{(tmp_path / 'cmake' / 'config.h.in').read_text()}"
        )
    (file,) = check([str(source)]).files
    assert file.status is FileStatus.OK, file.diagnostics
    (made,) = file.found.directories
    assert made_of(made)[0] == str(tmp_path / "include" / "lib" / "config.h.in")


@pytest.mark.parametrize("lists", ["CMakeLists.txt", "cmake/made.cmake"])
def test_a_template_of_another_name_is_known_by_the_command(tmp_path: Path, lists: str) -> None:
    source = project(tmp_path)
    (tmp_path / "cmake" / "config.h.in").rename(tmp_path / "cmake" / "backends.txt")
    with (tmp_path / lists).open("a") as file:
        file.write(
            "configure_file(${lib_SOURCE_DIR}/cmake/backends.txt\n"
            "               ${lib_BINARY_DIR}/include/lib/config.h)\n"
        )
    (file,) = check([str(source)]).files
    assert file.status is FileStatus.OK, file.diagnostics
    (made,) = file.found.directories
    assert made_of(made)[0].endswith("backends.txt")


def test_a_real_header_is_preferred(tmp_path: Path) -> None:
    source = project(tmp_path)
    (tmp_path / "build" / "lib").mkdir(parents=True)
    (tmp_path / "build" / "lib" / "config.h").write_text(
        "#define LIB_BACKEND 1\n#define LIB_HAVE_SHUFFLE() 0\n"
    )
    (file,) = check([str(source)]).files
    assert file.found.directories == (str(tmp_path / "build"),)
    assert not file.kernels


def test_nothing_outside_of_the_repository_is_read(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    project(inside)
    (outside / "secret.cmake").write_text("set(LIB_ROWS 99)\n")
    (outside / "config.h.in").write_text("#define SECRET\n")
    with (inside / "CMakeLists.txt").open("a") as lists:
        lists.write(f"include({outside}/secret.cmake)\ninclude(../out/secret.cmake)\n")
        lists.write("include(link.cmake)\n")
    (inside / "link.cmake").symlink_to(outside / "secret.cmake")
    assert project_at(str(inside), "13.0").values["LIB_ROWS"] == "12"
    (inside / "cmake" / "config.h.in").unlink()
    (inside / "cmake" / "config.h.in").symlink_to(outside / "config.h.in")
    (file,) = check([str(inside / "src" / "a.cu")]).files
    assert not file.found.directories


def test_a_project_below_the_root_with_templates_of_two_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in hypre: CMake's template stands beside autoconf's, and the option is not set."""
    below = tmp_path / "src"
    (below / "cmake").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (below / "CMakeLists.txt").write_text(
        'project(lib)\nset(CMAKE_MODULE_PATH "${lib_SOURCE_DIR}/cmake")\n'
        "lib_option(LIB_ENABLE_CUDA OFF)\n"
        "if(LIB_ENABLE_CUDA OR LIB_ENABLE_HIP)\n  include(Setup)\nendif()\n"
        "configure_file(cmake/config.h.cmake.in config.h)\n"
    )
    (below / "cmake" / "Setup.cmake").write_text('set(LIB_GPU ON CACHE INTERNAL "")\n')
    (below / "cmake" / "config.h.cmake.in").write_text("#cmakedefine LIB_GPU 1\n")
    (below / "cmake" / "config.h.in").write_text("#undef LIB_GPU\n")
    (below / "a.cu").write_text(
        '#include "config.h"\n#ifdef LIB_GPU\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n'
        "#endif\n"
    )
    report = check([str(below / "a.cu")])
    assert [kernel.name for file in report.files for kernel in file.kernels] == ["k"]
    monkeypatch.chdir(tmp_path)
    said = "filled in src/cmake/config.h.cmake.in with what the project's CMake files set"
    assert any(note.startswith(said) for note in run_notes(report))


HOSTILE = {
    "calls": "macro(m)\n" + "m()\n" * 1000 + "endmacro()\nm()\n",
    "skipped calls": "macro(m)\nif(0)\n"
    + "set(A 1)\n" * 1000
    + "endif()\nendmacro()\n"
    + "m()\n" * 9000,
    "loops": "set(L " + "x;" * 199 + ")\n" + "foreach(i ${L})\n" * 12 + "endforeach()\n" * 12,
    "arguments": "macro(m A)\nm(${A}${A})\nendmacro()\nm(xxxxxxxx)\n",
    "nested loops": "foreach(i a)\n" * 5000,
    "scopes": "".join(f"set(A{i} 1)\n" for i in range(20_000)) + "function(f)\nendfunction()\n"
    "set(L "
    + "x;" * 199
    + ")\nforeach(i ${L})\nforeach(j ${L})\nf()\nendforeach()\nendforeach()\n",
    "open bodies": "foreach(i a b c)\nmacro(m)\n" * 3000,
    "itself": "include(CMakeLists.txt)\nset(A ${A}${A}x)\n" * 50,
    "doubling": "set(A xx)\n" + "set(A ${A}${A})\n" * 64,
    "brackets": "if(" + "(" * 100_000,
    "nested": "if(A)\n" * 20_000,
    "names of names": "set(A ${${${${A}}}})\n" * 1000,
    "no end": 'set(A "' + "x" * 1_000_000,
    "ends": "endif()\nelse()\nendforeach()\n" * 1000,
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_files_are_bounded(tmp_path: Path, how: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(HOSTILE[how])
    values = project_at(str(tmp_path), "13.0").values
    assert all(len(value or "") <= 4096 for value in values.values() if value != str(tmp_path))


def test_names_that_lead_elsewhere_make_nothing(tmp_path: Path) -> None:
    source = project(tmp_path)
    source.write_text('#include "../../x/config.h"\n__global__ void k() {}\n')
    (file,) = check([str(source)]).files
    assert not file.found.directories
    assert configured("config.h", str(tmp_path / "absent"), str(tmp_path)) is None


@pytest.mark.parametrize(
    ("command", "include", "macro"),
    [
        ("generate_export_header(core)", "core_export.h", "CORE_EXPORT"),
        ("GENERATE_EXPORT_HEADER(core BASE_NAME my)", "lib/my_export.h", "MY_NO_EXPORT"),
        (
            'generate_export_header(core EXPORT_FILE_NAME "${CMAKE_BINARY_DIR}/api/core_api.h"\n'
            "  EXPORT_MACRO_NAME CORE_API)",
            "core_api.h",
            "CORE_API",
        ),
    ],
)
def test_macros_of_a_library_s_symbols_are_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, include: str, macro: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(f"include(GenerateExportHeader)\n{command}\n")
    source = tmp_path / "a.cu"
    source.write_text(
        f"#include <{include}>\nclass {macro} C {{ public: int n; }};\n"
        "__global__ void k(C *c) { c[threadIdx.x].n = 1; }\n"
        "void go(C *c) { k<<<1, 32>>>(c); }\n"
    )
    report = check([str(source)])
    assert [kernel.name for file in report.files for kernel in file.kernels] == ["k"]
    assert not [d for file in report.files for d in file.not_analysed]
    said = "made the export headers of CMakeLists.txt, with empty macros"
    monkeypatch.chdir(tmp_path)
    assert any(note.startswith(said) for note in run_notes(report))
