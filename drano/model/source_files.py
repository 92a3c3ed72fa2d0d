"""Which files are source text of what was analysed, and so may be shown.

A source can give its lines any name (``#line 1 "/etc/passwd"``), and so can IR and profiles. What
they name is read only if the compiler itself has opened it as part of a unit, or, where there was
no compiler, if it lies below a directory that is the user's: beside the IR, or the working tree.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from drano.model.report import FileReport

_IR_SUFFIXES: Final = (
    ".ll", ".llir", ".bc", ".ptx", ".cubin", ".fatbin", ".o", ".so", ".a",
)  # fmt: skip


class SourceFiles(Struct, frozen=True):
    """``files``: by their real paths; ``folders``: real paths, all below which counts."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        real = _real(path)
        inside = any(real.startswith(folder.rstrip("/") + "/") for folder in self.folders)
        return real in self.files or inside


def source_files(paths: Iterable[str], *, folders: Iterable[str] = ()) -> SourceFiles:
    """The files named ``paths`` themselves, what lies beside IR, and all below ``folders``."""
    named = list(paths)
    beside = (os.path.dirname(p) for p in named if p.lower().endswith(_IR_SUFFIXES))
    below = {_real(folder) for folder in (*folders, *beside)}
    return SourceFiles(frozenset(map(_real, named)), tuple(sorted(below)))


def sources_of(reports: Iterable[FileReport]) -> SourceFiles:
    """The source files of units that were analysed."""
    return source_files(
        path for report in reports for path in (report.path, *report.dependencies, *report.joined)
    )


@lru_cache(maxsize=4096)
def _real(path: str) -> str:
    """As ``os.path.realpath``, which asks for each directory of each path again."""
    directory, name = os.path.split(path)
    try:
        if name in {"", ".", ".."} or not _is_regular(path):
            return os.path.realpath(path)
        return os.path.join(_real_directory(directory), name)
    except (OSError, ValueError):
        return ""


def _is_regular(path: str) -> bool:
    """Whether it is a file itself, no link to one. Raises ValueError."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


@lru_cache(maxsize=4096)
def _real_directory(path: str) -> str:
    return os.path.realpath(path)
