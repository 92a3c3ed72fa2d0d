"""Compilation databases and nvcc command lines: what is kept, what is dropped, what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.commands.compile_database import options_for, with_compile_commands
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.model.settings import DEFAULT_ARCHITECTURE, CompileOptions
from drano.support.errors import IRError


def translate(command: str, directory: str = "/p") -> CompileOptions:
    return translate_nvcc_args(command.split(), directory).options


def database(tmp_path: Path, entries: object) -> str:
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    return str(tmp_path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("-Iinc -I ../up -I=eq --include-path=/abs", ("/p/inc", "/up", "/p/eq", "/abs")),
        ("-I a,b", ("/p/a", "/p/b")),
        ("--include-path x -c -o y.o", ("/p/x",)),
        ("-Xcompiler -fPIC,-Ihost -Xcompiler=-Iother", ("/p/host", "/p/other")),
    ],
)
def test_include_directories(command: str, expected: tuple[str, ...]) -> None:
    assert translate(command).include_dirs == expected


def test_macros() -> None:
    options = translate("-DA -D B=1 --define-macro=C=2 -D=E -UF -U G --undefine-macro H")
    assert options.defines == ("A", "B=1", "C=2", "E")
    assert options.undefines == ("F", "G", "H")
    assert translate_nvcc_args(['-DNAME="a b"', "-D-x", "-D", ""]).options.defines == (
        'NAME="a b"',
    )


@pytest.mark.parametrize(
    ("command", "arch"),
    [
        ("-arch=sm_80", "sm_80"),
        ("-arch sm_61", "sm_61"),
        ("--gpu-architecture=compute_75", "sm_75"),
        ("-gencode arch=compute_60,code=sm_60 -gencode=arch=compute_86,code=sm_86", "sm_86"),
        ("--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]", "sm_90a"),
        ("--cuda-gpu-arch=sm_52", "sm_52"),
        ("-arch=native", CompileOptions().arch),
        ("-gencode arch=compute_999,code=sm_999 -gencode arch=compute_72,code=sm_72", "sm_72"),
        ("-arch=compute_13", "sm_13"),
    ],
)
def test_architecture(command: str, arch: str) -> None:
    assert translate(command).arch == arch


def test_linking_and_files_are_dropped() -> None:
    command = (
        "-rdc=true -rdc true -dc -ccbin g++-12 -Xcompiler -fPIC,-O3 -Xptxas -v,-O3 -Xcudafe "
        "--diag_suppress=1 --expt-relaxed-constexpr --expt-extended-lambda -maxrregcount=32 "
        "-maxrregcount 64 -lineinfo -G -g -O3 -O 2 -use_fast_math -c -o out.o -lcublas -L/lib "
        "-MD -MT out.o -MF out.d -Werror all-warnings -diag-suppress 177 -fplugin=evil.so "
        "-Xclang -load -Xclang evil.so --cuda-path=/x -save-temps -B /evil -m64 -std=c++17 a.cu"
    )
    result = translate_nvcc_args(command.split(), "/p")
    assert result.options == CompileOptions(
        std="c++17", defines=("__CUDACC_RDC__",),
        code_generation=("--maxrregcount=32", "--maxrregcount=64", "--use_fast_math"),
    )  # fmt: skip
    assert result.inputs == ("/p/a.cu",)
    assert result.output == "/p/out.o"
    assert "-fplugin=evil.so" in result.dropped


def test_what_decides_nvccs_code_is_kept() -> None:
    options = translate("-ftz=true --fmad false -prec-div=maybe -maxrregcount evil;x --ftz -O3")
    assert options.code_generation == ("--ftz=true", "--fmad=false")


def test_gccs_werror_takes_no_value() -> None:
    result = translate_nvcc_args(["-Werror", "-Iinc", "-Werror", "a.cu"], "/p")
    assert result.options.include_dirs == ("/p/inc",)
    assert result.inputs == ("/p/a.cu",)


def test_other_kinds_of_include_and_language() -> None:
    options = translate("-isystem sys -isystem=eq -iquote q -idirafter late -x cu --x=cu")
    assert options.flags == (
        *("-isystem", "/p/sys", "-isystem", "/p/eq", "-iquote", "/p/q", "-idirafter", "/p/late"),
        *("-x", "cuda", "-x", "cuda"),
    )
    assert translate("-std c++14 --std=c++20 -std=bad;x").std == "c++20"


def test_forced_include_is_found_beside_or_on_the_search_path(tmp_path: Path) -> None:
    (tmp_path / "pre.h").write_text("")
    options = translate("-include pre.h --pre-include=else.h", str(tmp_path))
    assert options.force_includes == (str(tmp_path / "pre.h"), "else.h")


def test_options_files(tmp_path: Path) -> None:
    (tmp_path / "one.rsp").write_text('-Ia -D"B=1 2"\n@two.rsp')
    (tmp_path / "two.rsp").write_text("-IC -arch=sm_75 'unclosed")
    for command in ("--options-file one.rsp", "-optf=one.rsp", "@one.rsp"):
        options = translate(command, str(tmp_path))
        assert options.include_dirs == (str(tmp_path / "a"), str(tmp_path / "C"))
        assert options.defines == ("B=1 2",)
        assert options.arch == "sm_75"


def test_hostile_options_files(tmp_path: Path) -> None:
    (tmp_path / "self.rsp").write_text("@self.rsp @self.rsp")
    with pytest.raises(IRError, match="nest too deeply"):
        translate("@self.rsp", str(tmp_path))
    with pytest.raises(IRError, match="options file cannot be read"):
        translate("@missing.rsp", str(tmp_path))
    os.mkfifo(tmp_path / "pipe.rsp")
    with pytest.raises(IRError, match="not a regular file"):
        translate("@pipe.rsp", str(tmp_path))
    for bad in ("-DA=\0", "-I\ud800"):
        with pytest.raises(IRError, match="compile command contains"):
            translate_nvcc_args([bad], "/p")


def test_entry_of_the_file_is_used_relative_to_its_directory(tmp_path: Path) -> None:
    (tmp_path / "src" / "inc").mkdir(parents=True)
    (tmp_path / "src" / "inc" / "n.h").write_text("#define N 123\n")
    file = tmp_path / "src" / "k.cu"
    file.write_text("#include <n.h>\n__global__ void k(int *p) { p[N] = M; }\n")
    command = "nvcc -ccbin g++ -Iinc -DM=1 -gencode arch=compute_80,code=sm_80 -dc k.cu -o k.o"
    place = database(
        tmp_path,
        [
            {"directory": str(tmp_path), "file": "other.cu", "arguments": ["nvcc", "-DM=9"]},
            {"directory": str(tmp_path / "src"), "file": "k.cu", "command": command},
        ],
    )
    for where in (place, str(tmp_path / "compile_commands.json")):
        found = options_for(str(file), where)
        assert found.include_dirs == (str(tmp_path / "src" / "inc"),)
        assert (found.defines, found.arch) == (("M=1", "__CUDACC_RDC__"), "sm_80")
    unit = compile_unit(str(file), CompileOptions(compile_commands=place))
    assert unit.ir is not None, unit.diagnostics
    assert "i64 123" in unit.ir


def test_header_gets_the_options_of_its_nearest_neighbour(tmp_path: Path) -> None:
    place = database(
        tmp_path,
        [
            {"directory": "/w", "file": "/w/a/x.cu", "arguments": ["nvcc", "-DX"]},
            {"directory": "/w", "file": "/w/b/y.cu", "arguments": ["nvcc", "-DY"]},
            {"directory": "/w", "file": "/w/b/z.cpp", "arguments": ["g++", "-DZ"]},
        ],
    )
    assert options_for("/w/b/z.cuh", place).defines == ("Y",)
    assert options_for("/w/c/x.cuh", place).defines == ("X",)
    assert options_for("/w/b/z.cpp", place).defines == ("Z",)


def test_what_the_user_gives_wins(tmp_path: Path) -> None:
    arguments = ["nvcc", "-std=c++14", "-arch=sm_60", "-Idb", "-DN=1"]
    place = database(tmp_path, [{"directory": "/w", "file": "/w/x.cu", "arguments": arguments}])
    given = CompileOptions(
        compile_commands=place, std="c++17", arch="sm_80", include_dirs=("u",), defines=("N=2",)
    )
    merged = with_compile_commands("/w/x.cu", given)
    assert (merged.std, merged.arch) == ("c++17", "sm_80")
    assert merged.include_dirs == ("u", "/w/db")
    assert merged.defines == ("N=1", "N=2")  # the last definition holds
    assert merged.compile_commands is None
    assert with_compile_commands("/w/x.cu", CompileOptions(compile_commands=place)).arch == "sm_60"
    default = CompileOptions(compile_commands=place, arch=DEFAULT_ARCHITECTURE)
    assert with_compile_commands("/w/x.cu", default).arch == DEFAULT_ARCHITECTURE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "nests too deeply"),
        ('"x"', "top level is not an array"),
        ("[1]", "entry 0 is not an object"),
        ('[{"file": 3}]', "entry 0 has no 'file'"),
        ('[{"file": "a.cu", "directory": []}]', "entry 0 has no 'file'"),
        ('[{"file": "a.cu"}]', "entry 0 has no 'arguments'"),
        ('[{"file": "a.cu", "arguments": ["nvcc", 1]}]', "entry 0 has no 'arguments'"),
        ('[{"file": "a.cu", "command": "nvcc \'x"}]', "entry 0 has a malformed command"),
        ('[{"file": "a\\u0000.cu", "command": "nvcc"}]', "NUL character"),
    ],
)
def test_hostile_database_is_one_clear_error(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(IRError, match=expected) as caught:
        options_for("a.cu", str(tmp_path))
    assert "\n" not in str(caught.value)


def test_missing_database(tmp_path: Path) -> None:
    with pytest.raises(IRError, match="no such compilation database"):
        options_for("a.cu", str(tmp_path))
    os.mkfifo(tmp_path / "compile_commands.json")
    with pytest.raises(IRError, match="not a regular file"):
        options_for("a.cu", str(tmp_path))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert options_for("a.cu", database(empty, [])) == CompileOptions()
