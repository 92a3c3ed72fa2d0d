"""The front end, from a file to device IR: what compiles, and what is said of what does not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.model.finding import Severity
from drano.model.report import MissingHeader
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError

KINDS = "unknown kind of file: expected .cu, .cuh, C++, .py, .ptx, .ll, .llir or .bc"
KERNEL = """\
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[2 * i] = 0.5f;
}
"""


def compile_text(tmp_path: Path, text: str, **options: object) -> CompiledUnit:
    file = tmp_path / "unit.cu"
    file.write_text(text, encoding="utf-8")
    return compile_unit(str(file), CompileOptions(**options))  # type: ignore[arg-type] # any option


def only_error(unit: CompiledUnit) -> str:
    assert unit.ir is None
    assert len(unit.diagnostics) == 1, unit.diagnostics
    assert unit.diagnostics[0].severity is Severity.ERROR
    assert "\n" not in str(unit.diagnostics[0])
    return unit.diagnostics[0].message


def test_kernel_becomes_device_ir_with_names_columns_and_types(tmp_path: Path) -> None:
    unit = compile_text(tmp_path, KERNEL)
    assert unit.diagnostics == ()
    assert unit.ir is not None
    assert "ptx_kernel void @_Z5scalePfi(ptr noundef %data, i32 noundef %n)" in unit.ir
    assert "!DILocation(line: 3, column: 26" in unit.ir  # `=`
    assert "!DILocation(line: 3, column: 14" in unit.ir  # `data[2 * i]`
    assert 'DIBasicType(name: "float"' in unit.ir
    module = llvm.parse_assembly(unit.ir)  # the LLVM of llvmlite reads what this clang writes
    assert module.triple.startswith("nvptx64")
    assert unit.seconds > 0


def test_inlined_helper_keeps_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "helper.cuh").write_text("__device__ int half(int i) {\n  return i / 2;\n}\n")
    unit = compile_text(
        tmp_path, '#include "helper.cuh"\n__global__ void k(int *p) { p[half(threadIdx.x)] = 1; }\n'
    )
    assert unit.ir is not None
    assert "helper.cuh" in unit.ir
    assert str(tmp_path / "helper.cuh") in unit.dependencies
    assert unit.dependencies[0] == str(tmp_path / "unit.cu")
    assert all(Path(name).is_absolute() for name in unit.dependencies)


@pytest.mark.parametrize(
    "source",
    [
        "texture<float, 1> t; __global__ void k(float *p) { p[threadIdx.x] = tex1Dfetch(t, 3); }",
        "__global__ void k(int *p) { p[__mul24(threadIdx.x, 4)] = __umul24(3, 4); }",
        "__global__ void k(int *p) {} void f(int *p) { k<<<1, 32>>>(p); cudaThreadSynchronize(); }",
        "__global__ void k(int *p) {} void f(int *p) { k<< <dim3(1), 32>> >(p); }",
        "__global__ void k() {} int f(unsigned a) { return max(1, a) + min(2L, 3L); }",
        "__global__ void k() {} long f() { return (long)clock(); }",
        '#define NAME "x"\n__global__ void k() {} const char *f() { return "a"NAME; }',
        "#include <thrust/device_vector.h>\n#include <cub/cub.cuh>\n__global__ void k() {}",
        "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
        "namespace cg = cooperative_groups;\n"
        "__global__ void k(__half *p) { cg::this_thread_block().sync(); *p = 1.f; }",
        "__global__ void inner() {} __global__ void k() { inner<<<1, 1>>>(); }",
        "__global__ void k(int *p) { register int i = threadIdx.x; p[i] = {3u}; }",
    ],
    ids=lambda source: source[:40],
)
def test_cuda_of_all_ages_compiles_as_it_is(tmp_path: Path, source: str) -> None:
    unit = compile_text(tmp_path, source)
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]
    assert "ptx_kernel void @_Z1k" in unit.ir


def test_split_launch_brackets_move_no_column(tmp_path: Path) -> None:
    text = "__global__ void k(int *p) {}\nvoid f(int *p) { k<< <1, 2>> >(p); p->x; }\n"
    unit = compile_text(tmp_path, text)
    assert unit.ir is None
    message = unit.diagnostics[0]
    assert (message.path, message.line) == (str(tmp_path / "unit.cu"), 2)
    assert message.column == text.splitlines()[1].index("p->x") + 2


def test_syntax_error_is_clangs_own_message_with_its_place(tmp_path: Path) -> None:
    unit = compile_text(tmp_path, "__global__ void k(int *p) {\n  p[0] = missing;\n}\n")
    assert only_error(unit) == "use of undeclared identifier 'missing'"
    assert str(unit.diagnostics[0]).startswith(f"{tmp_path / 'unit.cu'}:2:10: error: ")


def test_error_in_a_header_names_the_header(tmp_path: Path) -> None:
    (tmp_path / "bad.h").write_text("int f() { return bad; }\n")
    unit = compile_text(tmp_path, '#include "bad.h"\n')
    assert unit.ir is None
    assert unit.diagnostics[0].path == str(tmp_path / "bad.h")


def test_options_reach_clang(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "w.h").write_text("#define WIDTH 77\n")
    (tmp_path / "first.h").write_text("#define FIRST 1\n")
    text = (
        "#include <w.h>\n#if !FIRST || defined(GONE) || N != 5 || __CUDA_ARCH__ != 800\n#error no\n"
        "#endif\n__global__ void k(int *p) { p[WIDTH] = N; }\n"
    )
    unit = compile_text(
        tmp_path,
        text,
        include_dirs=(str(tmp_path / "inc"),),
        defines=("N=5", "GONE=1"),
        undefines=("GONE",),
        force_includes=(str(tmp_path / "first.h"),),
        std="c++14",
        arch="sm_80",
        flags=("-Wall", "-fno-exceptions"),
    )
    assert unit.ir is not None, unit.diagnostics
    assert "i64 77" in unit.ir


def test_retired_architecture_is_raised_to_one_clang_knows(tmp_path: Path) -> None:
    assert compile_text(tmp_path, KERNEL, arch="sm_13").ir is not None


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"arch": "sm_999"}, "unsupported CUDA gpu architecture: sm_999"),
        ({"arch": "--version"}, "unknown GPU architecture '--version': expected e.g. sm_70"),
        ({"std": "c++17 -fplugin=x"}, "unknown language standard 'c++17 -fplugin=x'"),
        ({"flags": ("-fnot-a-flag",)}, "unknown argument: '-fnot-a-flag'"),
        ({"timeout": 0.01}, "clang took more than 0.01 s"),
        ({"memory": 100 << 20}, "clang ran out of memory (limit 100 MB)"),
    ],
)
def test_bad_options_are_one_clear_line(
    tmp_path: Path, options: dict[str, object], expected: str
) -> None:
    compile_text(tmp_path, KERNEL)  # so that what follows finds the prelude built
    assert only_error(compile_text(tmp_path, KERNEL, **options)) == expected


def test_kernels_own_cuda_h_does_not_shadow_the_sdks(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "cuda.h").write_text("void own_function();\n")
    text = '#include "cuda.h"\n__global__ void k() {}\nvoid f() { own_function(); }\n'
    directory = (str(tmp_path / "own"),)
    assert compile_text(tmp_path, text, include_dirs=directory).ir is not None


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("none.cu", None, "no such file"),
        ("binary.cu", b"\x7fELF\0\0\0", "is a binary file, not text"),
        ("wide.cu", KERNEL.encode("utf-16"), "is a binary file, not text"),
        ("notes.txt", b"hello", KINDS),
        ("plain", b"", KINDS),
        ("bad.bc", b"hello", "is not LLVM bitcode"),
        ("worse.bc", b"BC\xc0\xdejunk", "is not bitcode readable by this LLVM version"),
        ("latin.ll", b"; caf\xe9\n", "is not UTF-8 text"),
        (
            "host.ll",
            b'target triple = "x86_64-unknown-linux-gnu"\n',
            "is not device IR: its target is 'x86_64-unknown-linux-gnu'",
        ),
        ("line\nbreak.cu", b"", "its path contains a line break"),
    ],
)
def test_bad_input_is_one_clear_line(
    tmp_path: Path, name: str, content: bytes | None, expected: str
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    unit = compile_unit(str(file), CompileOptions())
    assert unit.ir is None
    assert [d.message for d in unit.diagnostics] == [expected]
    assert unit.diagnostics[0].path == str(file)


def test_directory_and_pipe_are_not_files(tmp_path: Path) -> None:
    (tmp_path / "d.cu").mkdir()
    os.mkfifo(tmp_path / "p.cu")
    assert only_error(compile_unit(str(tmp_path / "d.cu"), CompileOptions())) == "is a directory"
    message = only_error(compile_unit(str(tmp_path / "p.cu"), CompileOptions()))
    assert message == "is not a regular file"


def test_empty_file_and_file_without_kernel_compile(tmp_path: Path) -> None:
    for text in ("", "int host() { return 1; }\n"):
        unit = compile_text(tmp_path, text)
        assert unit.ir is not None
        assert "ptx_kernel" not in unit.ir


def test_odd_bytes_and_odd_names_are_fine(tmp_path: Path) -> None:
    file = tmp_path / 'a "b" $c; &d.cu'
    file.write_bytes(b'// caf\xe9\nconst char *s = "\xe9";\n' + KERNEL.encode())
    unit = compile_unit(str(file), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    assert unit.dependencies[0] == str(file)


@pytest.mark.parametrize(
    "text",
    [
        "#pragma clang __debug crash\n",
        "__device__ int x = " + "(" * 100_000 + "1" + ")" * 100_000 + ";\n",
        '#include "unit.cu"\n',
        "template <int N> struct A { A<N + 1> a; };\ntemplate struct A<0>;\n",
    ],
    ids=["crash", "deep", "self-include", "endless-template"],
)
def test_hostile_source_fails_with_a_message(tmp_path: Path, text: str) -> None:
    unit = compile_text(tmp_path, text, timeout=30.0)
    assert unit.ir is None
    assert unit.diagnostics
    assert all("\n" not in str(d) and "Stack dump" not in d.message for d in unit.diagnostics)


def test_time_and_memory_of_hostile_source_are_bounded(tmp_path: Path) -> None:
    text = "#define A(x) x x x x x x x x x x\n" + "A(" * 9 + "int;" + ")" * 9 + "\n"
    unit = compile_text(tmp_path, text, timeout=20.0, memory=2 << 30)
    assert unit.ir is None
    assert unit.seconds < 22.0
    assert any("out of memory" in d.message or "more than" in d.message for d in unit.diagnostics)


def test_ll_is_read_as_it_is_and_bc_is_disassembled(tmp_path: Path) -> None:
    unit = compile_text(tmp_path, KERNEL)
    assert unit.ir is not None
    text, bitcode = tmp_path / "unit.ll", tmp_path / "unit.bc"
    text.write_text(unit.ir, encoding="utf-8")
    bitcode.write_bytes(llvm.parse_assembly(unit.ir).as_bitcode())
    assert compile_unit(str(text), CompileOptions()).ir == unit.ir
    again = compile_unit(str(bitcode), CompileOptions()).ir
    assert again is not None
    assert "@_Z5scalePfi" in again


def test_header_file_is_compiled_as_cuda(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(KERNEL)
    unit = compile_unit(str(tmp_path / "k.cuh"), CompileOptions())
    assert unit.ir is not None
    assert "_Z5scalePfi" in unit.ir


def test_other_extension_is_taken_when_said_to_be_cuda(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(KERNEL)
    unit = compile_unit(str(tmp_path / "k.cpp"), CompileOptions(flags=("-x", "cuda")))
    assert unit.ir is not None, unit.diagnostics


def test_missing_headers_are_told(tmp_path: Path) -> None:
    text = (
        '#include <cutil.h>\n#include "own/../lost.h"\n#include "../up.h"\n'
        "#include <helper_cuda.h>\n"
        "void f(int c, char **v) { CUT_EXIT(c, v); checkCudaErrors(cudaDeviceReset()); }\n" + KERNEL
    )
    unit = compile_text(tmp_path, text)
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]
    assert unit.diagnostics == ()
    told = set(unit.missing_headers)
    assert told >= {
        MissingHeader("own/../lost.h", unit.path, 2),
        MissingHeader("../up.h", unit.path, 3),
        MissingHeader("cutil.h", unit.path, 1, stand_in=True),
        MissingHeader("helper_cuda.h", unit.path, 4, stand_in=True),
    }
    assert not (tmp_path.parent / "up.h").exists()


def test_all_stand_ins_parse_together(tmp_path: Path) -> None:
    names = [str(path.relative_to(OWN_STUBS)) for path in sorted(OWN_STUBS.rglob("*.h"))]
    assert "GL/glut.h" in names
    names.sort(key=lambda name: name != "GL/glew.h")  # as programs must have it
    text = "".join(f"#include <{name}>\n" for name in names) + (
        "void f(int c, char **v) { glutInit(&c, v); GLuint b; glGenBuffers(1, &b); glewInit();\n"
        "gluLookAt(0, 0, 1, 0, 0, 0, 0, 1, 0);  // a machine's own OpenGL headers win\n"
        "StopWatchInterface *t; sdkCreateTimer(&t); omp_get_wtime(); }\n"
    )
    unit = compile_text(tmp_path, text + KERNEL, include_dirs=(str(OWN_STUBS),))
    assert unit.ir is not None, [str(d) for d in unit.diagnostics]


def test_stand_ins_do_not_hide_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "omp.h").write_text("#define MINE 1\n")
    text = "#include <omp.h>\n#if !MINE\n#error stub\n#endif\n" + KERNEL
    unit = compile_text(tmp_path, text, stub_missing_headers=True, include_dirs=(str(tmp_path),))
    assert unit.ir is not None
    assert unit.diagnostics == ()


def test_unsaved_text_stands_in_for_the_file(tmp_path: Path) -> None:
    (tmp_path / "inc.h").write_text("#define INDEX 41\n")
    file = tmp_path / "unit.cu"
    file.write_text("this is no C++\n")
    text = '#include "inc.h"\n__global__ void k(int *p) { p[INDEX] = 1; }\n'
    for name in (file, tmp_path / "untitled.cu"):
        unit = compile_unit(str(name), CompileOptions(), source_text=text)
        assert unit.ir is not None, unit.diagnostics
        assert "i64 41" in unit.ir
        # How much of the path is in the file's name depends on where the tests run.
        assert re.search(rf'filename: "(?:[^"]*/)?{re.escape(name.name)}"', unit.ir)
        assert unit.dependencies[0] == str(name)
        broken = compile_unit(str(name), CompileOptions(), source_text=text + "int a = b;\n")
        assert only_error(broken) == "use of undeclared identifier 'b'"
        assert (broken.diagnostics[0].path, broken.diagnostics[0].line) == (str(name), 3)
    assert file.read_text() == "this is no C++\n"


def test_unusable_toolchain_is_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unit.cu").write_text(KERNEL)
    with pytest.raises(IRError, match="no such CUDA SDK directory"):
        compile_unit(str(tmp_path / "unit.cu"), CompileOptions(cuda_path=str(tmp_path / "none")))
    monkeypatch.setenv("DRANO_CLANG", str(tmp_path / "no-clang"))
    with pytest.raises(IRError, match="not a working clang"):
        compile_unit(str(tmp_path / "unit.cu"), CompileOptions())
    fake = tmp_path / "old-clang"
    fake.write_text("#!/bin/sh\necho clang version 14.0.6\n")
    fake.chmod(0o755)
    monkeypatch.setenv("DRANO_CLANG", str(fake))
    with pytest.raises(IRError, match=r"is clang 14\.0\.6, but llvmlite holds LLVM 22\.1"):
        compile_unit(str(tmp_path / "unit.cu"), CompileOptions())


def test_flag_that_no_program_can_be_given(tmp_path: Path) -> None:
    with pytest.raises(IRError, match="cannot pass on a compiler flag"):
        compile_text(tmp_path, KERNEL, defines=("A=\0",))


def test_same_input_gives_the_same_ir(tmp_path: Path) -> None:
    text = "static __device__ int table[4];\n" + KERNEL.replace("0.5f", "table[i]")
    assert compile_text(tmp_path, text).ir == compile_text(tmp_path, text).ir
