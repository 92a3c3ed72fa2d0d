"""Writing a report to a file: whole or not at all.

The text goes to a temporary file in the same directory, which then replaces the target in one
step: a reader, or a crash at any instant, sees the old report or the new one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: str, parts: Iterable[str]) -> None:
    """Replace the content of ``path`` (links are followed) by a text in parts; raises OSError.

    What is not a regular file, such as a pipe or ``/dev/null``, is written to directly: replacing
    it would destroy it.
    """
    target = Path(path).resolve()
    encoded = (part.encode("utf-8", "surrogateescape") for part in parts)
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with target.open("wb") as stream:
            stream.writelines(encoded)
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.writelines(encoded)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
