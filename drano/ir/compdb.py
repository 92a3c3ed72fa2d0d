"""Compile options from a compilation database, ``compile_commands.json``.

A file that the database does not name (a header, a new file) gets the options of the entry whose
path is closest to its own, as editors do. The database is not trusted: see ``nvcc`` for what of a
command is used; a malformed one is one clear error.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path

from drano.config import CompileOptions
from drano.ir.errors import IRError
from drano.ir.nvcc import translate_nvcc_args

_NAME = "compile_commands.json"
_MAX_BYTES = 256 << 20
_CUDA_SUFFIXES = (".cu", ".cuh")


@dataclass(frozen=True, slots=True)
class _Entry:
    """``file``: absolute; ``arguments``: without the compiler."""

    file: str
    directory: str
    arguments: tuple[str, ...]


def with_compile_commands(path: str, options: CompileOptions) -> CompileOptions:
    """``options`` completed from ``options.compile_commands``; what the user gave wins.

    Raises IRError when the database cannot be used.
    """
    if options.compile_commands is None:
        return options
    found = options_for(path, options.compile_commands)
    default = CompileOptions()
    return dataclasses.replace(
        options,
        compile_commands=None,
        include_dirs=options.include_dirs + found.include_dirs,
        defines=found.defines + options.defines,
        undefines=found.undefines + options.undefines,
        force_includes=found.force_includes + options.force_includes,
        std=options.std or found.std,
        arch=found.arch if options.arch == default.arch else options.arch,
        flags=found.flags + options.flags,
    )


def options_for(path: str, compile_commands_dir: str) -> CompileOptions:
    """Options that the database (the file, or the directory it is in) has for ``path``.

    Raises IRError when the database is missing or malformed.
    """
    database = Path(os.path.abspath(compile_commands_dir))  # noqa: PTH100 - keep links' names
    if database.is_dir():
        database /= _NAME
    try:
        status = database.stat()
    except (OSError, ValueError):
        raise IRError(str(database), "no such compilation database") from None
    if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
        raise IRError(str(database), "is not a regular file of less than 256 MB")
    entries = _entries(str(database), status.st_mtime_ns, status.st_size)
    entry = _entry_for(os.path.abspath(path), entries)  # noqa: PTH100 - keep links' names
    if entry is None:
        return CompileOptions()
    return translate_nvcc_args(entry.arguments, entry.directory).options


def _entry_for(path: str, entries: tuple[_Entry, ...]) -> _Entry | None:
    exact = [entry for entry in entries if entry.file == path]
    if exact:
        return exact[0]
    real = os.path.realpath(path)
    for entry in entries:
        same_name = entry.file.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]
        if same_name and os.path.realpath(entry.file) == real:
            return entry
    device = [entry for entry in entries if entry.file.endswith(_CUDA_SUFFIXES)]
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


@functools.lru_cache(maxsize=4)
def _entries(database: str, _modified: int, _size: int) -> tuple[_Entry, ...]:
    try:
        data = json.loads(Path(database).read_bytes())
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
    base = os.path.normpath(os.path.join(os.path.dirname(database), directory))  # noqa: PTH118, PTH120
    absolute = os.path.normpath(os.path.join(base, file))  # noqa: PTH118
    return _Entry(absolute, base, tuple(words[1:]))


def _split_command(database: str, number: int, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise IRError(database, f"entry {number} has a malformed command: {error}") from None
