"""Header-only libraries that come as Python packages: looked into for what a unit misses.

Device code of Eigen and of CUTLASS decides how kernels access memory, so nothing stands in for it.
What the project or the system has comes first. ``pip install 'drano[libraries]'`` brings both;
NVSHMEM's headers come with PyTorch.
"""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct

from drano.support.installed_packages import installed_package

EXTRA: Final = "drano[libraries]"


class _Library(Struct, frozen=True):
    """``package``: on PyPI; ``parts``: the first parts of its headers' names, directories or
    files; ``directories``: what those are below, beside the package; ``extra``: whether ``EXTRA``
    brings it.
    """

    name: str
    package: str
    parts: tuple[str, ...]
    directories: tuple[str, ...]
    extra: bool = True


_LIBRARIES: Final = (
    _Library("Eigen", "cmeel-eigen", ("Eigen", "unsupported"), ("cmeel.prefix/include/eigen3",)),
    _Library(
        "CUTLASS",
        "nvidia-cutlass",
        ("cutlass", "cute"),
        ("cutlass_library/source/include", "cutlass_library/source/tools/util/include"),
    ),
    # PyTorch brings it.
    _Library(
        "NVSHMEM",
        "nvidia-nvshmem-cu13",
        ("nvshmem.h", "nvshmemx.h"),
        ("nvidia/nvshmem/include",),
        extra=False,
    ),
)


def packaged_directories(name: str) -> tuple[str, ...]:
    """Directories of an installed package from which ``#include`` of ``name`` is found."""
    found = _library(name)
    package = None if found is None else installed_package(found.package)
    if found is None or package is None:
        return ()
    places = tuple(str(package.place / directory) for directory in found.directories)
    return places if any(os.path.isfile(os.path.join(p, name)) for p in places) else ()


def is_packaged(directory: str) -> bool:
    """Whether ``packaged_directories`` gives a directory."""
    return any(
        directory.endswith(f"{os.sep}{own}") for each in _LIBRARIES for own in each.directories
    )


def library_of(name: str) -> str:
    """The library that a header's name is of; "" if ``EXTRA`` does not bring it."""
    found = _library(name)
    return found.name if found is not None and found.extra else ""


def _library(name: str) -> _Library | None:
    first, slash, rest = name.partition("/")
    if bool(slash) == first.endswith(".h") or ".." in rest.split("/"):
        return None
    return next((each for each in _LIBRARIES if first in each.parts), None)
