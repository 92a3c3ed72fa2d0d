"""``drano cc``: a drop-in for nvcc whose kernels run on the CPU and are counted.

A CUDA source becomes one object. Clang compiles the host side unchanged, with the device code's
name where the GPU code would be. The device side goes through the front end of ``drano check``, is
instrumented and lowered to native code, and the linker joins the two. C and C++ go to clang.
Programs are linked with drano's run-time library instead of libcudart, and write a profile on exit.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from drano.dynamic.compiler.command_line import Command, Input, Language, Mode, parse_command
from drano.dynamic.compiler.cuda_source import compile_cuda, options_of
from drano.dynamic.compiler.linking import link, linked_device_code
from drano.dynamic.compiler.openmp import openmp_compile, openmp_link
from drano.dynamic.compiler.sdk_directory import describe, sdk_root
from drano.dynamic.compiler.tools import TOLERANT, CompileError, Tools, run_tool, tools
from drano.dynamic.cpu.runtime_library import linker
from drano.frontend.sdk.headers import cuda_headers
from drano.support.errors import IRError

_CXX = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", ".cu"})


def compile_main(arguments: Sequence[str]) -> int:
    """``drano cc``: obey one command line; returns the exit status. Raises IRError (one line)."""
    command = parse_command(arguments)
    if command.version:
        print(version_text(command.cuda_path))
        return 0
    if command.root:
        found = tools(command.cuda_path)
        print(sdk_root(found.clang, found.headers))
        return 0
    if command.verbose or command.dry_run:
        found = tools(command.cuda_path)
        root = sdk_root(found.clang, found.headers)
        for line in describe(root, options_of(command).architecture):
            print(line, file=sys.stderr, flush=True)
    if not command.inputs:
        raise IRError("drano cc", "no input files")
    try:
        build(command)
    except CompileError as failure:
        return failure.status
    return 0


def version_text(cuda_path: str | None = None) -> str:
    """As nvcc would say it, so that scripts that ask find what they look for."""
    version = cuda_headers(cuda_path).version_text
    return (
        "nvcc: NVIDIA (R) Cuda compiler driver\n"
        "drano cc: in its place, for the CPU\n"
        f"Cuda compilation tools, release {version}, V{version}.89"
    )


def build(command: Command) -> None:
    """Make what ``command`` asks for. Raises IRError, or CompileError (told already)."""
    found = tools(command.cuda_path)
    with tempfile.TemporaryDirectory(prefix="drano-cc-") as name:
        directory = Path(name)
        match command.mode:
            case Mode.LINK:
                link(command, _linked_inputs(command, found, directory), found, directory)
            case Mode.OBJECT:
                _objects(command, found, directory)
            case Mode.PREPROCESS:
                _preprocess(command, found)
            case Mode.DEVICE_LINK:
                _device_link(command, found, directory)
            case Mode.ARCHIVE:
                _archive(command, found, directory)


def _objects(command: Command, found: Tools, directory: Path) -> None:
    other = (Language.LINKER, Language.PTX)
    sources = [item for item in command.inputs if item.language not in other]
    if command.output is not None and len(sources) > 1:
        raise IRError(command.output, "-o with -c and several inputs")
    for number, source in enumerate(sources):
        output = command.output or f"{Path(source.name).stem}.o"
        compile_source(command, source, output, found, directory / f"{number}")


def _archive(command: Command, found: Tools, directory: Path) -> None:
    objects = _linked_inputs(command, found, directory)
    names = [word for word in objects if not word.startswith("-")]
    output = command.output or "a.a"
    run_tool(command, ["ar", "rcs", output, *names])


def _device_link(command: Command, found: Tools, directory: Path) -> None:
    """Without a GPU device code is linked with the host's: nothing is left to do."""
    output = command.output or "a_dlink.o"
    objects = []
    if command.device == "gpu":
        objects = linked_device_code(
            command, found, _linked_inputs(command, found, directory), directory
        )
    if objects:
        run_tool(command, [*linker(found.clang), "-r", "-nostdlib", *objects, "-o", output])
    else:
        run_tool(command, [found.clang.path, "-c", "-xc", os.devnull, "-o", output])


def _linked_inputs(command: Command, found: Tools, directory: Path) -> list[str]:
    """The linker's inputs and flags in order, sources replaced by objects made of them."""
    words: list[str] = []
    for number, item in enumerate(command.link):
        if isinstance(item, str):
            words += openmp_link([item])
        elif item.language is Language.LINKER:
            words.append(item.name)
        else:
            output = str(directory / f"{number}-{Path(item.name).stem}.o")
            compile_source(command, item, output, found, directory / f"{number}")
            words.append(output)
    return words


# --- one source ------------------------------------------------------------------------------


def compile_source(
    command: Command, source: Input, output: str, found: Tools, directory: Path
) -> None:
    """One object of one C, C++ or CUDA source. ``directory``: to be made, for what is temporary."""
    directory.mkdir()
    if source.language is Language.HOST:
        _compile_host_source(command, source, output, found)
        return
    if not Path(source.name).is_file():
        raise IRError(source.name, "no such file")
    compile_cuda(command, source, output, found, directory)


def _compile_host_source(command: Command, source: Input, output: str, found: Tools) -> None:
    cxx = Path(source.name).suffix in _CXX
    arguments = [
        found.clang.path,
        "--no-default-config",
        *(found.host.flags if cxx else ()),
        *TOLERANT,
        *(flag for flag in command.preprocessor if cxx or not flag.startswith("-std=c++")),
        "-idirafter",
        str(found.headers.root / "include"),
        *openmp_compile(command.host),
        *command.dependencies,
        "-c",
        source.name,
        "-o",
        output,
    ]
    run_tool(command, arguments)


def _preprocess(command: Command, found: Tools) -> None:
    for source in command.inputs:
        arguments = [
            found.clang.path,
            "--no-default-config",
            *found.host.flags,
            *TOLERANT,
            *(
                ["-xcuda", "--cuda-host-only", f"--cuda-path={found.headers.root}"]
                if source.language is Language.CUDA
                else []
            ),
            *command.preprocessor,
            "-idirafter",
            str(found.headers.root / "include"),
            *command.host,
            *command.dependencies,
            "-E",
            source.name,
        ]
        if command.output is not None:
            arguments += ["-o", command.output]
        run_tool(command, arguments)
