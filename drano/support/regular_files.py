"""The one way to read a file that somebody else may have made: regular files only, below a size.

A pipe is not waited for, a device gives nothing, and a file that grows while it is read is read to
its limit only: what is opened is looked at, not what has the name a moment before.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_CHUNK = 1 << 20


class UnfitFileError(OSError):
    """``strerror`` says why a file is not read, though the system would."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(0, reason, path)


def is_file(path: Path) -> bool:
    """Whether there is such a file, as far as may be known."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_regular(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file of at most ``most`` bytes.

    Raises OSError (``UnfitFileError`` for any other file), ValueError for what is no name.
    """
    descriptor = _opened(path)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise UnfitFileError(os.fspath(path), "is a directory")
        if not stat.S_ISREG(status.st_mode):
            raise UnfitFileError(os.fspath(path), "is not a regular file")
        parts: list[bytes] = []
        size = 0
        while size <= most and status.st_size <= most:
            part = os.read(descriptor, min(max(status.st_size - size, 0) + 1, _CHUNK))
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
        raise UnfitFileError(os.fspath(path), f"is larger than {most >> 20} MB")
    finally:
        os.close(descriptor)


def _opened(path: str | os.PathLike[str]) -> int:
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)


def first_bytes(path: str | os.PathLike[str], count: int) -> bytes:
    """What a regular file begins with; b"" for what is not read."""
    try:
        descriptor = _opened(path)
    except (OSError, ValueError):
        return b""
    try:
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, count) if regular else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def regular_or_empty(path: str | os.PathLike[str], most: int) -> bytes:
    """``read_regular``; b"" for what it does not read."""
    try:
        return read_regular(path, most)
    except (OSError, ValueError):
        return b""
