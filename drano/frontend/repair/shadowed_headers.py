"""Directories of the repository that must be looked into before the system's, as ``-I`` has it.

Those that were found without being named come last, so that a project's ``string.h`` is no one's
standard library. A project whose ``<error.h>`` is its own then gets the system's: told by names
that clang does not know, which the project's header of the same name holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from drano.support.regular_files import regular_or_empty

_MOST_BYTES: Final = 4 << 20


def directories_first(
    directories: Iterable[str], files: Sequence[str], names: Sequence[bytes]
) -> tuple[str, ...]:
    """Those of the ``directories`` with a header that lies behind another one of its name.

    ``files``: that clang has read; ``names``: that it does not know.
    """
    if not names:
        return ()
    wanted = re.compile(rb"\b(?:" + b"|".join(map(re.escape, names)) + rb")\b")
    return tuple(
        directory
        for directory in directories
        if any(
            not file.startswith(f"{directory}/")
            and (own := f"{directory}/{Path(file).name}") not in files
            and wanted.search(regular_or_empty(Path(own), _MOST_BYTES)) is not None
            for file in files
        )
    )
