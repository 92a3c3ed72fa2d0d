"""Which of several directories the project's build names, as ``-I../common`` in a Makefile does.

Means: a build file names a directory where its path stands in the text as a word of its own,
relative to the file, or relative to the repository's root behind a variable
(``${PROJECT_SOURCE_DIR}/src/common``). The nearest build files above a source that name any decide.
Limits: variables are not expanded, so that of two directories that a file names both are left.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drano.frontend.headers.build_files import build_files_in
from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 1 << 20
_BEFORE: Final = r"(?:^|[\s\"'=(,]|-I|-isystem)(?:\./)?"
_VARIABLE: Final = r"[)}]/"
_AFTER: Final = r"/?(?=[\s\"')\],;]|$)"


def named_by_build(directories: Sequence[str], source: str, root: str) -> tuple[str, ...]:
    """Those of ``directories`` that the nearest build files above ``source``, in the repository at
    ``root``, name; () where none does.
    """
    for folder in Path(source).parents:
        texts = _texts(str(folder))
        found = tuple(
            directory
            for directory in directories
            if any(_names(text, str(folder), directory, root) for text in texts)
        )
        if found or str(folder) == root:
            return found
    return ()


def _texts(folder: str) -> tuple[str, ...]:
    """Of the build files in a directory."""
    return tuple(
        regular_or_empty(p, _MOST_BYTES).decode("utf-8", "replace")
        for p in build_files_in(Path(folder))
    )


def _names(text: str, folder: str, directory: str, root: str) -> bool:
    here, there = os.path.relpath(directory, folder), os.path.relpath(directory, root)
    ways = [_VARIABLE + re.escape(there), r"SOURCE_DIR\}/" + re.escape(here)]
    if here != ".":  # which stands in any text
        ways.append(_BEFORE + re.escape(here))
    return re.search(f"(?:{'|'.join(ways)}){_AFTER}", text, re.MULTILINE) is not None
