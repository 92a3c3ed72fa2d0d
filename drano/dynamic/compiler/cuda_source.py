"""One object of one CUDA source: its host side, its device side for the CPU or a GPU, joined."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from drano.dynamic.compiler.command_line import Command, Input
from drano.dynamic.compiler.make_rule import write_dependencies
from drano.dynamic.compiler.openmp import openmp_compile, openmp_headers
from drano.dynamic.compiler.ptx_code import with_ptx
from drano.dynamic.compiler.sdk_directory import CMAKE_PROBE, sdk_root
from drano.dynamic.compiler.tools import TOLERANT, CompileError, Tools, run_tool
from drano.dynamic.cpu import lower
from drano.dynamic.cpu.errors import NOT_ON_THE_CPU
from drano.dynamic.cpu.runtime_library import SOURCES, linker
from drano.dynamic.cpu.unit import Launches
from drano.dynamic.gpu.counting.counting_calls import Choices
from drano.dynamic.gpu.device_code import Build, gpu_unit, target_of
from drano.dynamic.gpu.linking.embedded import EmbeddedUnit, Wanted
from drano.dynamic.gpu.linking.link import embedding_object, static_names
from drano.dynamic.gpu.managed import IR_FLAGS, MACRO, managed_host_ir, mentions_managed
from drano.dynamic.instrument.unit_identity import clang_suffix, unit_identity
from drano.frontend.clang import compile_host, compile_unit
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.host.launching.unit_launches import unit_launches
from drano.model.finding import Severity
from drano.model.settings import CompileOptions, View
from drano.model.translation_unit import CompiledUnit
from drano.support.errors import IRError

_SECONDS = 600.0
_NVCC_DEFAULT = "sm_75"
_GENERATING = ("-O", "-f", "-m", "-g")
"""Flags that say what code is made of host IR."""
_CONTRACTED = re.compile(
    r"^(\s*%[-\w.$]+ = (?:tail |musttail |notail )?"
    r"(?:fadd|fsub|fmul|fdiv|frem|fneg|fcmp|call|select|phi|fptrunc|fpext)\b[a-z ]*?) contract\b",
    re.MULTILINE,
)


def options_of(command: Command) -> CompileOptions:
    """How the device side is parsed."""
    translated = translate_nvcc_args([*command.parsed, *command.host])
    options = replace(translated.options, timeout=_SECONDS, cuda_path=command.cuda_path)
    if command.relocatable:  # without it device code's cudaMalloc only returns an error
        options = replace(options, defines=(*options.defines, "__CUDACC_RDC__"))
    includes = (str(SOURCES / "places.h"), *options.force_includes)
    wrapped = (str(SOURCES / "wrapped"), *options.include_dirs)
    return replace(options, force_includes=includes, include_dirs=wrapped)


def compile_cuda(
    command: Command, source: Input, output: str, found: Tools, directory: Path
) -> None:
    """Compile ``source`` to ``output``; ``directory``: for what is temporary. Raises IRError, or
    CompileError (told already).
    """
    options = options_of(command)
    if Path(source.name).name == CMAKE_PROBE:
        probe = str(sdk_root(found.clang, found.headers) / "cmake_probe.h")
        command = replace(command, parsed=(*command.parsed, "-include", probe))
        options = options_of(command)
    view = View.WRITTEN if command.written or command.device == "gpu" else View.COMPILED
    own = (*options.flags, *view.clang_flags, *openmp_headers())
    unit = _checked(compile_unit(source.name, replace(options, flags=own)))
    if command.ptx:
        unit = with_ptx(unit, command.ptx, _SECONDS, only=command.units == 1)
    assert unit.ir is not None
    identity = unit_identity(unit.path, unit.ir)
    if command.device == "gpu":
        objects = _gpu_sides(command, source, unit, identity, found, directory)
        run_tool(
            command, [*linker(found.clang), "-r", "-nostdlib", *map(str, objects), "-o", output]
        )
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
        older = replace(command, parsed=(*command.parsed, f"-arch={_NVCC_DEFAULT}"))
        compile_cuda(older, source, output, found, directory)
        return
    run_tool(command, [*linker(found.clang), "-r", "-nostdlib", *map(str, objects), "-o", output])
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
    options = replace(options, flags=(*options.flags, *own))
    _checked(compile_host(source.name, options, [*TOLERANT, *flags], str(output)))


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
    run_tool(
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
