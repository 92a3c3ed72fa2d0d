"""The names of a unit: in its host code, in its device code, in clang.

Means: a digest of its path and device IR, which clang is given as the unit's id. With relocatable
device code, clang names static symbols by the symbol and a digest of that id.
"""

from __future__ import annotations

import hashlib
import re

_SUFFIX = re.compile(r"__(?:static|intern)__[0-9a-f]{1,16}\Z")


def unit_identity(path: str, ir: str) -> str:
    """The same for the same code at the same place."""
    data = f"{path}\0{ir}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(data).hexdigest()[:32]


def clang_suffix(identity: str) -> str:
    """What stands behind ``__static__`` and ``__intern__`` in names of a unit given as ``-cuid``.

    >>> clang_suffix("abc123")
    'd538cb28c4189ae9'
    """
    digest = hashlib.md5(identity.encode(), usedforsecurity=False).digest()
    return f"{int.from_bytes(digest[:8], 'little'):x}"


def own_name(symbol: str) -> str:
    """A symbol of linked device code without what tells it from that of another unit.

    >>> own_name("_ZL1kPi__intern__d538cb28c4189ae9"), own_name("_Z1kPi")
    ('_ZL1kPi', '_Z1kPi')
    """
    return _SUFFIX.sub("", symbol)
