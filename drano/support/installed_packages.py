"""Where Python packages are installed, by the names of their ``.dist-info`` directories.

``importlib.metadata`` says the same, but takes 15 ms to load and to read what is not asked for.
Source: PyPA specifications, "Recording installed projects". Limits: packages in zip files are not
found.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from pathlib import Path

from msgspec import Struct

_SUFFIX = ".dist-info"


class InstalledPackage(Struct, frozen=True):
    """``place``: the directory that its files are in, as those of other packages."""

    name: str
    version: str
    place: Path


def installed_package(name: str) -> InstalledPackage | None:
    """The one that an import would find; None if there is none."""
    wanted = _normal(name)
    for folder in sys.path:
        place = Path(folder or os.curdir)
        try:
            version = _versions(place, place.stat().st_mtime_ns).get(wanted)
        except OSError:  # no directory: a zip file, or nothing
            continue
        if version is not None:
            return InstalledPackage(name, version, place)
    return None


@functools.lru_cache(maxsize=64)
def _versions(folder: Path, _changed: int) -> dict[str, str]:
    names = [each.name for each in folder.iterdir()]
    found = (name.removesuffix(_SUFFIX).partition("-") for name in names if name.endswith(_SUFFIX))
    return {_normal(name): version for name, _, version in found}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()
