"""The compiler's command line, taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.dynamic.compiler.command_line import Command, Input, Language, Mode, parse_command
from drano.support.errors import IRError


def parse(text: str) -> Command:
    return parse_command(text.split())


def test_an_object_of_one_source() -> None:
    command = parse("-c k.cu -o out.o -O2 -g -arch=sm_80 -lineinfo -std=c++17 -Iinc -DN=4 -w")
    assert command.mode is Mode.OBJECT
    assert command.inputs == (Input("k.cu", Language.CUDA),)
    assert command.output == "out.o"
    assert command.host == ("-O2", "-g", "-w")
    assert command.preprocessor == ("-std=c++17", "-I", "inc", "-D", "N=4")
    assert command.parsed == ("-arch", "sm_80", "-std", "c++17", "-I", "inc", "-D", "N=4")


def test_linking_keeps_the_order() -> None:
    command = parse(
        "main.o -L lib -lfoo -lcudart kernel.cu util.c x.a -lm -Xlinker -rpath,/x -Wl,-z"
    )
    assert command.mode is Mode.LINK
    words = [word if isinstance(word, str) else word.name for word in command.link]
    assert words == [
        "main.o", "-Llib", "-lfoo", "kernel.cu", "util.c", "x.a", "-lm",
        "-Xlinker", "-rpath", "-Xlinker", "/x", "-Wl,-z",
    ]  # fmt: skip
    languages = [item.language for item in command.inputs]
    assert languages == [Language.LINKER, Language.CUDA, Language.HOST, Language.LINKER]


@pytest.mark.parametrize(
    "text",
    [
        "-Xptxas -v", "-Xptxas=-v", "--ptxas-options=-v", "-maxrregcount 32", "-maxrregcount=32",
        "-gencode arch=compute_80,code=sm_80", "-ccbin g++", "-use_fast_math", "-cudart shared",
        "--expt-extended-lambda", "-G", "-Xcudafe --display_error_number", "-m64", "--threads 4",
    ],
)  # fmt: skip
def test_what_concerns_the_gpu_only_is_dropped(text: str) -> None:
    command = parse(f"{text} -c a.cu")
    assert [item.name for item in command.inputs] == ["a.cu"]
    assert command.host == ()
    assert command.link == command.inputs


@pytest.mark.parametrize(
    ("text", "level"),
    [("-Xptxas -O0", 0), ("-Xptxas=-v,-O1", 1), ("--ptxas-options=-O2,-v", 2), ("-O1", 3)],
)
def test_kernels_are_optimised_as_ptxas_is_asked_to(text: str, level: int) -> None:
    assert parse(f"{text} -c a.cu").level == level


@pytest.mark.parametrize(
    ("text", "relocatable"),
    [("-dc a.cu", True), ("-rdc=true -c a.cu", True), ("-rdc true -c a.cu", True),
     ("-rdc=false -c a.cu", False), ("-c a.cu", False)],
)  # fmt: skip
def test_relocatable_device_code(text: str, relocatable: bool) -> None:
    command = parse(text)
    assert (command.relocatable, command.mode) == (relocatable, Mode.OBJECT)


def test_flags_of_the_host_compiler() -> None:
    command = parse("-Xcompiler -fopenmp,-Wall --compiler-options=-fPIC a.cu -lgomp -pthread")
    assert command.host == ("-fopenmp", "-Wall", "-fPIC", "-pthread")
    assert "-fopenmp" in command.link
    assert "-pthread" in command.link


def test_an_options_file(tmp_path: Path) -> None:
    (tmp_path / "more").write_text('-DNAME="a b"\n-O3 b.cu')
    command = parse_command(["-c", f"@{tmp_path / 'more'}"])
    assert command.preprocessor == ("-D", "NAME=a b")
    assert [item.name for item in command.inputs] == ["b.cu"]


def test_a_language_is_told() -> None:
    command = parse("-x cu -c a.cpp")
    assert command.inputs == (Input("a.cpp", Language.CUDA),)


@pytest.mark.parametrize("text", ["a.cu -o", "-ptx a.cu", "a.ptx", "@/nowhere/x", "-cubin a.cu"])
def test_what_cannot_be_done_is_one_line(text: str) -> None:
    with pytest.raises(IRError) as caught:
        parse(text)
    assert "\n" not in str(caught.value)
