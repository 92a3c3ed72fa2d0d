"""Compile options from a compilation database, ``compile_commands.json``.

A file that the database does not name (a header, a new file) gets the options of the entry whose
path is closest to its own, as editors do. The SDK is the one whose nvcc is called, or whose
headers are included. The database is not trusted: see ``nvcc_options`` for what of a
command is used; a malformed one is one clear error.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shlex
import stat
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.frontend.sdk.paths import sdk_of_program
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.input_files import CUDA_SOURCES, holds_kernel
from drano.support.regular_files import read_regular

NAME = "compile_commands.json"
_MAX_BYTES = 256 << 20
_CUDA_SUFFIXES = (*CUDA_SOURCES, ".cuh")
_MAX_WRAPPERS = 4  # as in `env sccache nvcc`
_CUDA_LANGUAGES = frozenset({"cu", "cuda"})


class _Entry(Struct, frozen=True):
    """``file``: absolute; ``arguments``: without the compiler; ``nvcc``: which one, "" for others;
    ``cuda``: whether it is compiled as CUDA, as far as the command says so; ``output``: what the
    database says is made of it, absolute, "" where it does not.
    """

    file: str
    directory: str
    arguments: tuple[str, ...]
    nvcc: str
    cuda: bool
    output: str


def with_compile_commands(path: str, options: CompileOptions) -> CompileOptions:
    """``options`` completed from ``options.compile_commands``; what the user gave wins.

    Raises IRError when the database cannot be used.
    """
    if options.compile_commands is None:
        return options
    found = options_for(path, options.compile_commands)
    return replace(
        options,
        compile_commands=None,
        include_dirs=options.include_dirs + found.include_dirs,
        defines=found.defines + options.defines,
        undefines=found.undefines + options.undefines,
        force_includes=found.force_includes + options.force_includes,
        std=options.std or found.std,
        arch=options.arch or found.arch,
        cuda_path=options.cuda_path or found.cuda_path,
        flags=found.flags + options.flags,
        code_generation=found.code_generation + options.code_generation,
    )


def options_for(path: str, compile_commands_dir: str) -> CompileOptions:
    """Options that the database (the file, or the directory it is in) has for ``path``.

    Raises IRError when the database is missing or malformed.
    """
    entry = _entry_for(os.path.abspath(path), _read(compile_commands_dir))
    if entry is None:
        return CompileOptions()
    found = translate_nvcc_args(entry.arguments, entry.directory).options
    return replace(found, cuda_path=sdk_of_program(entry.nvcc) or found.cuda_path)


def cuda_units(database: str) -> tuple[str, ...]:
    """Sources that the database compiles as CUDA, each once, in its order. Raises IRError."""
    return tuple(dict.fromkeys(entry.file for entry in _read(database) if entry.cuda))


def compiles_cuda(database: str) -> bool:
    """Whether it has any CUDA source. Raises IRError."""
    return any(entry.cuda for entry in _read(database))


def outputs(database: str, path: str) -> tuple[str, ...]:
    """What its commands make of the very file at ``path`` (absolute). Raises IRError."""
    found: dict[str, None] = {}
    for entry in _read(database):
        if entry.file == path:
            made = translate_nvcc_args(entry.arguments, entry.directory).output
            found |= dict.fromkeys(filter(None, (entry.output, made)))
    return tuple(map(os.path.normpath, found))


def names(database: str, path: str) -> bool:
    """Whether it has a command for the very file at ``path`` (absolute). Raises IRError."""
    return any(entry.file == path for entry in _read(database))


def _read(compile_commands_dir: str) -> tuple[_Entry, ...]:
    """The entries of a database, the file or the directory it is in. Raises IRError."""
    database = Path(os.path.abspath(compile_commands_dir))
    if database.is_dir():
        database /= NAME
    try:
        status = database.stat()
    except (OSError, ValueError):
        raise IRError(str(database), "no such compilation database") from None
    if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
        raise IRError(str(database), "is not a regular file of less than 256 MB")
    return _entries(str(database), status.st_mtime_ns, status.st_size)


def _entry_for(path: str, entries: tuple[_Entry, ...]) -> _Entry | None:
    exact = [entry for entry in entries if entry.file == path]
    if exact:
        return exact[0]
    real = os.path.realpath(path)
    for entry in entries:
        same_name = entry.file.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]
        if same_name and os.path.realpath(entry.file) == real:
            return entry
    device = [entry for entry in entries if entry.cuda]
    return max(device, key=lambda entry: _closeness(entry.file, path), default=None)


def _closeness(one: str, other: str) -> tuple[bool, int]:
    """Same stem first, then the number of leading directories in common."""
    ours, theirs = Path(one), Path(other)
    common = 0
    for left, right in zip(ours.parent.parts, theirs.parent.parts, strict=False):
        if left != right:
            break
        common += 1
    return ours.stem == theirs.stem, common


@functools.lru_cache(maxsize=8)
def _entries(database: str, _modified: int, _size: int) -> tuple[_Entry, ...]:
    try:
        data = json.loads(read_regular(database, _MAX_BYTES))
    except OSError as error:
        raise IRError(database, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        reason = "nests too deeply" if isinstance(error, RecursionError) else str(error)
        raise IRError(database, f"is not JSON: {reason}") from None
    if not isinstance(data, list):
        raise IRError(database, "is not a compilation database: its top level is not an array")
    return tuple(_entry(database, number, item) for number, item in enumerate(data))


def _entry(database: str, number: int, item: object) -> _Entry:
    if not isinstance(item, dict):
        raise IRError(database, f"entry {number} is not an object")
    file, directory = item.get("file"), item.get("directory", ".")
    if not isinstance(file, str) or not isinstance(directory, str) or not file:
        raise IRError(database, f"entry {number} has no 'file' or 'directory' string")
    arguments, command = item.get("arguments"), item.get("command")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        words = [str(word) for word in arguments]
    elif isinstance(command, str):
        words = _split_command(database, number, command)
    else:
        raise IRError(database, f"entry {number} has no 'arguments' array or 'command' string")
    if "\0" in file + directory:
        raise IRError(database, f"entry {number} has a NUL character in a path")
    base = os.path.normpath(os.path.join(os.path.dirname(database), directory))
    absolute = os.path.normpath(os.path.join(base, file))
    nvcc = next((word for word in words[:_MAX_WRAPPERS] if _is_nvcc(word)), "")
    if os.sep in nvcc:
        nvcc = os.path.normpath(os.path.join(base, nvcc))
    cuda = absolute.endswith(_CUDA_SUFFIXES) or _speaks_cuda(words)
    # nvcc takes the device code of a .cpp for the host's, but with -x cu in an options file.
    cuda = cuda or (nvcc != "" and holds_kernel(absolute))
    made = item.get("output")
    output = os.path.join(base, made) if isinstance(made, str) and "\0" not in made else ""
    return _Entry(absolute, base, tuple(words[1:]), nvcc, cuda, output)


def _is_nvcc(word: str) -> bool:
    return word.rsplit("/", 1)[-1] in {"nvcc", "nvcc.exe"}


def _speaks_cuda(words: list[str]) -> bool:
    """Whether the language is said to be CUDA: ``-x cu``, ``-xcuda``, ``--language=cu``."""
    joined = {"-xcu", "-xcuda", "-x=cu", "--x=cu", "--language=cu", "--x=cuda"}
    pairs = itertools.pairwise(words)
    return not joined.isdisjoint(words) or any(
        one in {"-x", "--x", "--language"} and other in _CUDA_LANGUAGES for one, other in pairs
    )


def _split_command(database: str, number: int, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise IRError(database, f"entry {number} has a malformed command: {error}") from None
