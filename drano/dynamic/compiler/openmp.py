"""OpenMP in host code: clang's runtime may be missing, so gcc's serves its calls.

Parallel regions of the program run on one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def openmp_compile(flags: Sequence[str]) -> list[str]:
    """The compiler's flags, with gcc's library in the place of clang's."""
    own = ["-fopenmp=libgomp" if flag == "-fopenmp" else flag for flag in flags]
    return [*own, *openmp_headers()]


def openmp_headers() -> list[str]:
    """Where omp.h is: sources include it whether they use it or not, and so for device code."""
    header = _gcc_file("include/omp.h")
    return ["-idirafter", str(header.parent)] if header else []


def openmp_link(words: Sequence[str]) -> list[str]:
    """The linker's, likewise."""
    return ["-lgomp" if word == "-fopenmp" else word for word in words]


def _gcc_file(name: str) -> Path | None:
    found = sorted(Path("/usr/lib/gcc").glob(f"*/*/{name}"), key=lambda path: path.parts[-4:])
    return found[-1] if found else None
