"""Which sources of the workspace include a header, told by their text.

A file name in an ``#include`` is enough: whether it means this very file the analysis shows.
Limits: sources that include it through another header are found one level deep; big trees are
searched up to ``MAX_FILES`` files.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from drano.frontend.text.cpp_lexer import includes
from drano.run.found_sources import SKIPPED_DIRECTORIES
from drano.support.input_files import CUDA_SOURCES
from drano.support.regular_files import regular_or_empty

MAX_FILES = 2000
MAX_FOUND = 3
_MAX_BYTES = 4 << 20
_SUFFIXES = (*CUDA_SOURCES, ".cuh", ".h", ".hpp")


def find_includers(header: str, folders: Sequence[str]) -> list[str]:
    """Up to ``MAX_FOUND`` ``.cu`` files, the closest to the header first."""
    near = Path(header).parent
    inside = any(near.is_relative_to(folder) for folder in folders)
    files = list(itertools.islice(_files(folders) if inside else _beside(near), MAX_FILES))
    texts = {path: _read(path) for path in files if path != header}
    direct = [path for path, text in texts.items() if _includes(text, header)]
    found = [path for path in direct if path.endswith(CUDA_SOURCES)]
    if not found:
        between = [path for path in direct if not path.endswith(CUDA_SOURCES)]
        found = [
            path
            for path, text in texts.items()
            if path.endswith(CUDA_SOURCES) and any(_includes(text, other) for other in between)
        ]
    found.sort(key=lambda path: (len(Path(os.path.relpath(path, near)).parts), path))
    return found[:MAX_FOUND]


def _files(roots: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for root in roots:
        for folder, directories, names in os.walk(root):
            directories[:] = sorted(
                name for name in directories if name[0] != "." and name not in SKIPPED_DIRECTORIES
            )
            for name in sorted(names):
                path = str(Path(folder, name))
                if name.endswith(_SUFFIXES) and path not in seen:
                    seen.add(path)
                    yield path


def _beside(folder: Path) -> Iterator[str]:
    """For a header outside of the workspace: its own directory only."""
    with contextlib.suppress(OSError):
        yield from (str(p) for p in sorted(folder.iterdir()) if p.name.endswith(_SUFFIXES))


def _read(path: str) -> bytes:
    return regular_or_empty(path, _MAX_BYTES)


def _includes(text: bytes, header: str) -> bool:
    name = os.fsencode(Path(header).name)
    return any(include.name.rpartition(b"/")[2] == name for include in includes(text))
