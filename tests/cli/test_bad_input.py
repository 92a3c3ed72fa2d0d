"""Whatever it is given, drano says what is wrong in one line, and never with a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Run

KERNEL = "__global__ void k(float* a) { a[threadIdx.x] = 0; }\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("binary.cu", b"\x7fELF\x02\x01\0\0\0\0", "binary.cu: is a binary file"),
        ("name.txt", KERNEL, "name.txt: unknown kind of file"),
        ("broken.ll", "define void @f( {\n", "broken.ll:"),
        ("host.ll", 'target triple = "x86_64-linux-gnu"\n', "host.ll: is not device IR"),
        ("random.bc", b"BC\xc0\xde" + bytes(range(200)), "random.bc:"),
        ("text.bc", "not bitcode", "text.bc: is not LLVM bitcode"),
        ("recursive.cu", '#include "recursive.cu"\n', "recursive.cu:1:10: #include nested"),
        ("error.cu", '#error "old\x1b[31m"\n', "error.cu:1:2:"),
    ],
)
def test_files_that_cannot_be_analysed(
    drano: Run, tmp_path: Path, name: str, content: str | bytes, expected: str
) -> None:
    write(tmp_path / name, content)
    outcome = drano("check", name)
    assert outcome.status == 2
    (line,) = outcome.error_lines
    assert line.startswith(f"drano: error: {expected}")
    assert "\x1b" not in outcome.stderr
    assert outcome.stdout == "1 file could not be analysed.\n"


@pytest.mark.parametrize("path", ["gone.cu", "gone/deep.cu", "", "latin\udcff.cu", "a" * 5000])
def test_missing_files(drano: Run, path: str) -> None:
    outcome = drano("check", path)
    assert outcome.status == 2
    assert len(outcome.error_lines) == 1


@pytest.mark.parametrize("path", ["gone.cu", "gone.txt", "gone/deep"])
def test_what_is_not_there_is_said_to_be_missing(drano: Run, path: str) -> None:
    assert drano("check", path).error_lines == [f"drano: error: {path}: no such file"]


@pytest.mark.parametrize("content", ["", "\n \n", "// nothing\n", "int host() { return 1; }\n"])
def test_a_file_without_kernels_is_clean_with_a_note(
    drano: Run, tmp_path: Path, content: str
) -> None:
    write(tmp_path / "empty.cu", content)
    outcome = drano("check", "empty.cu")
    assert outcome.status == 0
    assert outcome.stderr == "drano: note: empty.cu: no kernel in this file\n"
    assert outcome.stdout.startswith("No findings: 1 file, 0 kernels")


def test_a_unit_whose_templates_nobody_instantiates_names_the_cause(
    drano: Run, tmp_path: Path
) -> None:
    template = "template <class T> __global__ void rows(T* a) { a[threadIdx.x * 32] = 1; }\n"
    launch = "void go(View view) { rows<float><<<1, 32>>>(view.data()); }\n"
    write(tmp_path / "rows.cuh", template)
    write(tmp_path / "rows.cu", f'#include "rows.cuh"\n#include <tensors/view.h>\n{launch}')
    outcome = drano("check", "--stub-missing-headers", "rows.cu")
    assert "continued without a missing header: tensors/view.h" in outcome.stderr
    assert outcome.status == 2
    said = "kernel rows at rows.cuh:1 not analysed: rows.cu:3:9: host code that may instantiate it"
    assert said in outcome.stdout


def test_kernels_of_libraries_are_none_of_the_unit(drano: Run, tmp_path: Path) -> None:
    template = "template <class T> __global__ void rows(T* a) { a[threadIdx.x * 32] = 1; }\n"
    launch = "void go(View view);\n"
    library = (
        "#include <thrust/execution_policy.h>\n#include <thrust/fill.h>\n"
        "void fill(float* p, int n) { thrust::fill(thrust::device, p, p + n, 0.0f); }\n"
    )
    write(tmp_path / "rows.cuh", template)
    write(
        tmp_path / "rows.cu", f'{library}#include "rows.cuh"\n#include <tensors/view.h>\n{launch}'
    )
    outcome = drano("check", "rows.cu")
    assert "0 kernels" in outcome.stdout
    said = "rows.cu: no kernel in this file but those of headers that are not reported: templates"
    assert said in outcome.stderr


def test_a_directory_without_sources(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    outcome = drano("check", "docs")
    assert outcome.status == 2
    assert outcome.error_lines == [
        "drano: error: docs: no .cu, .cu.cc or .cuh file, and no C++ or .py file with CUDA source,"
        " in it"
    ]


def test_cpp_files_with_kernels_where_no_name_says_cuda(drano: Run, tmp_path: Path) -> None:
    """As in hypre, whose CUDA is in .c files."""
    (tmp_path / "src").mkdir()
    write(tmp_path / "src" / "scale.c", "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n")
    write(tmp_path / "src" / "host.cpp", "// of a __global__, int x = ;\n")
    said = "drano: note: src: no .cu file in it: its C and C++ files with kernels are taken as CUDA"
    outcome = drano("check", "src", "--output-format", "concise")
    assert outcome.status == 1 and "src/scale.c:1:" in outcome.stdout
    assert said in outcome.stderr and "host.cpp" not in outcome.stderr
    write(tmp_path / "src" / "more.cu", "__global__ void m(float* a) { a[threadIdx.x] = 0; }\n")
    outcome = drano("check", "src")
    assert outcome.status == 0 and "1 file" in outcome.stdout and said not in outcome.stderr


def test_one_bad_file_does_not_lose_the_others(drano: Run, tmp_path: Path) -> None:
    write(tmp_path / "bad.cu", "int x = ;\n")
    write(tmp_path / "good.cu", "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n")
    outcome = drano("check", "--output-format", "concise", "bad.cu", "good.cu", "gone.cu")
    assert outcome.status == 2
    assert "good.cu:1:" in outcome.stdout
    assert len(outcome.error_lines) == 2


def test_many_errors_are_one_line_and_all_with_v(drano: Run, tmp_path: Path) -> None:
    write(tmp_path / "bad.cu", "int x = ;\nint y = ;\nint z = ;\n")
    assert drano("check", "bad.cu").error_lines[0].endswith("(and 2 more errors; -v shows all)")
    assert "bad.cu:3:9: " in drano("check", "-v", "bad.cu").stderr


def test_a_file_that_the_system_refuses_to_open(drano: Run, tmp_path: Path) -> None:
    write(tmp_path / "file.cu", KERNEL)
    outcome = drano("check", "file.cu/inner.cu")
    assert outcome.status == 2
    assert outcome.error_lines == [
        "drano: error: file.cu/inner.cu: cannot be read: Not a directory"
    ]


def test_pipes_and_links(drano: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    (tmp_path / "loop.cu").symlink_to("loop.cu")
    outcome = drano("check", "pipe.cu", "loop.cu")
    assert outcome.status == 2
    assert len(outcome.error_lines) == 2


def test_a_generated_kernel_of_a_megabyte(drano: Run, tmp_path: Path) -> None:
    tid = "thread_" + "x" * 330
    lines = [f"  out[{i} + {tid}] = in[{i} + {tid}] + in[{tid} * 3 + {i}];" for i in range(1_000)]
    body = "\n".join(lines)
    source = (
        "__global__ void big(float* out, const float* in) {\n"
        f"  int {tid} = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n"
    )
    assert len(source) > 1_000_000
    write(tmp_path / "big.cu", source)
    # Its time is that of the machine, which runs other tests meanwhile; not what is tested here.
    patient = ("--timeout", "280", "--output-format", "concise")
    outcome = drano("check", *patient, "big.cu", timeout=600)
    assert outcome.status == 1
    assert "Found 1000 findings" in outcome.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["chekc"], "invalid choice: 'chekc'"),
        (["check"], "the following arguments are required: PATH"),
        (["check", "--wat", "a.cu"], "unrecognized arguments: --wat"),
        (["check", "a.cu", "--block", "0"], "CUDA allows sizes"),
        (["check", "a.cu", "--block", "64,64"], "more than 1024 threads"),
        (["check", "a.cu", "--block", "1,2,3,4"], "is not X[,Y[,Z]]"),
        (["check", "a.cu", "--block", "-1"], "--block"),
        (["check", "a.cu", "--domain", "octagon"], "invalid choice: 'octagon'"),
        (["check", "a.cu", "--timeout", "nan"], "is not a number of seconds"),
        (["check", "a.cu", "--pointer-alignment", "24"], "is not a power of two"),
        (["check", "a.cu", "--select", "XYZ"], "XYZ: no such rule"),
        (["check", "a.cu", "--cuda-path", "/gone"], "/gone"),
        (["check", "a.cu", "--cuda-gpu-arch", "gfx90a"], "gfx90a"),
        (["check", "a.cu", "-p", "/gone"], "/gone"),
        (["check", "a.cu", "-std", "-rm"], "-std"),
        (["check", "a.cu", "--", "-fno-such-flag"], "-fno-such-flag"),
        (["check", "a.cu", "--output-file", "/gone/x"], "/gone/x: cannot write"),
        (["explain", "a.cu"], "is not FILE:LINE"),
        (["explain", "a.cu:99"], "no kernel memory access here"),
        (["rule", "DRN999"], "no such rule"),
    ],
)
def test_bad_arguments(drano: Run, tmp_path: Path, arguments: list[str], expected: str) -> None:
    write(tmp_path / "a.cu", KERNEL)
    outcome = drano(*arguments)
    assert outcome.status == 2
    (line,) = outcome.error_lines
    assert expected in line


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("__global__ void k() {\n  int x = ;\n}\n", "bad.cu:2:11: expected expression"),
        ("__global__ void k(Missing m) {}\n", "bad.cu:1:19: unknown type name 'Missing'"),
        ("__global__ void k() {" * 3, "bad.cu:1:"),
    ],
)
def test_kernels_that_cannot_be_analysed(
    drano: Run, tmp_path: Path, content: str, expected: str
) -> None:
    (tmp_path / "bad.cu").write_text(content)
    outcome = drano("check", "bad.cu")
    assert outcome.status == 2
    assert "kernel k" in outcome.stdout
    assert f"not analysed: {expected}" in outcome.stdout
