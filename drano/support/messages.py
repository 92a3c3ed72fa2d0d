"""Values between two processes that trust each other, on a pipe: a length and a pickle each."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any, Final

_LENGTH: Final = struct.Struct(">Q")
PREFIX: Final = _LENGTH.size
"""Bytes that tell how many follow."""


def packed(value: object) -> bytes:
    """A message."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def length(prefix: bytes) -> int:
    """Bytes of the message behind its prefix."""
    (size,) = _LENGTH.unpack(prefix)
    return int(size)


def receive(pipe: IO[bytes]) -> Any:
    """The next value. Raises EOFError where the other side is gone, if in the middle of one."""
    prefix = pipe.read(PREFIX)
    if len(prefix) == PREFIX:
        data = pipe.read(length(prefix))
        if len(data) == length(prefix):
            return pickle.loads(data)
    raise EOFError
