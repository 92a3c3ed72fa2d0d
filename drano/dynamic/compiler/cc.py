"""``drano cc``: a drop-in for nvcc whose kernels run on the CPU and are counted.

A CUDA source becomes one object. Clang compiles the host side unchanged, with the device code's
name where the GPU code would be. The device side goes through the front end of ``drano check``, is
instrumented and lowered to native code, and the linker joins the two. C and C++ go to clang.
Programs are linked with drano's run-time library instead of libcudart, and write a profile on exit.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from drano.dynamic.compiler.closed_libraries import lacks_only_libraries, stubs_for, without_missing
from drano.dynamic.compiler.command_line import Command, Input, Language, Mode, parse_command
from drano.dynamic.compiler.make_rule import write_dependencies
from drano.dynamic.compiler.openmp import openmp_compile, openmp_headers, openmp_link
from drano.dynamic.compiler.ptx_code import with_ptx
from drano.dynamic.compiler.sdk_directory import CMAKE_PROBE, describe, link_line, sdk_root
from drano.dynamic.cpu import lower
from drano.dynamic.cpu.errors import NOT_ON_THE_CPU
from drano.dynamic.cpu.runtime_library import SOURCES, linker, runtime_object
from drano.dynamic.cpu.unit import Launches
from drano.dynamic.gpu.counting.counting_calls import Choices
from drano.dynamic.gpu.device_code import Build, gpu_unit, target_of
from drano.dynamic.gpu.linking.embedded import EmbeddedUnit, Wanted
from drano.dynamic.gpu.linking.link import embedding_object, linked_objects, static_names
from drano.dynamic.gpu.managed import IR_FLAGS, MACRO, managed_host_ir, mentions_managed
from drano.dynamic.gpu.runtime_library import gpu_link_words
from drano.dynamic.instrument.unit_identity import clang_suffix, unit_identity
from drano.frontend.clang import compile_host, compile_unit
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.frontend.sdk.headers import CudaHeaders, cuda_headers
from drano.frontend.toolchain import LIBSTDCXX, Clang, HostHeaders, find_clang, host_headers
from drano.host.unit_launches import unit_launches
from drano.model.finding import Severity
from drano.model.settings import CompileOptions, View
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError
from drano.support.limited_process import environment

_SECONDS = 600.0
_NVCC_DEFAULT = "sm_75"
_CXX = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", ".cu"})
# What gcc lets pass in old code and clang does not.
_TOLERANT = (
    "-w",
    "-fwrapv",
    "-Wno-c++11-narrowing",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
    "-Wno-register",
    "-Wno-reserved-user-defined-literal",
    "-Wno-dynamic-exception-spec",
    "-Wno-unknown-warning-option",
    "-Wno-unused-command-line-argument",
)
_GENERATING = ("-O", "-f", "-m", "-g")
"""Flags that say what code is made of host IR."""
_CONTRACTED = re.compile(
    r"^(\s*%[-\w.$]+ = (?:tail |musttail |notail )?"
    r"(?:fadd|fsub|fmul|fdiv|frem|fneg|fcmp|call|select|phi|fptrunc|fpext)\b[a-z ]*?) contract\b",
    re.MULTILINE,
)
_SYSTEM_LIBRARIES = ("-lpthread", "-ldl", "-lm")


class CompileError(Exception):
    """A compiler has said why already; ``status``: what to exit with."""

    def __init__(self, status: int = 1) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Tools:
    """What building needs, found once."""

    clang: Clang
    headers: CudaHeaders
    host: HostHeaders


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


def tools(cuda_path: str | None = None) -> Tools:
    """The toolchain. Raises IRError when a part of it is missing."""
    clang = find_clang()
    host = host_headers(clang)
    if host.linking_problem is not None:
        raise IRError("clang", host.linking_problem)
    return Tools(clang, cuda_headers(cuda_path), host)


def build(command: Command) -> None:
    """Make what ``command`` asks for. Raises IRError, or CompileError (told already)."""
    found = tools(command.cuda_path)
    with tempfile.TemporaryDirectory(prefix="drano-cc-") as name:
        directory = Path(name)
        match command.mode:
            case Mode.LINK:
                link(command, found, directory)
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
    _run(command, ["ar", "rcs", output, *names])


def _device_link(command: Command, found: Tools, directory: Path) -> None:
    """Without a GPU device code is linked with the host's: nothing is left to do."""
    output = command.output or "a_dlink.o"
    objects = []
    if command.device == "gpu":
        objects = _gpu_objects(command, found, _linked_inputs(command, found, directory), directory)
    if objects:
        _run(command, [*linker(found.clang), "-r", "-nostdlib", *objects, "-o", output])
    else:
        _run(command, [found.clang.path, "-c", "-xc", os.devnull, "-o", output])


def _gpu_objects(
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


def link(command: Command, found: Tools, directory: Path) -> None:
    """Compile what has to be, then link a program (or a library) with the run-time library."""
    words = _linked_inputs(command, found, directory)
    if command.device == "gpu":
        words += _gpu_objects(command, found, words, directory)
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
        _run(command, [*first, *words, *last])
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
    said = _said([*first, *words, *last, *quiet])
    if said is None:
        return
    if not lacks_only_libraries(said):
        _run(command, [*first, *words, *last])  # says it as the linker does
        return
    words = without_missing(words, said)
    said = _said([*first, *words, *last, *quiet])
    if said is None:
        return
    source = stubs_for(said)
    if source is not None:
        stubs = directory / "missing_libraries.c"
        stubs.write_text(source, encoding="utf-8")
        words = [*words, str(stubs.with_suffix(".o"))]
        _run(command, [found.clang.path, "--no-default-config", "-c", str(stubs), "-o", words[-1]])
    _run(command, [*first, *words, *last])


def _said(arguments: list[str]) -> str | None:
    """What a tool that fails says; None when it does not fail."""
    try:
        done = subprocess.run(
            arguments, check=False, capture_output=True, text=True, errors="replace"
        )
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    if done.returncode == 0:
        sys.stderr.write(done.stderr)
        return None
    return done.stderr


def _runtime(command: Command, found: Tools) -> list[str]:
    if command.device == "gpu":
        return gpu_link_words(found.clang, found.headers, command.cuda_path)
    return [str(runtime_object(found.clang, found.headers))]


def _libraries(host: HostHeaders) -> list[str]:
    """The C++ library that the headers are of; with gcc's also gcc's run-time library."""
    gcc = LIBSTDCXX in host.flags
    return [*host.flags, *(["--rtlib=libgcc", "--unwindlib=libgcc"] if gcc else [])]


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
    _compile_cuda(command, source, output, found, directory)


def _compile_host_source(command: Command, source: Input, output: str, found: Tools) -> None:
    cxx = Path(source.name).suffix in _CXX
    arguments = [
        found.clang.path,
        "--no-default-config",
        *(found.host.flags if cxx else ()),
        *_TOLERANT,
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
    _run(command, arguments)


def options_of(command: Command) -> CompileOptions:
    """How the device side is parsed."""
    translated = translate_nvcc_args([*command.parsed, *command.host])
    options = dataclasses.replace(translated.options, timeout=_SECONDS, cuda_path=command.cuda_path)
    if command.relocatable:  # without it device code's cudaMalloc only returns an error
        options = dataclasses.replace(options, defines=(*options.defines, "__CUDACC_RDC__"))
    includes = (str(SOURCES / "places.h"), *options.force_includes)
    wrapped = (str(SOURCES / "wrapped"), *options.include_dirs)
    return dataclasses.replace(options, force_includes=includes, include_dirs=wrapped)


def _compile_cuda(
    command: Command, source: Input, output: str, found: Tools, directory: Path
) -> None:
    options = options_of(command)
    if Path(source.name).name == CMAKE_PROBE:
        probe = str(sdk_root(found.clang, found.headers) / "cmake_probe.h")
        command = dataclasses.replace(command, parsed=(*command.parsed, "-include", probe))
        options = options_of(command)
    view = View.WRITTEN if command.written or command.device == "gpu" else View.COMPILED
    own = (*options.flags, *view.clang_flags, *openmp_headers())
    unit = _checked(compile_unit(source.name, dataclasses.replace(options, flags=own)))
    if command.ptx:
        unit = with_ptx(unit, command.ptx, _SECONDS, only=command.units == 1)
    assert unit.ir is not None
    identity = unit_identity(unit.path, unit.ir)
    if command.device == "gpu":
        objects = _gpu_sides(command, source, unit, identity, found, directory)
        _run(command, [*linker(found.clang), "-r", "-nostdlib", *map(str, objects), "-o", output])
        write_dependencies(command.dependencies, unit.dependencies, output)
        return
    try:
        with ThreadPoolExecutor(1) as pool:
            host = pool.submit(_host_side, command, source, identity, found, directory)
            device = _device_side(command, unit, identity, directory, view)
            objects = [host.result(), *([device] if device else [])]
    except IRError as error:
        if command.ptx or options.arch is not None or NOT_ON_THE_CPU not in error.reason:
            raise
        # Headers have loops in the place of the newer instructions there.
        print(f"drano: note: {error}; compiled for {_NVCC_DEFAULT}", file=sys.stderr, flush=True)
        older = dataclasses.replace(command, parsed=(*command.parsed, f"-arch={_NVCC_DEFAULT}"))
        _compile_cuda(older, source, output, found, directory)
        return
    _run(command, [*linker(found.clang), "-r", "-nostdlib", *map(str, objects), "-o", output])
    write_dependencies(command.dependencies, unit.dependencies, output)


def _gpu_sides(
    command: Command,
    source: Input,
    unit: CompiledUnit,
    identity: str,
    found: Tools,
    directory: Path,
) -> list[Path]:
    """The host's object, which holds the GPU's code, and the table of sites."""
    assert unit.ir is not None
    if command.relocatable:
        return _relocatable_sides(command, source, unit, identity, found, directory)
    device = gpu_unit(Build(
        unit.ir, identity, unit.path, options_of(command).architecture,
        found.clang, found.headers.ptxas,
        Choices(words=not command.sample, histogram=command.histogram),
        counted=command.counted, lines=command.lines, launches=_launches(command, unit),
        sample=command.sample, written=command.written, operations=command.operations,
    ))  # fmt: skip
    binary, table = directory / "unit.fatbin", directory / "table.o"
    binary.write_bytes(device.fat_binary)
    table.write_bytes(device.table)
    objects = [_gpu_host_object(command, source, unit, binary, identity, found, directory), table]
    if device.replays:
        objects.append(directory / "replays.o")
        objects[-1].write_bytes(device.replays)
    return objects


def _relocatable_sides(
    command: Command,
    source: Input,
    unit: CompiledUnit,
    identity: str,
    found: Tools,
    directory: Path,
) -> list[Path]:
    """The host's object, and one that keeps the device code until it is linked."""
    assert unit.ir is not None
    arch = target_of(options_of(command).architecture)
    host = _gpu_host_object(command, source, unit, directory, identity, found, directory)
    launches = _launches(command, unit)
    wanted = Wanted(
        command.counted,
        command.lines,
        command.written,
        command.histogram,
        command.operations,
        command.sample,
    )
    kept = EmbeddedUnit(
        identity, unit.path, arch, unit.ir, static_names(host.read_bytes()),
        None if launches is None else tuple(launches()), wanted,
    )  # fmt: skip
    path = directory / "embedded.o"
    path.write_bytes(embedding_object(kept))
    return [host, path]


def _launches(command: Command, unit: CompiledUnit) -> Launches | None:
    """Asks for the launches in the source, where proofs are wanted."""
    if not command.prune or command.histogram:
        return None
    return lambda: unit_launches(unit.path, options_of(command)).sites


def _device_side(
    command: Command, unit: CompiledUnit, identity: str, directory: Path, view: View
) -> Path | None:
    assert unit.ir is not None
    own = clang_suffix(identity) if command.relocatable else identity
    ir = unit.ir if command.contracted else _CONTRACTED.sub(r"\1", unit.ir)
    lowered = lower(
        ir, own, path=unit.path, relocatable=command.relocatable, opt_level=command.level,
        launches=_launches(command, unit), view=view,
    )  # fmt: skip
    path = directory / "device.o"
    path.write_bytes(lowered.object)
    return path


def _host_side(
    command: Command, source: Input, identity: str, found: Tools, directory: Path
) -> Path:
    marker = directory / "unit.id"
    marker.write_bytes(b"drano:" + identity.encode() + b"\0")
    return _host_object(command, source, marker, identity, found, directory)


def _host_object(
    command: Command, source: Input, binary: Path, identity: str, found: Tools, directory: Path
) -> Path:
    """``binary``: what stands in the place of the GPU's code; ``identity``: the unit's."""
    path = directory / "host.o"
    _compile_host_side(command, source, ("-c", *_host_flags(command, binary, identity)), path)
    return path


def _host_flags(command: Command, binary: Path, identity: str) -> list[str]:
    if command.relocatable:
        return ["-fgpu-rdc", "--offload-new-driver", f"-cuid={identity}"]
    return ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", str(binary)]


def _compile_host_side(command: Command, source: Input, flags: Sequence[str], output: Path) -> None:
    options = options_of(command)
    own = openmp_compile(command.host)
    options = dataclasses.replace(options, flags=(*options.flags, *own))
    _checked(compile_host(source.name, options, [*_TOLERANT, *flags], str(output)))


def _gpu_host_object(
    command: Command,
    source: Input,
    unit: CompiledUnit,
    binary: Path,
    identity: str,
    found: Tools,
    directory: Path,
) -> Path:
    """The same for a GPU's program, where managed variables need more."""
    if not mentions_managed(unit.dependencies, found.headers.root):
        return _host_object(command, source, binary, identity, found, directory)
    text, path = directory / "host.ll", directory / "host.o"
    flags = [*IR_FLAGS, MACRO, *_host_flags(command, binary, identity)]
    _compile_host_side(command, source, flags, text)
    suffix = f"__static__{clang_suffix(identity)}"
    edited = managed_host_ir(
        text.read_text(encoding="utf-8", errors="surrogateescape"), unit.path,
        "" if command.relocatable else identity, suffix if command.relocatable else "",
    )  # fmt: skip
    text.write_text(edited, encoding="utf-8", errors="surrogateescape")
    own = [flag for flag in command.host if flag.startswith(_GENERATING)]
    _run(
        command,
        [found.clang.path, "--no-default-config", "-w", *own, "-c", str(text), "-o", str(path)],
    )
    return path


def _checked(unit: CompiledUnit) -> CompiledUnit:
    """Says what clang had to say; raises CompileError when there is no result."""
    for diagnostic in unit.diagnostics:
        if unit.ir is None or diagnostic.severity is not Severity.ERROR:
            print(diagnostic, file=sys.stderr)
    if unit.ir is None:
        raise CompileError
    return unit


def _preprocess(command: Command, found: Tools) -> None:
    for source in command.inputs:
        arguments = [
            found.clang.path,
            "--no-default-config",
            *found.host.flags,
            *_TOLERANT,
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
        _run(command, arguments)


# --- running tools ---------------------------------------------------------------------------


def _run(command: Command, arguments: list[str]) -> None:
    """Run a tool with our own stdin, stdout and stderr."""
    if command.verbose or command.dry_run:
        print(f"#$ {shlex.join(arguments)}", file=sys.stderr, flush=True)
    if command.dry_run:
        return
    try:
        status = subprocess.run(arguments, env=environment(), check=False).returncode
    except OSError as error:
        raise IRError(arguments[0], error.strerror or "cannot be run") from error
    if status != 0:
        raise CompileError(status if status > 0 else 1)
