"""A copy of a program's sources in which some files have other texts.

Means: a file keeps its place below the copy's root, so that includes relative to each other are
found; what lies beside a source is linked, not copied. Directories of ``-I`` are searched in the
copy first.
Limits: a file that includes others by an absolute path finds those that are not copied.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

_MOST: Final = 4000


def mirrored(root: Path, path: str) -> str:
    """Where a file is in the copy below ``root``."""
    return str(root) + os.path.abspath(path)


def mirror(root: Path, files: Iterable[str], texts: Mapping[str, bytes]) -> None:
    """Make the copy of ``files``, of what lies beside them, with ``texts`` by absolute path."""
    for folder in sorted({str(Path(os.path.abspath(file)).parent) for file in files}):
        target = Path(mirrored(root, folder))
        target.mkdir(parents=True, exist_ok=True)
        for number, entry in enumerate(os.scandir(folder)):
            place = target / entry.name
            if number >= _MOST or entry.path in texts or place.exists() or place.is_symlink():
                continue
            if entry.is_file():
                place.symlink_to(entry.path)
    for path, text in texts.items():
        place = Path(mirrored(root, path))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(text)


def in_mirror(root: Path, words: Sequence[str], folders: Iterable[str]) -> list[str]:
    """A compiler's words with the include directories of the copy before those that were given."""
    copied = [folder for folder in folders if Path(mirrored(root, folder)).is_dir()]
    return [*(f"-I{mirrored(root, folder)}" for folder in copied), *words]
