"""Header-only libraries that come as Python packages: looked into for what a unit misses.

Device code of Eigen, of CUTLASS and of RAPIDS' libraries decides how kernels access memory, so
nothing stands in for it. What the project or the system has comes first. NVSHMEM's headers come
with PyTorch.
"""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct

from drano.support.installed_packages import installed_package


class Library(Struct, frozen=True):
    """``packages``: on PyPI, the first that is installed counts; ``parts``: the first parts of its
    headers' names, directories or files; ``directories``: what those are below, beside the package,
    and what they need; ``command``: brings it, "" if nobody has to be told.
    """

    name: str
    packages: tuple[str, ...]
    parts: tuple[str, ...]
    directories: tuple[str, ...]
    command: str


_EXTRA: Final = "pip install 'drano[libraries]'"


def _rapids(name: str, part: str) -> Library:
    """Without what only its host code needs, several hundred megabytes."""
    package = f"lib{part}"
    needed = dict.fromkeys((package, "libraft", "librmm", "rapids_logger"))
    return Library(
        name,
        (f"{package}-cu13", f"{package}-cu12"),
        (part,),
        tuple(f"{each}/include" for each in needed),
        f"pip install --no-deps {package}-cu13 librmm-cu13 rapids-logger",
    )


_LIBRARIES: Final = (
    Library(
        "Eigen",
        ("cmeel-eigen",),
        ("Eigen", "unsupported"),
        ("cmeel.prefix/include/eigen3",),
        _EXTRA,
    ),
    Library(
        "CUTLASS",
        ("nvidia-cutlass",),
        ("cutlass", "cute"),
        ("cutlass_library/source/include", "cutlass_library/source/tools/util/include"),
        _EXTRA,
    ),
    # PyTorch brings it.
    Library(
        "NVSHMEM",
        ("nvidia-nvshmem-cu13",),
        ("nvshmem.h", "nvshmemx.h"),
        ("nvidia/nvshmem/include",),
        "",
    ),
    _rapids("RAFT", "raft"),
    _rapids("cuDF", "cudf"),
    _rapids("cuVS", "cuvs"),
)


def packaged_directories(name: str) -> tuple[str, ...]:
    """Directories of an installed package from which ``#include`` of ``name`` is found."""
    found = _library(name)
    if found is None:
        return ()
    package = next(filter(None, map(installed_package, found.packages)), None)
    if package is None:
        return ()
    places = tuple(str(package.place / directory) for directory in found.directories)
    present = tuple(filter(os.path.isdir, places))
    return present if any(os.path.isfile(os.path.join(p, name)) for p in present) else ()


def is_packaged(directory: str) -> bool:
    """Whether ``packaged_directories`` gives a directory."""
    return any(
        directory.endswith(f"{os.sep}{own}") for each in _LIBRARIES for own in each.directories
    )


def library_of(name: str) -> Library | None:
    """The library that a header's name is of; None if there is no command that brings it."""
    found = _library(name)
    return found if found is not None and found.command else None


def _library(name: str) -> Library | None:
    first, slash, rest = name.partition("/")
    if bool(slash) == first.endswith(".h") or ".." in rest.split("/"):
        return None
    return next((each for each in _LIBRARIES if first in each.parts), None)
