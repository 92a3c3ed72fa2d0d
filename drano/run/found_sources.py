"""Which files below a directory are CUDA sources."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Final

from drano.embedded.markers import holds_cuda, is_python
from drano.support.input_files import CUDA_SOURCES, MAX_BYTES
from drano.support.regular_files import read_regular

UNIT_SUFFIXES: Final = (*CUDA_SOURCES, ".cuh")
"""Of what is found by its name; of Python sources by what is in them."""
CPP_SOURCES: Final = (".c", ".cc", ".cpp", ".cxx")
"""Of what is CUDA by what is in it, where nothing is by its name; ``.cu.cc`` apart."""
SKIPPED_DIRECTORIES: Final = frozenset({"build", "dist", "node_modules", "venv", "__pycache__"})
"""What a tree holds besides its own sources."""
_FOUND_SUFFIXES: Final = (*UNIT_SUFFIXES, ".llir", ".captured.ptx")
_KERNEL: Final = re.compile(rb"\b__global__\s+\w")


def find_sources(root: str, unreadable: dict[str, str] | None = None) -> list[str]:
    """Absolute paths of the .cu, .cu.cc, .cuh and Triton's .llir files below ``root``, and of the
    .py files that may hold CUDA source, sorted.

    Hidden and build directories are left out, links to directories are not followed.
    ``unreadable``: is told which directories cannot be read, and why.
    """

    def note(error: OSError) -> None:
        if unreadable is not None:
            unreadable[str(error.filename)] = error.strerror or str(error)

    return sorted(
        path
        for path in _files_below(root, note)
        if path.endswith(_FOUND_SUFFIXES) or (is_python(path) and holds_cuda(path))
    )


def cpp_with_kernels(root: str) -> list[str]:
    """Of the C and C++ sources below ``root`` those that define kernels, sorted: hypre, for one,
    has no others.
    """
    return sorted(p for p in _files_below(root) if p.endswith(CPP_SOURCES) and _has_kernel(p))


def _files_below(root: str, note: Callable[[OSError], None] | None = None) -> Iterator[str]:
    for folder, directories, names in os.walk(root, onerror=note):
        directories[:] = sorted(
            name for name in directories if name[0] != "." and name not in SKIPPED_DIRECTORIES
        )
        yield from (os.path.join(folder, name) for name in names if name[0] != ".")


def _has_kernel(path: str) -> bool:
    try:
        return _KERNEL.search(read_regular(path, MAX_BYTES)) is not None
    except (OSError, ValueError):
        return False
