"""Understands nvcc's (and gcc's and clang's) command lines, as far as parsing the source needs.

An allow-list: include directories, macros, force-included files, language standard, architecture,
SDK and a few harmless language switches are kept, and what decides nvcc's code for those who run
it; all else (linking, plug-ins, output files) is dropped, as command lines come from files that are
not trusted. Relative paths are made absolute. A directory with an SDK's headers is not passed on:
it would mix that SDK with the one in use; it names the SDK to use instead. Limits: of several
architectures the newest that clang knows is taken.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from drano.frontend.sdk.paths import is_sdk, is_sdk_include, sdk_of_include
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.regular_files import read_regular

_RELOCATABLE = frozenset({"-dc", "--device-c", "-dw", "--device-w"})
_RDC_MACRO = "__CUDACC_RDC__"
_MAX_DEPTH = 4
_MAX_ARGUMENTS = 100_000
_MAX_OPTIONS_FILE = 1 << 20
_NEWEST_ARCHITECTURE = 121
_ARCHITECTURE = re.compile(r"(?:sm|compute|lto)_(\d{2,3})([af]?)(?![0-9a-z])")
_STD = re.compile(r"(?:c|gnu)\+\+[0-9a-z]{2}\Z")
_MACRO = re.compile(r"[A-Za-z_]\w*")

# Every spelling -> what it means here. A value follows joined, after "=", or as the next argument.
_VALUED = {
    "-I": "include",
    "--include-path": "include",
    "-isystem": "-isystem",
    "--system-include": "-isystem",
    "-iquote": "-iquote",
    "-idirafter": "-idirafter",
    "-include": "force",
    "--include": "force",
    "--pre-include": "force",
    "-imacros": "-imacros",
    "-D": "define",
    "--define-macro": "define",
    "-U": "undefine",
    "--undefine-macro": "undefine",
    "-std": "std",
    "--std": "std",
    "-x": "language",
    "--x": "language",
    "--language": "language",
    "-arch": "arch",
    "--gpu-architecture": "arch",
    "-gencode": "arch",
    "--generate-code": "arch",
    "--cuda-gpu-arch": "arch",
    "--offload-arch": "arch",
    "-Xcompiler": "host",
    "--compiler-options": "host",
    "-rdc": "rdc",
    "--relocatable-device-code": "rdc",
    "--cuda-path": "sdk",
    "-optf": "file",
    "--options-file": "file",
}
# What nvcc makes other code for, and what it may be.
_CODE_GENERATION = {
    "maxrregcount": re.compile(r"\d{1,3}"),
    **dict.fromkeys(("ftz", "fmad", "prec-div", "prec-sqrt"), re.compile(r"true|false")),
}
_VALUED |= {f"{dashes}{name}": "code" for name in _CODE_GENERATION for dashes in ("-", "--")}
_FAST_MATH = frozenset({"-use_fast_math", "--use_fast_math"})
# Options that are dropped together with the argument that follows them.
_DROPPED_WITH_VALUE_TEXT = """
    -o --output-file -L --library-path -l --library -ccbin --compiler-bindir -Xlinker
    --linker-options -Xptxas --ptxas-options -Xarchive --archive-options -Xnvlink
    --nvlink-options -Xcudafe -Xfatbin --fatbin-options -Xclang -Xarch_device -Xarch_host
    -Xpreprocessor -Xassembler -Xcuda-ptxas -Xcuda-fatbinary -code --gpu-code
    --machine -cudart --cudart -cudadevrt --cudadevrt
    --threads -MF -MT -MQ --dependency-output
    --dependency-target-name -diag-suppress --diag-suppress -diag-error --diag-error -diag-warn
    --diag-warn -keep-dir --keep-dir -odir --output-directory
    -target-dir --target-directory -default-stream --default-stream -split-compile
    --split-compile --optimize -isysroot --sysroot -target
    -mllvm -B -ldir --libdevice-directory -nvvmdir -idp --input-drive-prefix -ddp
    --dependency-drive-prefix -dp --drive-prefix -include-pch -ivfsoverlay -Xopenmp-target
"""
_DROPPED_WITH_VALUE = frozenset(_DROPPED_WITH_VALUE_TEXT.split())
# Of these only nvcc takes a value: what follows is one when it is neither option nor file.
_DROPPED_WITH_MAYBE = frozenset({"-Werror", "--Werror", "-m", "-t", "-O"})
# Language switches that mean the same to clang and cannot touch a file.
_KEPT_TEXT = """
    -fms-extensions -fno-exceptions -fexceptions -fno-rtti -frtti -funsigned-char -fsigned-char
    -fchar8_t -fno-char8_t -fpermissive -fdeclspec -fgnu-keywords -fno-operator-names
    -fdelayed-template-parsing -fshort-enums -pthread -trigraphs -stdlib=libc++
    -stdlib=libstdc++
"""
_KEPT = frozenset(_KEPT_TEXT.split())


class TranslatedCommand(Struct, frozen=True):
    """``options``: what parsing needs; ``inputs``: absolute source files; ``output``: ``-o``'s file
    or None; ``dropped``: arguments that were not used, in order.
    """

    options: CompileOptions
    inputs: tuple[str, ...]
    output: str | None
    dropped: tuple[str, ...]


class _Collected(Struct):
    """What has been seen so far; the functions below fill it."""

    include_dirs: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    undefines: list[str] = field(default_factory=list)
    force_includes: list[str] = field(default_factory=list)
    std: str | None = None
    architectures: list[tuple[int, str]] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    code_generation: list[str] = field(default_factory=list)
    sdks: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    output: str | None = None
    dropped: list[str] = field(default_factory=list)
    count: int = 0


def translate_nvcc_args(arguments: Sequence[str], directory: str = ".") -> TranslatedCommand:
    """Translate a command line *without* its program name; paths are relative to ``directory``.

    ``-Iinc -arch=sm_80 -rdc=true -DN=4 a.cu -c`` in ``/p`` gives include directory ``/p/inc``,
    architecture sm_80, macro ``N=4`` and input ``/p/a.cu``. Raises IRError for options files that
    cannot be read, nest too deeply, or for arguments no program can be given.
    """
    found = _Collected()
    _collect(list(arguments), os.path.abspath(directory), found, 0)
    arch = None
    if found.architectures:
        number, suffix = max(found.architectures)
        arch = f"sm_{number}{suffix}"
    options = CompileOptions(
        include_dirs=tuple(found.include_dirs),
        defines=tuple(found.defines),
        undefines=tuple(found.undefines),
        force_includes=tuple(found.force_includes),
        std=found.std,
        arch=arch,
        cuda_path=found.sdks[0] if found.sdks else None,
        flags=tuple(found.flags),
        code_generation=tuple(found.code_generation),
    )
    return TranslatedCommand(options, tuple(found.inputs), found.output, tuple(found.dropped))


def _collect(arguments: list[str], directory: str, found: _Collected, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise IRError(directory, "options files of a compile command nest too deeply")
    rest = deque(arguments)
    while rest:
        argument = rest.popleft()
        found.count += 1
        if found.count > _MAX_ARGUMENTS:
            raise IRError(directory, "compile command has too many arguments")
        _check(argument, directory)
        if argument.startswith("@") and len(argument) > 1:
            _collect(_options_file(argument[1:], directory), directory, found, depth + 1)
        elif not argument.startswith("-") or argument == "-":
            found.inputs.append(_absolute(argument, directory))
        else:
            _collect_option(argument, rest, directory, found, depth)


def _collect_option(
    argument: str, rest: deque[str], directory: str, found: _Collected, depth: int
) -> None:
    name, value = _split(argument)
    if name in _VALUED:
        value = _next(rest) if value is None else value
        _check(value, directory)
        if _VALUED[name] == "code":
            _use_code_generation(name.lstrip("-"), value, found)
        else:
            _use(_VALUED[name], value, directory, found, depth)
    elif argument in _FAST_MATH:
        found.code_generation.append("--use_fast_math")
    elif argument in _KEPT:
        found.flags.append(argument)
    elif name in {"-o", "--output-file"}:
        found.output = _absolute(_next(rest) if value is None else value, directory)
    else:
        found.dropped.append(argument)
        if argument in _RELOCATABLE:
            _use("rdc", "true", directory, found, depth)
        if argument in _DROPPED_WITH_VALUE or _takes_next(argument, rest):
            found.dropped.append(_next(rest))


def _next(rest: deque[str]) -> str:
    return rest.popleft() if rest else ""


def _takes_next(argument: str, rest: deque[str]) -> bool:
    return (
        argument in _DROPPED_WITH_MAYBE
        and bool(rest)
        and not rest[0].startswith("-")
        and "." not in rest[0]
    )


def _split(argument: str) -> tuple[str, str | None]:
    """Option name and its joined value: ``-Iinc``, ``-std=c++17``, ``--define-macro=N``."""
    if argument in _VALUED or argument in _DROPPED_WITH_VALUE:
        return argument, None
    name, equals, value = argument.partition("=")
    if equals and name in _VALUED:
        return name, value
    for prefix in ("-isystem", "-iquote", "-idirafter", "-I", "-D", "-U", "-x", "-o"):
        if argument.startswith(prefix) and not argument.startswith(("-odir", "-optf")):
            return prefix, argument[len(prefix) :].removeprefix("=")
    return argument, None


def _use(kind: str, value: str, directory: str, found: _Collected, depth: int) -> None:
    """File ``value`` under what it is; empty and malformed ones are dropped."""
    match kind:
        case "include" if value:
            for part in _parts(value, directory):
                _use_directory("", _absolute(part, directory), found)
        case "-isystem" | "-iquote" | "-idirafter" if value:
            _use_directory(kind, _absolute(_unquoted(value), directory), found)
        case "sdk" if is_sdk(_absolute(value, directory)):
            found.sdks.insert(0, _absolute(value, directory))
        case "-imacros" if value:
            found.flags += [kind, _absolute_if_there(value, directory)]
        case "force" if value:
            found.force_includes.append(_absolute_if_there(value, directory))
        case "define" if _MACRO.match(value):
            found.defines.append(value)
        case "undefine" if _MACRO.fullmatch(value):
            found.undefines.append(value)
        case "std" if _STD.match(value):
            found.std = value
        case "language" if value in {"cu", "cuda"}:
            found.flags += ["-x", "cuda"]
        case "arch":
            found.architectures += [
                (int(number), suffix)
                for number, suffix in _ARCHITECTURE.findall(value)
                if int(number) <= _NEWEST_ARCHITECTURE
            ]
        case "rdc" if value == "true":
            found.defines += {_RDC_MACRO}.difference(found.defines)
        case "host":
            _collect(_host_arguments(value), directory, found, depth + 1)
        case "file":
            for name in value.split(","):
                _collect(_options_file(name, directory), directory, found, depth + 1)
        case _:
            found.dropped.append(value)


def _use_code_generation(name: str, value: str, found: _Collected) -> None:
    if _CODE_GENERATION[name].fullmatch(value):
        found.code_generation.append(f"--{name}={value}")
    else:
        found.dropped.append(value)


def _use_directory(flag: str, path: str, found: _Collected) -> None:
    """An include directory. One of an SDK names it; where that is all there is of the SDK, it comes
    behind the one in use, for the libraries' headers that only it has.
    """
    sdk = sdk_of_include(path)
    if sdk is not None:
        found.sdks.append(sdk)
    elif is_sdk_include(path):
        found.flags += ["-idirafter", path]
    elif flag:
        found.flags += [flag, path]
    else:
        found.include_dirs.append(path)


def _unquoted(value: str) -> str:
    """Without quotes that no shell has taken away."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _parts(value: str, directory: str) -> list[str]:
    """For nvcc ``-I a,b`` is two directories; a name may hold a comma, too."""
    value = _unquoted(value)
    if "," not in value or Path(_absolute(value, directory)).is_dir():
        return [value]
    return [part for part in value.split(",") if part]


def _host_arguments(value: str) -> list[str]:
    """``-fPIC,-DN=1`` or ``-fPIC -DN=1``: only options, host inputs mean nothing here."""
    words = [word for part in words_of(value) for word in part.split(",")]
    return [word for word in words if word.startswith(("-I", "-D", "-U", "-std="))]


def _options_file(name: str, directory: str) -> list[str]:
    path = Path(_absolute(name, directory))
    try:
        text = read_regular(path, _MAX_OPTIONS_FILE).decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise IRError(str(path), f"options file cannot be read: {reason}") from error
    return words_of(text)


def words_of(text: str) -> list[str]:
    """A command line's words; quotes that are left open stay."""
    try:
        return shlex.split(text)
    except ValueError:  # an open quote
        return text.split()


def _absolute(path: str, directory: str) -> str:
    return os.path.normpath(os.path.join(directory, path))


def _absolute_if_there(path: str, directory: str) -> str:
    """``-include x.h`` is looked for in the working directory, then in the include directories."""
    absolute = _absolute(path, directory)
    return absolute if Path(absolute).is_file() else path


def _check(argument: str, directory: str) -> None:
    """No program can be given a NUL or what has no byte encoding."""
    try:
        os.fsencode(argument)
    except UnicodeEncodeError:
        raise IRError(directory, "compile command contains text that cannot be encoded") from None
    if "\0" in argument:
        raise IRError(directory, "compile command contains a NUL character")
