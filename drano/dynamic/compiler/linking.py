"""Linking programs and libraries with the run-time library in the place of libcudart."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from drano.dynamic.compiler.closed_libraries import lacks_only_libraries, stubs_for, without_missing
from drano.dynamic.compiler.command_line import Command
from drano.dynamic.compiler.sdk_directory import link_line, sdk_root
from drano.dynamic.compiler.tools import Tools, complaint, run_tool
from drano.dynamic.cpu.runtime_library import linker, runtime_object
from drano.dynamic.gpu.linking.link import linked_objects
from drano.dynamic.gpu.runtime_library import gpu_link_words
from drano.frontend.toolchain import LIBSTDCXX, HostHeaders

_SYSTEM_LIBRARIES = ("-lpthread", "-ldl", "-lm")


def link(command: Command, words: list[str], found: Tools, directory: Path) -> None:
    """Link ``words``, objects and flags, to a program (or a library) with the run-time library."""
    if command.device == "gpu":
        words += linked_device_code(command, found, words, directory)
    shared = "-shared" in command.link
    if command.verbose or command.dry_run:
        root = sdk_root(found.clang, found.headers)
        print(link_line(root, words, command.output or "a.out"), file=sys.stderr, flush=True)
        words += [f"-L{root / 'lib64'}", "-v"]
    # One copy of the library in a program: its libraries find it there.
    runtime = [] if shared else _runtime(command, found)
    first = [*linker(found.clang), "--driver-mode=g++", *_libraries(found.host)]
    last = [
        *runtime,
        *_SYSTEM_LIBRARIES,
        *(["-rdynamic"] if not shared else []),
        "-o",
        command.output or "a.out",
    ]
    if command.device == "gpu" or command.verbose or command.dry_run:
        run_tool(command, [*first, *words, *last])
    else:
        _link_with_stubs(command, found, first, words, last, directory)


def _link_with_stubs(
    command: Command,
    found: Tools,
    first: list[str],
    words: list[str],
    last: list[str],
    directory: Path,
) -> None:
    """Link; what only closed libraries have is stubs where they are not there."""
    quiet = ["-Wl,--no-demangle", "-Wl,--error-limit=0"] if "-fuse-ld=lld" in first else []
    said = complaint([*first, *words, *last, *quiet])
    if said is None:
        return
    if not lacks_only_libraries(said):
        run_tool(command, [*first, *words, *last])  # says it as the linker does
        return
    words = without_missing(words, said)
    said = complaint([*first, *words, *last, *quiet])
    if said is None:
        return
    source = stubs_for(said)
    if source is not None:
        stubs = directory / "missing_libraries.c"
        stubs.write_text(source, encoding="utf-8")
        words = [*words, str(stubs.with_suffix(".o"))]
        run_tool(
            command, [found.clang.path, "--no-default-config", "-c", str(stubs), "-o", words[-1]]
        )
    run_tool(command, [*first, *words, *last])


def linked_device_code(
    command: Command, found: Tools, words: Sequence[str], directory: Path
) -> list[str]:
    """Objects made of the device code in the inputs that was not linked yet."""
    output = command.output or "a.out"
    paths = []
    parts = linked_objects(words, output, found.clang, found.headers.ptxas)
    for number, content in enumerate(parts):
        path = directory / f"linked-{number}.o"
        path.write_bytes(content)
        paths.append(str(path))
    return paths


def _runtime(command: Command, found: Tools) -> list[str]:
    if command.device == "gpu":
        return gpu_link_words(found.clang, found.headers, command.cuda_path)
    return [str(runtime_object(found.clang, found.headers))]


def _libraries(host: HostHeaders) -> list[str]:
    """The C++ library that the headers are of; with gcc's also gcc's run-time library."""
    gcc = LIBSTDCXX in host.flags
    return [*host.flags, *(["--rtlib=libgcc", "--unwindlib=libgcc"] if gcc else [])]
